package a

import (
	"bufs"
	"bytes"
	"slices"
)

func text() string {
	b := bufs.Get()
	defer bufs.Put(b)
	return b.String()
}

func clone() []byte {
	b := bufs.Get()
	defer bufs.Put(b)
	return slices.Clone(b.Bytes())
}

func onSuccess(fail bool) (data []byte) {
	b := bufs.Get()
	keep := false
	defer func() {
		if !keep {
			bufs.Put(b)
		}
	}()
	if fail {
		return nil
	}
	keep = true
	return b.Bytes()
}

func early(fail bool) (n int, out *bytes.Buffer) {
	b := bufs.Get()
	defer bufs.Put(b)
	if fail {
		return 0, new(bytes.Buffer)
	}
	return b.Len(), nil
}

// The call that is deferred before the put runs after it: that is a use, and no result.
func usedLater() {
	b := bufs.Get()
	defer b.Reset()
	defer bufs.Put(b)
}
