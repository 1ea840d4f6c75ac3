// Wrong: CopyAndRelease under a deferred Release
package w05

import (
	"fmt"
	"github.com/poolproof/poolproof/buffer"
)

var buffers = buffer.New(buffer.Options{})

func Encode(v any) []byte {
	b := buffers.Append()
	defer b.Release()
	fmt.Fprint(b, v)
	return b.CopyAndRelease() // want "PV002" the deferred Release is the second
}
