package hotswap_test

import (
	"context"
	"testing"

	"github.com/poolproof/poolproof/hotswap"
)

func TestWhatIsUsedOftenAllocatesNothing(t *testing.T) {
	exactly(t)
	p := hotswap.NewPool(options())
	c := hotswap.New(p)
	publish(t, c, p, 1)
	reader := c.Reader()
	defer reader.Release()
	ctx := context.Background()
	sum := 0
	read := func(x *config) { sum += x.version }
	build := func(next, cur *config) error { next.version = cur.version + 1; return nil }
	version := func(x *config) *int { return &x.version }
	d := hotswap.NewDelta(c, func(x *config, d int) { x.version += d }, func(dst, src *config) { dst.version = src.version })
	for name, use := range map[string]func(){
		"Acquire, Release":          func() { r := c.Acquire(); sum += r.Value().version; r.Release() },
		"Acquire, deferred Release": func() { r := c.Acquire(); defer r.Release(); sum += r.Value().version },
		"Clone":                     func() { r := c.Acquire(); s := r.Clone(); r.Release(); s.Release() },
		"Move":                      func() { r := c.Acquire(); s := r.Move(); s.Release() },
		"Map":                       func() { r := c.Acquire(); s := hotswap.Map(&r, version); sum += *s.Value(); s.Release() },
		"Do":                        func() { c.Do(read) },
		"Do with a closure":         func() { c.Do(func(x *config) { sum += x.version }) },
		"Load":                      func() { sum += reader.Load().version },
		"Reader":                    func() { r := c.Reader(); sum += r.Load().version; r.Release() },
		"Get, Discard":              func() { d := p.Get(); d.Discard() },
		"Get, Update":               func() { d := p.Get(); d.Value().version = 1; _ = c.Update(&d) },
		"Get, Update, Load":         func() { d := p.Get(); d.Value().version = 1; _ = c.Update(&d); sum += reader.Load().version },
		"GetContext, Update":        func() { d, _ := p.GetContext(ctx); d.Value().version = 1; _ = c.Update(&d) },
		"RCU":                       func() { _ = c.RCU(ctx, build) },
		"Delta.Update":              func() { _ = d.Update(1) },
		"Synchronize":               func() { reader.Release(); _ = c.Synchronize(ctx) },
		"Stats":                     func() { p.Stats() },
	} {
		use()
		use()
		if got := testing.AllocsPerRun(100, use); got != 0 {
			t.Errorf("%s: %v allocations, want 0", name, got)
		}
	}
	_ = sum
}
