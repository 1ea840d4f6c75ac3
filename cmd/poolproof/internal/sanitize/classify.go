package sanitize

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/gotest"
)

// classifier is the last of the three steps: it says why tests failed in which nothing was
// found. What the first run does not tell, it asks by running tests again.
type classifier struct {
	plan  *plan
	tests *runner
	book  *ledger
}

// classify looks at the first run: at what failed without a finding, and at what
// did not run to its end.
func (c *classifier) classify(ctx context.Context, seen *observation) error {
	c.book.partly = c.book.partly || c.plan.partial(seen)
	if seen.code != 0 && len(seen.packages) == 0 && seen.log.Launches() == 0 {
		// Not a test but the question was wrong; the go command has said how.
		return fault.Errorf(fault.Tools, "go test ran nothing (exit code %d)", seen.code)
	}
	broken := func(p gotest.Package) bool { return p.State != gotest.Passed && p.State != gotest.NoTests }
	if seen.code != 0 && !slices.ContainsFunc(seen.packages, broken) {
		return fault.Errorf(fault.Tools, "go test failed (exit code %d), but no package failed; its output is above", seen.code)
	}
	for _, p := range seen.packages {
		if err := c.failed(ctx, p, *c.plan.options.watch()); err != nil {
			return err
		}
	}
	return nil
}

// failed looks at one package that failed under w.
func (c *classifier) failed(ctx context.Context, p gotest.Package, w watch) error {
	switch {
	case p.State == gotest.SetupFailed:
		c.book.fail(c.plan, p.Path, "", Build)
		return nil
	case p.State == gotest.BuildFailed:
		return c.buildFailed(ctx, p)
	case p.State != gotest.Failed:
		return nil
	case p.TimedOut && w.delay == never:
		c.plan.say("%s did not end in time; running again with -delay 0, in case it waits until an object is reused", p.Path)
		return c.relaxed(ctx, p)
	case p.TimedOut:
		return c.timedOut(ctx, p)
	}
	if p.Misused && !c.book.explains(p.Path, "") && !c.book.explains("", "") {
		c.book.lost = append(c.book.lost, fmt.Sprintf("a test of %s misused a pool, and its records are missing: check that it can write to %s", p.Path, c.plan.scratch))
		return nil
	}
	if p.Killed && !c.book.explains(p.Path, "") {
		return c.killed(ctx, p)
	}
	suspects := c.book.suspects(p)
	if len(suspects) > 0 || len(p.Leaves()) == 0 && !c.book.explains(p.Path, "") {
		if err := c.why(ctx, p, suspects, w); err != nil {
			return err
		}
	}
	if p.Stopped && w.delay == never {
		c.plan.say("%s stopped before all its tests had run; running the others with -delay 0", p.Path)
		return c.relaxed(ctx, p)
	}
	return nil
}

// observe runs tests again, and enters what is found in them.
func (c *classifier) observe(ctx context.Context, a attempt) (*observation, error) {
	seen, err := c.tests.run(ctx, a)
	if seen != nil {
		c.book.take(c.plan, seen)
	}
	return seen, err
}

// why finds out why tests failed in which nothing was found, by running them
// again: plainly, without poison, and once more as they were. Without names it
// is the package as a whole.
func (c *classifier) why(ctx context.Context, p gotest.Package, names []string, w watch) error {
	c.plan.say("%s failed without a finding; running again without the sanitizer", some(names, p.Path))
	left, err := c.failing(ctx, p, names, nil, nil)
	if err != nil {
		return err
	}
	rest := c.settle(p.Path, names, left, Genuine)
	if rest.none {
		return nil
	}
	if w.poison {
		without := w
		without.poison = false
		fails, err := c.failing(ctx, p, rest.names, &without, nil)
		if err != nil {
			return err
		}
		// What fails without poison too wants its memory back.
		if rest = c.settle(p.Path, rest.names, fails, Reuse); rest.none {
			return nil
		}
	}
	words := said{}
	fails, err := c.failing(ctx, p, rest.names, &w, words)
	if err != nil {
		return err
	}
	class := Reuse
	if w.poison {
		class = Poisoned
		c.book.result.poisonIn(words)
	}
	if rest = c.settle(p.Path, rest.names, fails, class); !rest.none {
		c.settle(p.Path, rest.names, func(string) bool { return true }, Unsteady)
	}
	return nil
}

// some names tests, and counts those that are too many to name.
func some(names []string, pkg string) string {
	const most = 5
	switch n := len(names); {
	case n == 0:
		return pkg
	case n > most:
		return fmt.Sprintf("%s and %d more tests of %s", strings.Join(names[:most], ", "), n-most, pkg)
	}
	return strings.Join(names, ", ") + " of " + pkg
}

// undecided are tests whose failure has no class yet.
type undecided struct {
	names []string // none: the package as a whole
	none  bool     // nothing is left
}

