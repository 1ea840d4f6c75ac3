// Wrong: used after Take
package w06

import (
	"fmt"
	"github.com/poolproof/poolproof/buffer"
)

var buffers = buffer.New(buffer.Options{})

func Encode(v any) ([]byte, int) {
	b := buffers.Append()
	fmt.Fprint(b, v)
	p := b.Take()
	return p, b.Len() // want "PV001" b was given up by Take
}
