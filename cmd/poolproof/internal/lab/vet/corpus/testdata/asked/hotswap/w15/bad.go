// Wrong: a draft is used after Discard
package w15

import (
	"bufio"
	"errors"
	"github.com/poolproof/poolproof/hotswap"
)

type Index struct{ rows []string }

func Try(p *hotswap.Pool[Index], r *bufio.Scanner) error {
	draft := p.Get()
	x := draft.Value()
	for r.Scan() {
		x.rows = append(x.rows, r.Text())
	}
	draft.Discard()
	if len(x.rows) == 0 { // want "PV001" x was discarded
		return errors.New("nothing")
	}
	return r.Err()
}
