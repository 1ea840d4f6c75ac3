package everyday

import "example.org/corpus/lib/regex"

func carryThenUse(n int) byte {
	b := make([]byte, n)
	regex.Carry(b)
	return b[0] // want "PV001"
}

type crate struct{ data []byte }

func (c *crate) set(b []byte) { c.data = b }

func giveCrate(b []byte) {
	c := crates.Get().(*crate)
	c.set(b)
	crates.Put(c)
}

func crateThenUse(b []byte) byte {
	giveCrate(b)
	return b[0] // want "PV001"
}
