package findcmd

import (
	"context"
	"fmt"
	"os"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lifetime"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile/attribute"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/progress"
)

// watch observes how long the objects of the sites that are worth a line live. What it does
// not see is no error: the sites say why.
func (f *findFlags) watch(ctx context.Context, r *found, scope *attribute.Scope) {
	hot := r.profile.Hot(leastShare, f.top)
	p := progress.New(os.Stderr)
	r.lifetimes, _ = lifetime.OfSites(ctx, scope, hot, f.timeout, func(path string) {
		p.Step(fmt.Sprintf("watching how long objects live in the benchmarks of %s", path))
	})
	p.Clear()
	for s, o := range r.lifetimes {
		s.Observed = o.Class == lifetime.InFunction
	}
}

// lives says how long the objects of a site live.
func lives(o lifetime.Observation) string {
	s := "lives: " + string(o.Class) + ": " + o.Why
	if o.Wait >= 0 {
		s += fmt.Sprintf("; the collector frees it %.0f operations after the one that made it", o.Wait)
	}
	return s
}
