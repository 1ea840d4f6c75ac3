// Wrong: the draft's value is written after Update
package w06

import (
	"github.com/poolproof/poolproof/hotswap"
)

type Index struct{ rows []string }

func Load(p *hotswap.Pool[Index], c *hotswap.Container[Index], rows []string) error {
	draft := p.Get()
	x := draft.Value()
	x.rows = append(x.rows[:0], rows...)
	if err := c.Update(&draft); err != nil {
		draft.Discard()
		return err
	}
	x.rows = append(x.rows, "end") // want "PV001" x was published (or PV022)
	return nil
}
