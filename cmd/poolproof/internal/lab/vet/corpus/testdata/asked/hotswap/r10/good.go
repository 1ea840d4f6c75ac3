// Right: an early return where the container is empty needs no Release
package r10

import (
	"errors"
	"github.com/poolproof/poolproof/hotswap"
)

type Index struct{ rows []string }

func Get(c *hotswap.Container[Index], i int) (string, error) {
	ref := c.Acquire()
	if !ref.Ok() {
		return "", errors.New("empty")
	}
	defer ref.Release()
	return ref.Value().rows[i], nil
}
