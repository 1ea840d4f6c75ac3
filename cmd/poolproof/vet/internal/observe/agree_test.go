package observe_test

import (
	"flag"
	"fmt"
	"go/token"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/poolproof/poolproof/cmd/poolproof/vet"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/sourcetest"
)

var programs = flag.Int("programs", 400, "how many programs are generated")

// agreement counts programs by what their executions show and what is reported.
type agreement struct {
	programs, partial                           int
	wrong, found, right, accused, lines, caught int // misuses, by programs; wrong lines of reports of the tier error have no execution
	losing, lossFound, keeping, lossAccused     int // losses, by programs
	unshown                                     []string
}

// What is reported as an error of a generated program must be shown by one of its executions.
// The table, with -v, says also how many of the wrong programs are found.
func TestReportsOfGeneratedProgramsAreShownByExecutions(t *testing.T) {
	var analyzers []*analysis.Analyzer
	for _, c := range vet.Checks() {
		switch c.Code {
		case "PV001", "PV002", "PV003", "PV004", "PV005", "PV006":
			analyzers = append(analyzers, c.Analyzer)
		}
	}
	const each = 50 // programs in one package
	var a agreement
	for seed := uint64(0); a.programs < *programs; seed++ {
		a.compare(t, rand.New(rand.NewPCG(seed, 0)), each, analyzers)
	}
	t.Logf("%d programs, of %d of which all executions were looked at", a.programs, a.programs-a.partial)
	t.Logf("misuses: %d programs have one, %d of them are reported; %d have none, %d of them are reported", a.wrong, a.found, a.right, a.accused)
	t.Logf("losses:  %d programs have one, %d of them are reported; %d have none, %d of them are reported", a.losing, a.lossFound, a.keeping, a.lossAccused)
	t.Logf("errors:  %d lines, %d of them shown by an execution", a.lines, a.caught)
	for _, s := range a.unshown {
		t.Error(s)
	}
}

// generated is one program in a file.
type generated struct {
	first, last int
	truth
}

// compare generates programs, and compares what is reported of them with what they do.
func (a *agreement) compare(t *testing.T, r *rand.Rand, n int, analyzers []*analysis.Analyzer) {
	t.Helper()
	s := &source{line: strings.Count(preamble, "\n")}
	s.WriteString(preamble)
	var list []generated
	for i := range n {
		program := generate(r, 3+r.IntN(12))
		g := generated{first: s.line + 1}
		gets := s.function(fmt.Sprintf("f%d", i), program)
		g.last, g.truth = s.line, execute(program, gets)
		list = append(list, g)
	}
	text := s.String()
	reported := make(map[int][]analysis.Diagnostic)
	var lineOf func(token.Pos) int
	for _, act := range sourcetest.Analyze(t, text, analyzers...).Roots {
		lineOf = func(pos token.Pos) int { return act.Package.Fset.Position(pos).Line }
		for _, d := range act.Diagnostics {
			reported[lineOf(d.Pos)] = append(reported[lineOf(d.Pos)], d)
		}
	}
	for _, g := range list {
		a.programs++
		if g.partial {
			a.partial++
			continue
		}
		misuse, loss := false, false
		for line := g.first; line <= g.last; line++ {
			for _, d := range reported[line] {
				code, tier, _ := strings.Cut(d.Category, "/")
				if code == "PV005" || code == "PV006" {
					loss = true
					continue
				}
				if !g.ran[line] || slices.ContainsFunc(d.Related, func(r analysis.RelatedInformation) bool { return !g.ran[lineOf(r.Pos)] }) {
					continue // no execution passes there
				}
				misuse = true
				if tier != "error" {
					continue
				}
				a.lines++
				if g.misused[line] {
					a.caught++
				} else {
					a.unshown = append(a.unshown, fmt.Sprintf("no execution shows line %d: %s\n%s", line-g.first+1, d.Message, g.text(text)))
				}
			}
		}
		count(&a.wrong, &a.found, &a.right, &a.accused, len(g.misused) > 0, misuse)
		count(&a.losing, &a.lossFound, &a.keeping, &a.lossAccused, len(g.lost) > 0, loss)
	}
}

// count adds a program to one column of the table.
func count(with, found, without, accused *int, has, reported bool) {
	if !has {
		with, found = without, accused
	}
	*with++
	if reported {
		*found++
	}
}

func (g *generated) text(source string) string {
	return strings.Join(strings.Split(source, "\n")[g.first-1:g.last], "\n")
}
