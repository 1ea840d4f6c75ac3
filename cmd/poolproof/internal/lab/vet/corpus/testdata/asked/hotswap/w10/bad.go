// Wrong: a Reader's value is used after the next Load
package w10

import (
	"github.com/poolproof/poolproof/hotswap"
	"log"
)

type Config struct{ name string }

func Watch(c *hotswap.Container[Config], wake <-chan struct{}) {
	r := c.Reader()
	defer r.Release()
	old := r.Load()
	for range wake {
		cur := r.Load()
		if cur != nil && cur.name != old.name { // want "PV001" old was valid until the Load above
			log.Print(cur.name)
		}
		old = cur
	}
}
