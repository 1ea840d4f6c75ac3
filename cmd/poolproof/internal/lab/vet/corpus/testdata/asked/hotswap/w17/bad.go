// Wrong: a goroutine uses the value after the function has released it
package w17

import (
	"github.com/poolproof/poolproof/hotswap"
	"log"
)

type Index struct{ rows []string }

func Start(c *hotswap.Container[Index]) {
	ref := c.Acquire()
	defer ref.Release()
	x := ref.Value()
	go func() { // want "PV004" the goroutine outlives the hold
		log.Print(len(x.rows))
	}()
}
