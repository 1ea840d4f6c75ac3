package sanitize

import (
	"context"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/finding"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/gotest"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
)

// leftOvers looks at the tests of one package that failed in the second pass alone.
func (c *classifier) leftOvers(ctx context.Context, line gotest.Line, p gotest.Package, before []string, words said) error {
	names := slices.DeleteFunc(p.Leaves(), func(name string) bool {
		return slices.ContainsFunc(before, func(b string) bool { return related(b, name) }) || c.book.explains(p.Path, name)
	})
	if p.TimedOut && len(names) == 0 && len(before) == 0 {
		c.book.result.note("%s did not end in time in the second pass, where each Get returns the object that was put last: give it a longer -timeout, or skip the pass with -reuse=off", p.Path)
	}
	if len(names) == 0 {
		return nil
	}
	c.plan.say("%s failed with reused objects; running again, with reused and with fresh ones", some(names, p.Path))
	alone, err := c.sure(ctx, line, p.Path, names, names)
	if err != nil {
		return err
	}
	for _, name := range alone {
		if err := c.leftOver(ctx, p.Path, name, false, words); err != nil {
			return err
		}
	}
	rest := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return slices.Contains(alone, n) })
	if len(rest) == 0 {
		return nil
	}
	together, err := c.sure(ctx, line, p.Path, nil, rest) // what another test has left
	if err != nil {
		return err
	}
	for _, name := range rest {
		if slices.Contains(together, name) {
			err = c.leftOver(ctx, p.Path, name, true, words)
		} else {
			err = c.plainly(ctx, p, name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// plainly says of a test that failed once in the second pass whether it fails without
// poolproof too.
func (c *classifier) plainly(ctx context.Context, p gotest.Package, name string) error {
	fails, err := c.failing(ctx, p, []string{name}, nil, nil)
	if err != nil {
		return err
	}
	if fails(name) {
		c.book.fail(c.plan, p.Path, name, Genuine)
	} else {
		c.book.fail(c.plan, p.Path, name, Unsteady)
	}
	return nil
}

// related reports whether two tests are the same, or one is a subtest of the other.
func related(a, b string) bool { return strings.HasPrefix(a+"/", b+"/") || strings.HasPrefix(b, a+"/") }

// sure returns those of the tests that fail again with reused objects, and pass with
// fresh ones.
func (c *classifier) sure(ctx context.Context, line gotest.Line, pkg string, run, tests []string) ([]string, error) {
	reused, _, err := c.passOf(ctx, line, []string{pkg}, run, false)
	if err != nil {
		return nil, err
	}
	again := slices.DeleteFunc(slices.Clone(tests), func(n string) bool { return !failedIn(reused, pkg, n) })
	if len(again) == 0 {
		return nil, nil
	}
	fresh, _, err := c.passOf(ctx, line, []string{pkg}, run, true)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(again, func(n string) bool { return failedIn(fresh, pkg, n) }), nil
}

// failedIn reports whether a test failed in a run, or its package as a whole.
func failedIn(out *observation, pkg, test string) bool {
	p := out.of(pkg)
	return p.State == gotest.Failed && (len(p.Tests) == 0 || slices.ContainsFunc(p.Tests, func(t string) bool { return related(t, test) }))
}

// leftOver reports a test that fails with reused objects. whole: only together with the
// other tests of its package.
func (c *classifier) leftOver(ctx context.Context, pkg, name string, whole bool, words said) error {
	test := finding.Test{Package: pkg, Dir: c.plan.packages.dir(pkg), Name: name}
	r := &finding.Report{
		Kind: record.LeftOver, Severity: record.Error, Count: 1, Tests: []finding.Test{test},
		Said: excerpt(words[finding.Test{Package: pkg, Name: name}]), Whole: whole,
	}
	if err := c.explain(ctx, r, whole); err != nil {
		return err
	}
	c.book.suppress([]*finding.Report{r})
	c.book.reports = append(c.book.reports, r)
	return nil
}

// explain runs a test once more where all is watched and objects come back, to see
// which field has what was left over.
func (c *classifier) explain(ctx context.Context, r *finding.Report, whole bool) error {
	t := r.Tests[0]
	names := []string{t.Name}
	if whole {
		names = nil
	}
	out, err := c.tests.run(ctx, attempt{line: only(c.plan.instrumented, t.Package, names), watch: &watch{mode: c.plan.options.Mode, delay: 0, left: true}})
	if err != nil {
		return err
	}
	var best *record.Report
	for _, p := range out.log.Processes {
		for i := range p.Reports {
			f := &p.Reports[i]
			if f.Kind == record.LeftOver && !c.book.result.Printer.Sites.StdGet(f.Get) && slices.ContainsFunc(f.Tests, func(n string) bool { return related(n, t.Name) }) {
				if best == nil || f.Weight > best.Weight {
					best = f
				}
			}
		}
	}
	if best != nil {
		r.Explain(best, c.book.result.Printer.Sites)
	}
	return nil
}
