// Right: UpdateIf in a loop
package r08

import (
	"github.com/poolproof/poolproof/hotswap"
)

type Index struct{ n int }

func Bump(p *hotswap.Pool[Index], c *hotswap.Container[Index]) error {
	for {
		ref := c.Acquire()
		draft := p.Get()
		if x := ref.Value(); x != nil {
			draft.Value().n = x.n + 1
		}
		ok, err := c.UpdateIf(&ref, &draft)
		ref.Release()
		if ok {
			return nil
		}
		draft.Discard()
		if err != nil {
			return err
		}
	}
}
