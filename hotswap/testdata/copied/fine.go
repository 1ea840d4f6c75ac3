package copied

import (
	"context"

	"github.com/poolproof/poolproof/hotswap"
)

type request struct {
	config hotswap.Ref[int]
}

// Fine is how guards are used.
func Fine(ctx context.Context, p *hotswap.Pool[int], c *hotswap.Container[int], requests chan *request) error {
	ref := c.Acquire()
	defer ref.Release()
	d, err := p.GetContext(ctx)
	if err != nil {
		return err
	}
	defer d.Discard()
	requests <- &request{config: ref.Clone()}
	requests <- &request{config: ref.Move()}
	part := hotswap.Map(&ref, func(x *int) *int { return x })
	part.Release()
	refs := []hotswap.Ref[int]{c.Acquire()}
	refs = append(refs, c.Acquire())
	for i := range refs {
		refs[i].Release()
	}
	return c.Update(&d)
}
