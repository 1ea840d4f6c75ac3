// Wrong: a slice of one pool is freed into another
package w18

import (
	"github.com/poolproof/poolproof/buffer"
	"io"
)

var small = buffer.New(buffer.Options{Max: 4096})
var large = buffer.New(buffer.Options{Max: 1 << 20})

func Read(r io.Reader) (int, error) {
	b := small.Bytes(1024)
	defer large.Free(b) // want "PV021" b came from small
	return r.Read(b)
}
