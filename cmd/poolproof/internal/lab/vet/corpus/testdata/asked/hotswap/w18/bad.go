// Wrong: UpdateIf that returns false leaves the draft, which is lost
package w18

import (
	"github.com/poolproof/poolproof/hotswap"
)

type Index struct{ n int }

func Bump(p *hotswap.Pool[Index], c *hotswap.Container[Index]) (bool, error) {
	ref := c.Acquire()
	defer ref.Release()
	draft := p.Get()
	if x := ref.Value(); x != nil {
		draft.Value().n = x.n + 1
	}
	ok, err := c.UpdateIf(&ref, &draft)
	if err != nil {
		draft.Discard()
		return false, err
	}
	return ok, nil // want "PV005" if ok is false, the draft is lost
}
