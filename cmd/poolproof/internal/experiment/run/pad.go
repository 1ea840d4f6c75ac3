package run

import (
	"context"
	"fmt"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// usualLink is the estimate for a padded build before one is linked.
const usualLink = 300 * time.Millisecond

// padded is a padded build to make.
type padded struct {
	t      *build.Target
	layout int
}

func (p padded) id() string { return build.LayoutID(p.t.ID, p.layout) }

// missing lists the padded builds of both sides that a comparison waits for, up
// to those that the rule's next look needs. All comparisons of the same binaries
// have them then.
func (r *Run) missing(i int) (jobs []padded) {
	want := r.Results[i].Want
	if want == nil || want.Layout == 0 {
		return nil
	}
	last := want.Layout
	for _, n := range r.Plan.Rule.PaddedLooks {
		if n >= want.Layout {
			last = n
			break
		}
	}
	c := r.Plan.Comparisons[i]
	sides := []string{c.BaselineBench.Binary, c.CandidateBench.Binary}
	if sides[0] == sides[1] {
		sides = sides[:1]
	}
	for k := want.Layout; k <= last; k++ {
		for _, plain := range sides {
			if !r.built[build.LayoutID(plain, k)] {
				jobs = append(jobs, padded{r.bs.Target(plain), k})
			}
		}
	}
	return jobs
}

// pad makes the padded builds that a comparison waits for. The linker uses one
// processor, so several run at once.
//
// Nothing is measured meanwhile: where two processors share a core, as those of
// most virtual machines do, a linker beside a benchmark takes up to half of its
// speed, and comes and goes between the bursts. Linking is no measuring time.
func (r *Run) pad(ctx context.Context, i int) error {
	jobs := r.missing(i)
	if len(jobs) == 0 {
		return nil
	}
	r.o.Progress.Step(fmt.Sprintf("linking %d padded builds of %s, to see what code layout can make", len(jobs), jobs[0].t))
	built, errs, start := make([]study.Binary, len(jobs)), make([]error, len(jobs)), time.Now()
	build.Together(len(jobs), func(k int) {
		built[k], errs[k] = jobs[k].t.Padded(ctx, jobs[k].layout, r.bs.Engine, r.sum(jobs[k].t.ID))
	})
	for k, j := range jobs {
		if errs[k] != nil {
			return errs[k]
		}
		if err := r.keep(r.bs.Describe(j.t, built[k]), j.t); err != nil {
			return err
		}
		r.built[j.id()] = true
	}
	r.linkTime = time.Since(start) / time.Duration(len(jobs))
	return nil
}

// sum is the digest of a plain binary.
func (r *Run) sum(plain string) string {
	for _, b := range r.Plan.Binaries {
		if b.ID == plain {
			return b.SHA256
		}
	}
	return ""
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
