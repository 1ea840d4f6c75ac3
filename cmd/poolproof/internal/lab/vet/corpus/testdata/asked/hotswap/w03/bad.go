// Wrong: a published value is written by a reader
package w03

import (
	"github.com/poolproof/poolproof/hotswap"
)

type Index struct{ hits map[string]int }

func Hit(c *hotswap.Container[Index], key string) {
	ref := c.Acquire()
	defer ref.Release()
	if ref.Ok() {
		ref.Value().hits[key]++ // want "PV022" others read it
	}
}
