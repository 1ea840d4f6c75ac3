// Wrong: memory of the value is stored in a field
package w19

import (
	"github.com/poolproof/poolproof/hotswap"
)

type Index struct{ key []byte }

type client struct{ key []byte }

func (cl *client) load(c *hotswap.Container[Index]) {
	ref := c.Acquire()
	if ref.Ok() {
		cl.key = ref.Value().key // want "PV004" cl keeps memory of the value
	}
	ref.Release()
}
