// Wrong: Acquire without Release
package w07

import (
	"github.com/poolproof/poolproof/hotswap"
)

type Index struct{ rows []string }

func Len(c *hotswap.Container[Index]) int {
	ref := c.Acquire() // want "PV006" never released
	if !ref.Ok() {
		return 0
	}
	return len(ref.Value().rows)
}
