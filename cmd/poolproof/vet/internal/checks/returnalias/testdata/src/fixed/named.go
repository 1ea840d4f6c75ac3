package fixed

import stdbytes "bytes"

var _ stdbytes.Buffer

func byAnotherName() []byte {
	b := boxes.Get().(*box)
	defer boxes.Put(b)
	return b.b // want `memory of b is returned`
}

func hidden() []byte {
	stdbytes := boxes.Get().(*box)
	defer boxes.Put(stdbytes)
	return stdbytes.b // want `memory of stdbytes is returned`
}