// settle gives a class to the tests for which it holds, unless a finding came to
// light meanwhile, and returns the others.
func (c *classifier) settle(pkg string, names []string, holds func(string) bool, class Class) undecided {
	if len(names) == 0 {
		switch {
		case c.book.explains(pkg, ""):
		case holds(""):
			c.book.fail(c.plan, pkg, "", class)
		default:
			return undecided{}
		}
		return undecided{none: true}
	}
	var rest []string
	for _, name := range names {
		switch {
		case c.book.explains(pkg, name):
		case holds(name):
			c.book.fail(c.plan, pkg, name, class)
		default:
			rest = append(rest, name)
		}
	}
	return undecided{names: rest, none: len(rest) == 0}
}

// failing runs tests of a package again, watched or (w nil) plainly, and
// returns which of them fail again. It keeps what the tests print in words, if
// that is not nil.
func (c *classifier) failing(ctx context.Context, p gotest.Package, names []string, w *watch, words said) (func(name string) bool, error) {
	line := c.plan.plain
	if w != nil {
		line = c.plan.instrumented
	}
	a := attempt{line: only(line, p.Path, names), watch: w}
	if words != nil {
		a.line, a.stdout = a.line.With("json", "true"), words.listen()
	}
	out, err := c.observe(ctx, a)
	if err != nil {
		return nil, err
	}
	now := out.of(p.Path)
	if now.Path == "" {
		// The build fails that way, so no claim is proven.
		return func(string) bool { return true }, nil
	}
	return func(name string) bool {
		switch {
		case now.State == gotest.Passed || now.State == gotest.NoTests:
			return false
		case name == "" || len(now.Tests) == 0:
			return true
		}
		return slices.ContainsFunc(now.Tests, func(t string) bool {
			return t == name || strings.HasPrefix(t, name+"/") || withoutProcs(t) == withoutProcs(name)
		})
	}, nil
}

// relaxed runs a package again with objects that come back at once, and judges
// what that shows.
func (c *classifier) relaxed(ctx context.Context, p gotest.Package) error {
	w := watch{mode: c.plan.options.Mode, delay: 0}
	out, err := c.observe(ctx, attempt{line: only(c.plan.instrumented, p.Path, nil), watch: &w})
	if err != nil {
		return err
	}
	q := out.of(p.Path)
	switch {
	case q.Path == "":
		return nil
	case q.TimedOut:
	case q.Stopped:
		c.book.result.note("%s: %s, with -delay 0 either; skip that test with -skip", p.Path, whyRelaxed(p))
	default:
		c.book.result.note("%s ran again with -delay 0: %s", p.Path, whyRelaxed(p))
	}
	// Tests that failed before have their class.
	q.Tests = slices.DeleteFunc(q.Tests, func(t string) bool { return c.book.classified(p.Path, t) })
	if q.State != gotest.Failed || q.TimedOut || q.Killed || len(q.Tests) > 0 {
		if err := c.failed(ctx, q, w); err != nil {
			return err
		}
	}
	if q.Stopped {
		c.book.unwatched(c.plan, q.Path)
	}
	return nil
}

func whyRelaxed(p gotest.Package) string {
	if p.TimedOut {
		return "it did not end in time when no object was reused"
	}
	last := "a test"
	if n := len(p.Tests); n > 0 {
		last = p.Tests[n-1]
	}
	return last + " ended the process, and the tests after it did not run"
}

// buildFailed asks whether a package can be built plainly: then it is the hooks
// that do not fit.
func (c *classifier) buildFailed(ctx context.Context, p gotest.Package) error {
	line := only(c.plan.plain, p.Path, []string{""}).With("run", "^$").Without("vet").Like(c.plan.plain, "vet")
	out, err := c.tests.run(ctx, attempt{line: line})
	if err != nil {
		return err
	}
	if q := out.of(p.Path); q.Path != "" && !q.State.Unbuilt() {
		return fault.Errorf(fault.Defect, "%s builds with %s, but not with the hooks: what the compiler or the linker says is above", p.Path, c.plan.toolchain.Version)
	}
	c.book.fail(c.plan, p.Path, "", Build)
	return nil
}

// timedOut asks whether a package that does not end in time does so plainly.
func (c *classifier) timedOut(ctx context.Context, p gotest.Package) error {
	out, err := c.tests.run(ctx, attempt{line: only(c.plan.plain, p.Path, nil)})
	if err != nil {
		return err
	}
	class := TimedOut
	if out.of(p.Path).TimedOut {
		class = Genuine
	}
	c.book.fail(c.plan, p.Path, "", class)
	return nil
}

// killed asks whether the system kills a package plainly too.
func (c *classifier) killed(ctx context.Context, p gotest.Package) error {
	c.plan.say("%s was killed by the system; running again without the sanitizer", p.Path)
	fails, err := c.failing(ctx, p, nil, nil, nil)
	if err != nil {
		return err
	}
	class := Killed
	if fails("") {
		class = Genuine
	}
	c.book.fail(c.plan, p.Path, "", class)
	return nil
}
