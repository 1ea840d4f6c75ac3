// Wrong: value used after Release
package w01

import (
	"github.com/poolproof/poolproof/hotswap"
)

type Index struct {
	rows []string
	pos  map[string]int
}

func Find(c *hotswap.Container[Index], key string) string {
	ref := c.Acquire()
	if !ref.Ok() {
		return ""
	}
	x := ref.Value()
	i := x.pos[key]
	ref.Release()
	return x.rows[i] // want "PV001" x was released
}
