package vetrun_test

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/vetrun"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/vetunit"
	"github.com/poolproof/poolproof/cmd/poolproof/vet"
)

// TestMain makes the test binary the tool of go vet too, with an analysis that fails on
// packages of two names.
func TestMain(m *testing.M) {
	if !vetunit.Wanted(os.Args[1:]) {
		os.Exit(m.Run())
	}
	debug.SetMaxStack(1 << 20) // it overflows sooner
	run := vet.Facts.Run
	vet.Facts.Run = func(pass *analysis.Pass) (any, error) {
		if pass.Pkg.Name() == "overflows" && !strings.Contains(vet.Facts.Flags.Lookup(vetunit.Without).Value.String(), pass.Pkg.Path()) {
			overflow(true)
		}
		if pass.Pkg.Name() == "panics" {
			pass.TypesInfo = nil // which the analysis needs
			pass.ResultOf = nil
		}
		return run(pass)
	}
	vetunit.Main()
}

// depth is how deep overflow has come.
var depth int

// overflow calls itself until the stack ends.
func overflow(deeper bool) {
	depth++
	if deeper {
		overflow(deeper)
	}
}

// A dependency on which the analysis fails is named, and the packages that import it are
// analysed all the same.
func TestADependencyThatFailsDoesNotSilenceItsImporters(t *testing.T) {
	tool, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":                 "module example.com/app\n\ngo 1.25\n",
		"overflows/overflows.go": "package overflows\n\nfunc F() {}\n",
		"panics/panics.go":       "package panics\n\nfunc F() {}\n",
		// What it imports of the standard library would be analysed first.
		"app/app.go": `package app

import (
	"example.com/app/overflows"
	"example.com/app/panics"
)

type pool interface {
	Get() any
	Put(any)
}

type buf struct{ n int }

func Use(p pool) int {
	overflows.F()
	panics.F()
	b := p.Get().(*buf)
	p.Put(b)
	return b.n
}
`,
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "off")
	r, err := vetrun.Run(t.Context(), vetrun.Options{Tool: tool, Dir: dir, Packages: []string{"./app"}, Tier: vet.Warning, Tests: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) != 1 || r.Findings[0].Code != "PV001" {
		t.Errorf("findings %+v, want one PV001", r.Findings)
	}
	for _, path := range []string{"example.com/app/overflows ended: stack overflow", "example.com/app/panics: "} {
		if n := len(slices.DeleteFunc(slices.Clone(r.Failed), func(f string) bool { return !strings.HasPrefix(f, path) })); n != 1 {
			t.Errorf("%d failures begin with %q, want 1: %q", n, path, r.Failed)
		}
	}
	if len(r.Broken) > 0 {
		t.Errorf("broken %q: all packages compile", r.Broken)
	}
}
