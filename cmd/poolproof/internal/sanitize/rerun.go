package sanitize

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/finding"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/gotest"
)

// why finds out why tests failed in which nothing was found, by running them
// again: plainly, without poison, and once more as they were. Without names it
// is the package as a whole.
func (u *unit) why(ctx context.Context, p gotest.Package, names []string, w watch) error {
	u.say("%s failed without a finding; running again without the sanitizer", some(names, p.Path))
	left, err := u.failing(ctx, p, names, nil, nil)
	if err != nil {
		return err
	}
	rest := u.settle(p.Path, names, left, Genuine)
	if rest.none {
		return nil
	}
	if w.poison {
		without := w
		without.poison = false
		fails, err := u.failing(ctx, p, rest.names, &without, nil)
		if err != nil {
			return err
		}
		// What fails without poison too wants its memory back.
		if rest = u.settle(p.Path, rest.names, fails, Reuse); rest.none {
			return nil
		}
	}
	words := &eventReader{said: said{}}
	fails, err := u.failing(ctx, p, rest.names, &w, words)
	if err != nil {
		return err
	}
	class := Reuse
	if w.poison {
		class = Poisoned
		u.all.result.poisonIn(words.said)
	}
	if rest = u.settle(p.Path, rest.names, fails, class); !rest.none {
		u.settle(p.Path, rest.names, func(string) bool { return true }, Unsteady)
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
		return sprintf("%s and %d more tests of %s", strings.Join(names[:most], ", "), n-most, pkg)
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
func (u *unit) settle(pkg string, names []string, holds func(string) bool, c Class) undecided {
	if len(names) == 0 {
		switch {
		case u.explains(pkg, ""):
		case holds(""):
			u.fail(pkg, "", c)
		default:
			return undecided{}
		}
		return undecided{none: true}
	}
	var rest []string
	for _, name := range names {
		switch {
		case u.explains(pkg, name):
		case holds(name):
			u.fail(pkg, name, c)
		default:
			rest = append(rest, name)
		}
	}
	return undecided{names: rest, none: len(rest) == 0}
}

// failing runs tests of a package again, watched or (w nil) plainly, and
// returns which of them fail again. It keeps what the tests print in words, if
// that is not nil.
func (u *unit) failing(ctx context.Context, p gotest.Package, names []string, w *watch, words *eventReader) (func(name string) bool, error) {
	line := u.plain
	if w != nil {
		line = u.instrumented
	}
	a := attempt{line: only(line, p.Path, names), watch: w}
	if words != nil {
		a.line, a.stdout = a.line.With("json", "true"), words
	}
	out, err := u.run(ctx, a)
	if out != nil {
		u.take(out)
	}
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(out.packages, func(q gotest.Package) bool { return q.Path == p.Path })
	if i < 0 {
		// It cannot even be built that way: nobody's claim is proven.
		return func(string) bool { return true }, nil
	}
	now := out.packages[i]
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
func (u *unit) relaxed(ctx context.Context, p gotest.Package) error {
	w := watch{mode: u.options.Mode, delay: 0}
	out, err := u.run(ctx, attempt{line: only(u.instrumented, p.Path, nil), watch: &w})
	if out != nil {
		u.take(out)
	}
	if err != nil {
		return err
	}
	for _, q := range out.packages {
		if q.Path != p.Path {
			continue
		}
		switch {
		case q.TimedOut:
		case q.Stopped:
			u.all.result.note("%s: %s, with -delay 0 either; skip that test with -skip", p.Path, whyRelaxed(p))
		default:
			u.all.result.note("%s ran again with -delay 0: %s", p.Path, whyRelaxed(p))
		}
		// Tests that failed before have their class.
		q.Tests = slices.DeleteFunc(q.Tests, func(t string) bool { return u.classified(p.Path, t) })
		if q.State != gotest.Failed || q.TimedOut || q.Killed || len(q.Tests) > 0 {
			if err := u.judgePackage(ctx, q, w); err != nil {
				return err
			}
		}
		if q.Stopped {
			u.unwatched(q.Path)
		}
	}
	return nil
}

// unwatched notes that not all tests of a package have run, unless the run fails
// because of that package anyway.
func (u *unit) unwatched(pkg string) {
	all := &u.all.result.Failures
	if u.explains(pkg, "") || slices.ContainsFunc(*all, func(f Failure) bool { return f.Test.Package == pkg && f.Fails() }) {
		return
	}
	// Nor does the package as a whole depend on reuse, if it ends early with it.
	*all = slices.DeleteFunc(*all, func(f Failure) bool { return f.Test.Package == pkg && f.Test.Name == "" })
	u.fail(pkg, "", Ended)
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

// classified reports whether a test has its class already, or a subtest of it.
func (u *unit) classified(pkg, test string) bool {
	return slices.ContainsFunc(u.all.result.Failures, func(f Failure) bool {
		return f.Test.Package == pkg && (f.Test.Name == test || strings.HasPrefix(f.Test.Name, test+"/"))
	})
}

// buildFailed asks whether a package can be built plainly: then it is the hooks
// that do not fit.
func (u *unit) buildFailed(ctx context.Context, p gotest.Package) error {
	line := only(u.plain, p.Path, []string{""}).With("run", "^$")
	if vet, ok := u.plain.Get("vet"); ok {
		line = line.With("vet", vet)
	} else {
		line = line.Without("vet")
	}
	out, err := u.run(ctx, attempt{line: line})
	if err != nil {
		return err
	}
	for _, q := range out.packages {
		if q.Path == p.Path && q.State != gotest.BuildFailed && q.State != gotest.SetupFailed {
			return fault.Errorf(fault.Defect, "%s builds with %s, but not with the hooks: what the compiler or the linker says is above", p.Path, u.toolchain.Version)
		}
	}
	u.fail(p.Path, "", Build)
	return nil
}

// timedOut asks whether a package that does not end in time does so plainly.
func (u *unit) timedOut(ctx context.Context, p gotest.Package) error {
	out, err := u.run(ctx, attempt{line: only(u.plain, p.Path, nil)})
	if err != nil {
		return err
	}
	class := TimedOut
	for _, q := range out.packages {
		if q.Path == p.Path && q.TimedOut {
			class = Genuine
		}
	}
	u.fail(p.Path, "", class)
	return nil
}

// killed asks whether the system kills a package plainly too.
func (u *unit) killed(ctx context.Context, p gotest.Package) error {
	u.say("%s was killed by the system; running again without the sanitizer", p.Path)
	fails, err := u.failing(ctx, p, nil, nil, nil)
	if err != nil {
		return err
	}
	class := Killed
	if fails("") {
		class = Genuine
	}
	u.fail(p.Path, "", class)
	return nil
}

// ofFiles is the import path that the go command gives to a package whose files
// it was asked for, and that it does not take itself.
const ofFiles = "command-line-arguments"

// again is the command that runs a test again.
func (u *unit) again(t finding.Test) string {
	if t.Package == "" {
		return ""
	}
	args := []string{"poolproof", "test"}
	o := u.options
	if u.dir != u.all.result.Printer.Base {
		args = append(args, "-C="+u.dir)
	}
	if o.Mode != Exact {
		args = append(args, "-mode="+string(o.Mode))
	}
	if o.Reuse == "off" {
		args = append(args, "-reuse=off")
	}
	if o.Delay != nil {
		args = append(args, sprintf("-delay=%d", *o.Delay))
	}
	if o.Poison != "auto" {
		args = append(args, "-poison="+o.Poison)
	}
	line := u.asked.line.Without(outputs...).Without("fuzz", "fuzztime", "fuzzminimizetime", "count", "cover", "covermode", "coverpkg", "timeout", "p", "parallel")
	line.Packages = []string{t.Package}
	if t.Package == ofFiles {
		line.Packages = u.asked.line.Packages
	}
	if len(o.Tags) > 0 {
		line = line.With("tags", u.asked.tags(o.Tags))
	}
	switch {
	case t.Name == "":
		for _, name := range []string{"run", "skip", "bench"} {
			if v, ok := u.asked.line.Get(name); ok {
				line = line.With(name, v)
			}
		}
	case strings.HasPrefix(t.Name, "Benchmark"):
		line = line.With("run", "^$").With("bench", exactly(t.Name))
	default:
		line = line.Without("benchmem", "benchtime").With("run", exactly(t.Name))
	}
	return gotest.Quote(append(args, line.Args()...))
}

// exactly is the pattern of go test -run that matches one test.
func exactly(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}
