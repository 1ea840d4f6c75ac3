package corpus

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/suite"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize"
)

var table = flag.String("table", "", "write what each mode found into this file, in Markdown, plain and -race included (minutes)")

// TestMain is the launcher too, for the runs that tests start.
func TestMain(m *testing.M) {
	if sanitize.Launched(os.Args[1:]) {
		os.Exit(sanitize.Launch(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// run runs the corpus in a mode.
func run(t *testing.T, mode suite.Mode) *suite.Outcome {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("testdata", "module"))
	if err != nil {
		t.Fatal(err)
	}
	o, err := suite.Run{Dir: dir, Packages: []string{"./..."}, Timeout: 5 * time.Minute, Leaks: true}.In(t.Context(), mode)
	if err != nil {
		t.Fatal(err)
	}
	if broken := o.Broken(); broken != nil || o.Stopped {
		t.Fatalf("stopped: %v, not built: %q\n%s", o.Stopped, broken, o.Output)
	}
	return o
}

// The sanitizer says of each case what the index wants, and nothing else.
func TestTheSanitizerFindsWhatTheIndexWants(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library with instrumentation")
	}
	all := cases(t)
	for _, mode := range []suite.Mode{suite.Exact, suite.Fast} {
		t.Run(string(mode), func(t *testing.T) {
			o := run(t, mode)
			for _, c := range all {
				for _, wrong := range c.Judge(mode == suite.Exact, observe(c, o)) {
					t.Errorf("%s.%s: %s", c.Package, c.Test, wrong)
				}
			}
			for _, f := range o.Errors() {
				if !slices.ContainsFunc(all, func(c Case) bool { return belongs(c, f) }) {
					t.Errorf("%s of %s at %s, put at %s, in the tests %q, belongs to no case", f.Kind, f.Type, f.Access, f.Put, f.Tests)
				}
			}
			if t.Failed() {
				t.Log(o.Output)
			}
		})
	}
}

// belongs reports whether a finding is of a case: by its tests, or, where the
// case may show anywhere, by its functions.
func belongs(c Case, f suite.Finding) bool {
	if slices.ContainsFunc(f.Tests, func(name string) bool { return below(name, c.name()) }) {
		return true
	}
	if !slices.Contains(c.In, "*") {
		return false
	}
	return slices.ContainsFunc([]string{f.Access, f.Put}, func(at string) bool {
		rest, ok := strings.CutPrefix(at, c.name())
		return ok && (rest[0] == '.' || rest[0] == ':')
	})
}

// name is how a case's test is called in outcomes.
func (c Case) name() string { return c.Package + "." + c.Test }

// below reports whether a test is another, or a subtest of it.
func below(name, of string) bool { return name == of || strings.HasPrefix(name, of+"/") }

// observe takes from an outcome what is of a case.
func observe(c Case, o *suite.Outcome) (seen Observed) {
	for _, f := range o.Findings {
		switch {
		case !belongs(c, f):
		case f.Kind == "retained-memory":
			seen.Retained++
		case f.Severity != "error":
			seen.Workers++
		case !slices.Contains(seen.Kinds, f.Kind):
			seen.Kinds = append(seen.Kinds, f.Kind)
		}
	}
	for _, p := range o.Packages {
		for _, test := range p.Tests {
			if p.Path == c.Package && below(test, c.Test) {
				seen.Failed = append(seen.Failed, test)
			}
		}
	}
	seen.Poisoned = slices.ContainsFunc(o.Poisoned, func(name string) bool { return below(name, c.name()) })
	if c.Leak != nil {
		for _, p := range o.Pools {
			if p.Type[strings.LastIndexByte(p.Type, '.')+1:] != c.Leak.Type {
				continue
			}
			if seen.Leak == nil {
				seen.Leak = &Leak{Type: c.Leak.Type}
			}
			seen.Leak.Leaked += int(p.Leaked)
			seen.Leak.Got += int(p.Gets)
		}
	}
	return seen
}

// TestTable writes the table of the documentation.
func TestTable(t *testing.T) {
	if *table == "" {
		t.Skip("only with -table FILE")
	}
	outcomes := map[suite.Mode]*suite.Outcome{}
	for _, mode := range suite.Modes {
		outcomes[mode] = run(t, mode)
	}
	var out strings.Builder
	printTable(&out, cases(t), outcomes)
	if err := os.WriteFile(*table, []byte(out.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

func printTable(out *strings.Builder, all []Case, outcomes map[suite.Mode]*suite.Outcome) {
	header := func() {
		fmt.Fprintln(out, "| case | plain | race | fast | exact |\n|---|---|---|---|---|")
	}
	rows := func(wanted func(Case) bool) {
		noticed := map[suite.Mode]int{}
		n := 0
		for _, c := range all {
			if !wanted(c) {
				continue
			}
			n++
			fmt.Fprintf(out, "| %s/%s |", strings.TrimPrefix(c.Package, "corpus/"), c.Test)
			for _, mode := range suite.Modes {
				cell := c.cell(observe(c, outcomes[mode]))
				if cell != "–" {
					noticed[mode]++
				}
				fmt.Fprintf(out, " %s |", cell)
			}
			fmt.Fprintln(out)
		}
		fmt.Fprintf(out, "| **%d** |", n)
		for _, mode := range suite.Modes {
			fmt.Fprintf(out, " **%d** |", noticed[mode])
		}
		fmt.Fprintln(out)
	}
	fmt.Fprint(out, "### Misuses\n\n")
	header()
	rows(Case.Bug)
	fmt.Fprint(out, "\n### Legal uses\n\n")
	header()
	rows(func(c Case) bool { return !c.Bug() && c.Leak == nil })
	fmt.Fprint(out, "\n### Objects that were never put\n\n| case | in the code | exact | fast |\n|---|---|---|---|\n")
	for _, c := range all {
		if c.Leak == nil {
			continue
		}
		fmt.Fprintf(out, "| leaks/%s | %s |", c.Test, c.Leak)
		for _, mode := range []suite.Mode{suite.Exact, suite.Fast} {
			fmt.Fprintf(out, " %s |", observe(c, outcomes[mode]).Leak)
		}
		fmt.Fprintln(out)
	}
}

// String is how the table shows a leak.
func (l *Leak) String() string {
	switch {
	case l == nil:
		return "–"
	case l.Got < 0:
		return fmt.Sprint(l.Leaked)
	}
	return fmt.Sprintf("%d of %d", l.Leaked, l.Got)
}

// cell returns the table's text on a case in a mode.
func (c Case) cell(seen Observed) string {
	all := seen.all()
	switch {
	case len(all) > 0:
		return strings.Join(all, ", ")
	case len(seen.Failed) > 0:
		return "fails"
	}
	return "–"
}
