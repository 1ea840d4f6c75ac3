// Wrong: a draft is lost on an error
package w09

import (
	"bufio"
	"github.com/poolproof/poolproof/hotswap"
	"io"
)

type Index struct{ rows []string }

func (x *Index) Load(r io.Reader) error {
	s := bufio.NewScanner(r)
	for s.Scan() {
		x.rows = append(x.rows, s.Text())
	}
	return s.Err()
}

func Load(p *hotswap.Pool[Index], c *hotswap.Container[Index], r io.Reader) error {
	draft := p.Get()
	if err := draft.Value().Load(r); err != nil {
		return err // want "PV005" the draft is lost
	}
	return c.Update(&draft)
}
