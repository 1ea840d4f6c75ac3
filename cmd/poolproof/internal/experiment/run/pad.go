package run

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// pad links the padded builds of both sides of a comparison, from the given one
// up to those that the rule's next look needs: the linker uses one processor,
// so several run at once. Nothing is measured meanwhile, and building is no
// measuring time.
func (r *Run) pad(ctx context.Context, c study.Comparison, layout int) error {
	last := layout
	for _, n := range r.Plan.Rule.PaddedLooks {
		if n >= layout {
			last = n
			break
		}
	}
	type job struct {
		t      *build.Target
		layout int
	}
	var jobs []job
	for k := layout; k <= last; k++ {
		for _, plain := range []string{c.BaselineBench.Binary, c.CandidateBench.Binary} {
			if id := build.LayoutID(plain, k); !r.built[id] {
				r.built[id] = true
				jobs = append(jobs, job{r.bs.Target(plain), k})
			}
		}
	}
	if len(jobs) == 0 {
		return nil
	}
	r.o.Progress.Step(fmt.Sprintf("linking %d padded builds of %s, to see what code layout can make", len(jobs), jobs[0].t))
	built, errs := make([]study.Binary, len(jobs)), make([]error, len(jobs))
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for i, j := range jobs {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			built[i], errs[i] = j.t.Build(ctx, j.layout, r.bs.Engine)
		})
	}
	wg.Wait()
	for i, j := range jobs {
		if errs[i] != nil {
			return errs[i]
		}
		if err := r.keep(r.bs.Describe(j.t, built[i]), j.t); err != nil {
			return err
		}
	}
	return nil
}

// keep adds a padded build to the plan. A run that is resumed must build what it
// built before.
func (r *Run) keep(b study.Binary, t *build.Target) error {
	for _, known := range r.Plan.Binaries {
		if known.ID == b.ID {
			if known.SHA256 != b.SHA256 {
				return changed(r.o.Out, t.String())
			}
			return nil
		}
	}
	r.Plan.Binaries = append(r.Plan.Binaries, b)
	return nil
}
