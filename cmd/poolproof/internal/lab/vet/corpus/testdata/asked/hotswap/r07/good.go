// Right: a clone for a goroutine
package r07

import (
	"github.com/poolproof/poolproof/hotswap"
	"log"
)

type Index struct{ rows []string }

func Start(c *hotswap.Container[Index]) {
	ref := c.Acquire()
	defer ref.Release()
	other := ref.Clone()
	go func() {
		defer other.Release()
		if other.Ok() {
			log.Print(len(other.Value().rows))
		}
	}()
}
