// Wrong: early return without Release
package w08

import (
	"errors"
	"fmt"
	"github.com/poolproof/poolproof/hotswap"
)

type Index struct{ rows []string }

func Get(c *hotswap.Container[Index], i int) (string, error) {
	ref := c.Acquire()
	x := ref.Value()
	if x == nil {
		return "", errors.New("empty")
	}
	if i >= len(x.rows) {
		return "", fmt.Errorf("no row %d", i) // want "PV005" ref is lost
	}
	s := x.rows[i]
	ref.Release()
	return s, nil
}
