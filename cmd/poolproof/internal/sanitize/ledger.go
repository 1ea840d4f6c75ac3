package sanitize

import (
	"context"
	"maps"
	"slices"
	"strings"

	"al.essio.dev/pkg/shellescape"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/finding"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/gotest"
)

// ledger is where all parts enter what they have found.
type ledger struct {
	options  Options
	result   *Result
	baseline *finding.Baseline

	reports    []*finding.Report
	directives []*finding.Directive
	problems   []string
	lost       []string        // sentences on packages whose findings are not known
	tested     map[string]bool // import paths
	plans      []*plan
	partly     bool // not all tests of the packages ran to their end, with all that is watched
}

// add enters a plan; one that could not be made has no more than its notes.
func (l *ledger) add(p *plan) {
	for _, n := range p.notes {
		l.result.note("%s", n)
	}
	if p.packages == nil {
		return
	}
	l.result.JSON = p.asked.on("json")
	l.plans = append(l.plans, p)
	l.directives = append(l.directives, p.directives...)
	l.problems = append(l.problems, p.problems...)
	maps.Copy(l.tested, p.packages.paths)
	sites := l.result.Printer.Sites
	if sites.Std == nil {
		*sites = *p.packages.sites
	} else {
		maps.Copy(sites.Std, p.packages.sites.Std)
		maps.Copy(sites.Dirs, p.packages.sites.Dirs)
	}
}

// commands returns the command lines that show a finding again: the tests of the
// reports, run once more, and the packages of this folder, read by vet.
func (l *ledger) commands() (again map[finding.Test]string, vet map[string]string) {
	again, vet = map[finding.Test]string{}, map[string]string{}
	base := l.result.Printer.Base
	for _, p := range l.plans {
		for _, r := range l.reports {
			for _, t := range r.Tests {
				for _, t := range []finding.Test{t, {Package: t.Package, Dir: t.Dir}} {
					if p.packages.paths[t.Package] && again[t] == "" {
						again[t] = p.again(t, base)
					}
				}
			}
		}
		for path := range p.packages.paths {
			if p.dir == base && path != ofFiles {
				vet[path] = shellescape.QuoteCommand([]string{"poolproof", "vet", path})
			}
		}
	}
	return again, vet
}

// suppress marks the reports that are intended or known.
func (l *ledger) suppress(reports []*finding.Report) {
	finding.Apply(l.directives, reports)
	l.baseline.Apply(reports, l.result.Printer.Sites)
}

// take adds what an instrumented run reported.
func (l *ledger) take(p *plan, seen *observation) {
	if seen.log == nil {
		return
	}
	p.used(seen.log)
	res, sites := l.result, l.result.Printer.Sites
	reports := finding.Collect(seen.log, seen.log.Dirs(), p.packages.tested, sites)
	l.suppress(reports)
	l.reports = finding.Merge(l.reports, reports, sites)
	for _, process := range seen.log.Processes {
		for _, n := range process.Notes {
			res.note("%s", n)
		}
	}
	if n := seen.log.Damaged; n > 0 {
		res.note("%d lines of the records were damaged: a process was killed while it wrote, or the disk is full", n)
	}
}

// first adds what only the first run tells.
func (l *ledger) first(p *plan, seen *observation) {
	res := l.result
	res.Packages = append(res.Packages, seen.packages...)
	if seen.log != nil {
		res.Launched += seen.log.Launches()
		l.registered(p, seen)
		if l.options.Follow {
			l.follow(p, seen)
		}
		if l.options.watch().samples(l.options) != "on" {
			res.Pools = append(res.Pools, finding.Pools(seen.log, res.Printer.Sites)...)
		}
	}
}

// explains reports whether a finding that counts was seen in a test, in a
// subtest, or in what it is a subtest of; of the name "", anywhere in the package.
func (l *ledger) explains(pkg, test string) bool {
	return slices.ContainsFunc(l.reports, func(r *finding.Report) bool {
		return r.Suppressed == nil && counts(r.Severity, l.options) && seenIn(r, pkg, test)
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
func (l *ledger) excused(pkg, test string) bool {
	return slices.ContainsFunc(l.reports, func(r *finding.Report) bool { return r.Suppressed != nil && seenIn(r, pkg, test) })
}

// suspects are the failed tests of a package that no finding explains.
func (l *ledger) suspects(p gotest.Package) []string {
	return slices.DeleteFunc(p.Leaves(), func(name string) bool { return l.explains(p.Path, name) })
}

// fail notes a test in which nothing was found, with its class. A test of the name "" is
// the package as a whole.
func (l *ledger) fail(p *plan, pkg, test string, c Class) {
	if c == Poisoned && l.excused(pkg, test) {
		c = Excused
	}
	f := Failure{finding.Test{Package: pkg, Dir: p.packages.dir(pkg), Name: test}, c}
	if !slices.Contains(l.result.Failures, f) {
		l.result.Failures = append(l.result.Failures, f)
	}
}

// classified reports whether a test has its class already, or a subtest of it.
func (l *ledger) classified(pkg, test string) bool {
	return slices.ContainsFunc(l.result.Failures, func(f Failure) bool {
		return f.Test.Package == pkg && (f.Test.Name == test || strings.HasPrefix(f.Test.Name, test+"/"))
	})
}

// unwatched notes that not all tests of a package have run, unless the run fails
// because of that package anyway.
func (l *ledger) unwatched(p *plan, pkg string) {
	all := &l.result.Failures
	if l.explains(pkg, "") || slices.ContainsFunc(*all, func(f Failure) bool { return f.Test.Package == pkg && f.Fails() }) {
		return
	}
	// Nor does the package as a whole depend on reuse, if it ends early with it.
	*all = slices.DeleteFunc(*all, func(f Failure) bool { return f.Test.Package == pkg && f.Test.Name == "" })
	l.fail(p, pkg, "", Ended)
}

// finish makes the result of what was gathered.
func (l *ledger) finish(ctx context.Context) error {
	o, res := l.options, l.result
	res.Printer.Again, res.Printer.Vet = l.commands()
	res.Findings = finding.Group(l.reports, res.Printer.Sites)
	res.Suppressed = slices.DeleteFunc(slices.Clone(l.reports), func(r *finding.Report) bool { return r.Suppressed == nil })
	for _, p := range l.problems {
		res.note("%s", p)
	}
	var gone []*finding.Entry
	if !l.partly && !res.Interrupted {
		gone = l.unused(ctx)
	}
	if o.UpdateBaseline && !res.Interrupted {
		n, err := l.baseline.Update(l.reports, func(r *finding.Report) bool { return counts(r.Severity, o) }, gone, res.Printer.Sites)
		if err != nil {
			return fault.Option("update-baseline", "", "%w", err)
		}
		res.Baseline = n
	}
	return nil
}
