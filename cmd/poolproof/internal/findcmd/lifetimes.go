package findcmd

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lifetime"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile/attribute"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/progress"
)

// profiling is the part of the budget that profiles have; watching lifetimes has the rest.
func (f *findFlags) profiling() time.Duration {
	if f.lifetimes {
		return f.budget * 2 / 3
	}
	return f.budget
}

// watch observes how long the objects of the sites that are worth a line live. What it does
// not see is no error: the sites say why.
func (f *findFlags) watch(ctx context.Context, r *found, scope *attribute.Scope) {
	begin, p := time.Now(), progress.New(os.Stderr)
	r.lifetimes = lifetime.OfSites(ctx, scope, r.profile.Hot(leastShare, f.top), f.budget-f.profiling(), func(path string) {
		p.Step(fmt.Sprintf("watching how long objects live in %s", path))
	})
	p.Clear()
	for s, o := range r.lifetimes {
		s.Observed, s.Kept = o.Class == lifetime.InFunction, o.Class == lifetime.Kept || o.Class == lifetime.Shared
	}
	r.watched = time.Since(begin)
}

// lives says in one line how long the objects of a site live.
func lives(o lifetime.Observation) string {
	switch o.Class {
	case lifetime.InFunction, lifetime.InCall:
		return fmt.Sprintf("observed: none of %d objects can be reached once %s (%s:%d) has returned", o.Objects, o.Within, build.FromHere(o.Where.File), o.Where.Line)
	case lifetime.Returned:
		return "observed: objects are handed to the caller" + last(o)
	case lifetime.Kept:
		return "observed: objects are kept after the operation that made them" + last(o)
	case lifetime.Shared:
		return fmt.Sprintf("observed: another goroutine touches objects, in %s:%d", build.FromHere(o.Other.File), o.Other.Line)
	}
	return "not observed: " + o.Why
}

// seen says it at length.
func seen(o lifetime.Observation) string {
	s := "lifetime: " + o.Why
	if o.Wait >= 0 {
		s += fmt.Sprintf("; the collector frees an object %.0f operations after the one that made it", o.Wait)
	}
	return s
}

// last says where an object is touched last.
func last(o lifetime.Observation) string {
	if o.Last.File == "" {
		return ""
	}
	return fmt.Sprintf("; the last access that is seen is in %s:%d", build.FromHere(o.Last.File), o.Last.Line)
}
