// Right: Do copies out, GetContext
package r09

import (
	"context"
	"github.com/poolproof/poolproof/hotswap"
	"slices"
)

type Index struct{ rows []string }

func Rows(c *hotswap.Container[Index]) (rows []string) {
	c.Do(func(x *Index) { rows = slices.Clone(x.rows) })
	return rows
}

func Load(ctx context.Context, p *hotswap.Pool[Index], c *hotswap.Container[Index], rows []string) error {
	draft, err := p.GetContext(ctx)
	if err != nil {
		return err
	}
	defer draft.Discard()
	x := draft.Value()
	x.rows = append(x.rows[:0], rows...)
	return c.Update(&draft)
}
