// Wrong: a constructor that keeps memory of the value is returned
package w20

import (
	"bytes"
	"github.com/poolproof/poolproof/hotswap"
	"io"
)

type Index struct{ data []byte }

func Open(c *hotswap.Container[Index]) io.Reader {
	ref := c.Acquire()
	defer ref.Release()
	if !ref.Ok() {
		return nil
	}
	return bytes.NewReader(ref.Value().data) // want "PV003" it reads memory of the value later
}
