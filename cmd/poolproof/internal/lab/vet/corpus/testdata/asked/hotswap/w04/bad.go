// Wrong: Do: the value is kept
package w04

import (
	"github.com/poolproof/poolproof/hotswap"
)

type Index struct{ rows []string }

type server struct{ rows []string }

func (s *server) refresh(c *hotswap.Container[Index]) {
	c.Do(func(x *Index) {
		s.rows = x.rows // want "PV014" x is lent until the literal returns
	})
}
