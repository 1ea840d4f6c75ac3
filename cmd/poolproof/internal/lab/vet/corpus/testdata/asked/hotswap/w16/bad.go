// Wrong: a Clone is never released
package w16

import (
	"github.com/poolproof/poolproof/hotswap"
	"log"
)

type Index struct{ rows []string }

func Start(c *hotswap.Container[Index]) {
	ref := c.Acquire()
	defer ref.Release()
	other := ref.Clone() // want "PV006" nobody releases the clone
	go func() {
		log.Print(len(other.Value().rows))
	}()
}
