// Right: deferred and early Release
package r02

import (
	"github.com/poolproof/poolproof/hotswap"
)

type Index struct{ rows []string }

func Count(c *hotswap.Container[Index], wait <-chan struct{}) int {
	ref := c.Acquire()
	defer ref.Release()
	n := 0
	if ref.Ok() {
		n = len(ref.Value().rows)
	}
	ref.Release()
	<-wait
	return n
}
