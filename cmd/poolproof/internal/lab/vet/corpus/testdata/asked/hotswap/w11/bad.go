// Wrong: a Reader's value is used after Release
package w11

import (
	"github.com/poolproof/poolproof/hotswap"
	"log"
)

type Config struct{ name string }

func Watch(c *hotswap.Container[Config], wake <-chan struct{}) {
	r := c.Reader()
	for {
		cfg := r.Load()
		r.Release()
		<-wake
		if cfg != nil {
			log.Print(cfg.name) // want "PV001" cfg was valid until Release
		}
	}
}
