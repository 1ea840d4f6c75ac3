package variant

import (
	"os"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus"
)

func TestVariantsBuildAndEveryTransformationApplies(t *testing.T) {
	if testing.Short() {
		t.Skip("builds some hundred packages")
	}
	out := t.TempDir()
	v, err := Write(t.Context(), corpus.Folder(), out)
	if err != nil {
		t.Fatal(err)
	}
	for _, tr := range Transforms() {
		n := v.Changed[tr.Name]
		t.Logf("%-12s %3d functions: %s", tr.Name, n, tr.Doc)
		if n < 3 {
			t.Errorf("%s applies to %d functions of the corpus; a transformation that hardly applies proves nothing", tr.Name, n)
		}
	}
	wants, fines := v.Count(corpus.Want), v.Count(corpus.Fine)
	t.Logf("%d wants, %d places that must stay silent", wants, fines)
	if wants < 150 || fines < 150 {
		t.Errorf("%d wants and %d silent places; at least 150 of each are promised", wants, fines)
	}
	compiles(t, out)
}

// compiles expects that the compiler has nothing to say of a module: its types are
// checked, but no code is made, which nobody would run.
func compiles(t *testing.T, dir string) {
	t.Helper()
	conf := &packages.Config{Context: t.Context(), Mode: packages.LoadAllSyntax, Dir: dir, Env: append(os.Environ(), "GOWORK=off")}
	pkgs, err := packages.Load(conf, "./...")
	if err != nil {
		t.Fatal(err)
	}
	if len(pkgs) < 200 {
		t.Errorf("%d packages, and there are more than 300", len(pkgs))
	}
	packages.Visit(pkgs, nil, func(p *packages.Package) {
		for _, err := range p.Errors {
			t.Errorf("%s: %v", p.PkgPath, err)
		}
	})
}
