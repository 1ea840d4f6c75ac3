// Right: a Reader in a loop
package r04

import (
	"github.com/poolproof/poolproof/hotswap"
	"log"
	"strings"
)

type Config struct{ name string }

func Watch(c *hotswap.Container[Config], wake <-chan struct{}) {
	r := c.Reader()
	defer r.Release()
	name := ""
	for range wake {
		cur := r.Load()
		if cur == nil {
			continue
		}
		if cur.name != name {
			name = strings.Clone(cur.name)
			log.Print(name)
		}
		r.Release()
	}
}
