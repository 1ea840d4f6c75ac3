// Wrong: a part of the value is returned under a deferred Release
package w02

import (
	"github.com/poolproof/poolproof/hotswap"
)

type Index struct{ rows []string }

func Rows(c *hotswap.Container[Index]) []string {
	ref := c.Acquire()
	defer ref.Release()
	if !ref.Ok() {
		return nil
	}
	return ref.Value().rows[1:] // want "PV003" memory of the value
}
