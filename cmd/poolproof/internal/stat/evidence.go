package stat

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// evidence is all that is known of one comparison: its plan and its launches. It
// is only read; what the rule makes of it is a [trial]'s.
type evidence struct {
	plan     *study.Plan
	c        study.Comparison
	rule     study.Rule
	main     study.Form
	recs     []*study.Record // of the comparison, each once, by form, build, launch
	launches []*launch       // of the main form on plain builds
	longs    []*launch       // stretches
	many     []*launch       // of bursts of many operations
}

func newEvidence(p study.Plan, c study.Comparison, recs []*study.Record) *evidence {
	e := &evidence{plan: &p, c: c, rule: p.Rule, main: mainForm(p, c), recs: recs}
	e.launches = e.good(e.main, 0)
	e.longs = e.good(study.FormStretch, 0)
	e.many = e.good(study.FormMany, 0)
	return e
}

// good lists the launches of a form and build that did not fail.
func (e *evidence) good(f study.Form, layout int) []*launch {
	var ls []*launch
	for _, r := range e.recs {
		if r.Form == f && r.Layout == layout && r.Status == study.StatusOK {
			ls = append(ls, &launch{rec: r, procs: e.processors()})
		}
	}
	return ls
}

// next returns the first launch of a form and build that is not recorded.
func (e *evidence) next(f study.Form, layout int) int {
	n := 0
	for _, r := range e.recs {
		if r.Form == f && r.Layout == layout && r.Launch == n {
			n++
		}
	}
	return n
}

// ask wants the next launch of a form, of the build without padding.
func (e *evidence) ask(f study.Form) *study.Want {
	return &study.Want{Form: f, Launch: e.next(f, 0)}
}

// setting is an environment variable of the processes.
func (e *evidence) setting(name string) (value string, ok bool) {
	for _, list := range [][]string{e.plan.Env, e.c.Cell} { // the cell has the last word
		for _, kv := range list {
			if v, found := strings.CutPrefix(kv, name+"="); found {
				value, ok = v, true
			}
		}
	}
	return value, ok
}

// processors is how many each side may use; 0 where nothing says it.
func (e *evidence) processors() float64 {
	n := float64(e.plan.Machine.Cores)
	if v, ok := e.setting("GOMAXPROCS"); ok {
		if p, err := strconv.ParseFloat(v, 64); err == nil && p > 0 && (n == 0 || p < n) {
			n = p
		}
	}
	return n
}

// alpha is that of a look at n launches.
func (e *evidence) alpha(n int) float64 {
	switch {
	case n > e.rule.LateFrom:
		return e.rule.LateAlpha
	case n <= e.rule.Screen: // of the long form
		return e.rule.ScreenAlpha
	}
	return e.rule.Alpha
}

// looks are those of the main form. A paced launch takes as long as one of the
// long form, or longer, and is looked at as often.
func (e *evidence) looks() []int {
	if e.main == study.FormRate && len(e.rule.LongLooks) > 0 {
		return e.rule.LongLooks
	}
	return e.rule.Looks
}

// failure is the launch that failed, nil if none did. A baseline that fails is
// the user's to repair, so it is named before an arm.
func (e *evidence) failure() *study.Failure {
	var candidate *study.Failure
	for _, r := range e.recs {
		if r.Status == study.StatusOK {
			continue
		}
		f := study.Failure{Side: "baseline", Binary: e.c.BaselineBench.Binary, Benchmark: e.c.BaselineBench.Leaf, Text: r.Error}
		if f.Text == "" {
			f.Text = fmt.Sprintf("launch %d ended with status %q", r.Launch, r.Status)
		}
		if r.FailedSide != study.Candidate.String() {
			return &f
		}
		if candidate == nil {
			f.Side, f.Binary, f.Benchmark = "candidate", e.c.CandidateBench.Binary, e.c.CandidateBench.Leaf
			candidate = &f
		}
	}
	return candidate
}
