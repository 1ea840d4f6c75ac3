// Wrong: Do: the value is written
package w05

import (
	"github.com/poolproof/poolproof/hotswap"
)

type Index struct{ n int }

func Touch(c *hotswap.Container[Index]) {
	c.Do(func(x *Index) {
		x.n++ // want "PV022" others read it
	})
}
