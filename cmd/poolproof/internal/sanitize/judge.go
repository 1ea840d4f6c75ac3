package sanitize

import (
	"context"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/finding"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/gotest"
)

// take adds what an instrumented run reported.
func (u *unit) take(out *outcome) {
	if out.log == nil {
		return
	}
	u.used(out.log)
	res, sites := u.all.result, u.all.result.Printer.Sites
	reports := finding.Collect(out.log, out.log.Dirs(), u.packages.tested, sites)
	finding.Apply(u.all.directives, reports)
	if u.all.baseline != nil {
		u.all.baseline.Apply(reports, sites)
	}
	u.all.reports = finding.Merge(u.all.reports, reports, sites)
	for _, p := range out.log.Processes {
		for _, n := range p.Notes {
			res.note("%s", n)
		}
	}
	if n := out.log.Damaged; n > 0 {
		res.note("%d lines of the records were damaged: a process was killed while it wrote, or the disk is full", n)
	}
}

// first adds what only the first run tells.
func (u *unit) first(out *outcome) {
	res := u.all.result
	res.Packages = append(res.Packages, out.packages...)
	if out.log != nil {
		res.Launched += out.log.Launches()
		registered(u, out)
		if u.options.Follow {
			u.follow(out)
		}
		if !u.options.watch().samples(u.options) {
			res.Pools = append(res.Pools, finding.Pools(out.log, res.Printer.Sites)...)
		}
	}
}

// judge looks at the first run: at what failed without a finding, and at what
// did not run to its end.
func (u *unit) judge(ctx context.Context, out *outcome) error {
	u.all.partly = u.all.partly || u.partial(out)
	if out.code != 0 && len(out.packages) == 0 && out.log.Launches() == 0 {
		// Not a test but the question was wrong; the go command has said how.
		return fault.Errorf(fault.Tools, "go test ran nothing (exit code %d)", out.code)
	}
	broken := func(p gotest.Package) bool { return p.State != gotest.Passed && p.State != gotest.NoTests }
	if out.code != 0 && !slices.ContainsFunc(out.packages, broken) {
		return fault.Errorf(fault.Tools, "go test failed (exit code %d), but no package failed; its output is above", out.code)
	}
	for _, p := range out.packages {
		if err := u.judgePackage(ctx, p, *u.options.watch()); err != nil {
			return err
		}
	}
	return nil
}

// partial reports whether a run cannot tell what is unused.
func (u *unit) partial(out *outcome) bool {
	for _, name := range []string{"run", "skip", "short", "list", "c", "n", "failfast", "fuzz"} {
		if u.asked.has(name) {
			return true
		}
	}
	return u.options.Mode != Exact || len(u.asked.line.Binary) > 0 ||
		slices.ContainsFunc(out.packages, func(p gotest.Package) bool {
			return p.Stopped || p.State == gotest.BuildFailed || p.State == gotest.SetupFailed
		})
}

// judgePackage looks at one package that failed under w.
func (u *unit) judgePackage(ctx context.Context, p gotest.Package, w watch) error {
	switch {
	case p.State == gotest.SetupFailed:
		u.fail(p.Path, "", Build)
		return nil
	case p.State == gotest.BuildFailed:
		return u.buildFailed(ctx, p)
	case p.State != gotest.Failed:
		return nil
	case p.TimedOut && w.delay == never:
		u.say("%s did not end in time; running again with -delay 0, in case it waits until an object is reused", p.Path)
		return u.relaxed(ctx, p)
	case p.TimedOut:
		return u.timedOut(ctx, p)
	}
	if p.Misused && !u.explains(p.Path, "") && !u.explains("", "") {
		return fault.Errorf(fault.Tools, "a test of %s misused a pool, and its records are missing: check that it can write to %s", p.Path, u.scratch)
	}
	if p.Killed && !u.explains(p.Path, "") {
		return u.killed(ctx, p)
	}
	suspects := u.suspects(p)
	if len(suspects) > 0 || len(p.Leaves()) == 0 && !u.explains(p.Path, "") {
		if err := u.why(ctx, p, suspects, w); err != nil {
			return err
		}
	}
	if p.Stopped && w.delay == never {
		u.say("%s stopped before all its tests had run; running the others with -delay 0", p.Path)
		return u.relaxed(ctx, p)
	}
	return nil
}

// suspects are the failed tests of a package that no finding explains.
func (u *unit) suspects(p gotest.Package) []string {
	var names []string
	for _, name := range p.Leaves() {
		if !u.explains(p.Path, name) {
			names = append(names, name)
		}
	}
	return names
}

// explains reports whether a finding that counts was seen in a test, in a
// subtest, or in what it is a subtest of; of the name "", anywhere in the package.
func (u *unit) explains(pkg, test string) bool {
	return slices.ContainsFunc(u.all.reports, func(r *finding.Report) bool {
		return r.Suppressed == nil && counts(r.Severity, u.options) && seenIn(r, pkg, test)
	})
}

func seenIn(r *finding.Report, pkg, test string) bool {
	if strings.HasPrefix(test, "Benchmark") && !slices.ContainsFunc(r.Tests, func(t finding.Test) bool { return t.Name == test }) {
		test = withoutProcs(test) // go test adds the number of processors
	}
	return slices.ContainsFunc(r.Tests, func(t finding.Test) bool {
		return t.Package == pkg && (test == "" || t.Name == test ||
			strings.HasPrefix(t.Name, test+"/") || t.Name != "" && strings.HasPrefix(test, t.Name+"/"))
	})
}

// excused reports whether a misuse was seen in a test that is ignored or known:
// what the test reads then is poison, as it is with a finding.
func (u *unit) excused(pkg, test string) bool {
	return slices.ContainsFunc(u.all.reports, func(r *finding.Report) bool { return r.Suppressed != nil && seenIn(r, pkg, test) })
}

func (u *unit) fail(pkg, test string, c Class) {
	if c == Poisoned && u.excused(pkg, test) {
		c = Excused
	}
	dir := ""
	for d, path := range u.packages.tested {
		if path == pkg {
			dir = d
		}
	}
	f := Failure{finding.Test{Package: pkg, Dir: dir, Name: test}, c}
	if !slices.Contains(u.all.result.Failures, f) {
		u.all.result.Failures = append(u.all.result.Failures, f)
	}
}
