package facts

import (
	"fmt"
	"go/types"
	"runtime/debug"

	"golang.org/x/tools/go/analysis"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
)

// Failed is the fact that the analysis of a package failed: what its functions do is not
// known. Packages that import it are analysed all the same, and say so.
type Failed struct {
	Reason string
}

var _ analysis.Fact = (*Failed)(nil)

// AFact marks a fact.
func (*Failed) AFact() {}

// String returns the fact as tests of facts show it.
func (f *Failed) String() string { return "failed: " + f.Reason }

// guarded turns a panic into an error, which is about this package alone, and a fact for
// those that import it.
func guarded(pass *analysis.Pass, o events.Options) (ev *events.Events, err error) {
	defer func() {
		if p := recover(); p != nil {
			pass.ExportPackageFact(&Failed{fmt.Sprint(p)})
			err = fmt.Errorf("%s panicked on %s: %v\n%s", pass.Analyzer.Name, pass.Pkg.Path(), p, debug.Stack())
		}
	}()
	if ev, err = run(pass, o); err == nil && o.Explained {
		tell(pass, ev)
	}
	return ev, err
}

// tell reports what the analysis has left out, for drivers that ask for all there is to
// know: imported packages on which it failed, and functions that are too large. The
// categories of these diagnostics are "failed" and "gave-up"; they are about the analysis,
// not about the code.
func tell(pass *analysis.Pass, ev *events.Events) {
	for _, f := range ev.Failures {
		pass.Report(analysis.Diagnostic{Pos: pass.Files[0].Name.Pos(), Category: "failed", Message: f.Package + ": " + f.Reason})
	}
	for _, g := range ev.GaveUp {
		pass.Report(analysis.Diagnostic{Pos: g.Pos, Category: "gave-up", Message: g.Func + " is too large: a part of it was not analysed"})
	}
}

// failures returns what is known of imported packages whose analysis failed.
func failures(pass *analysis.Pass) (all []events.Failure) {
	seen := map[*types.Package]bool{pass.Pkg: true}
	for _, f := range pass.AllPackageFacts() {
		if failed, ok := f.Fact.(*Failed); ok && !seen[f.Package] {
			seen[f.Package] = true
			all = append(all, events.Failure{Package: f.Package.Path(), Reason: failed.Reason})
		}
	}
	return all
}
