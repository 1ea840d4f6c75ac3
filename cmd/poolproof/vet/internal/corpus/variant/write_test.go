package variant

import (
	"os/exec"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/corpus"
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
	cmd := exec.CommandContext(t.Context(), "go", "build", "./...")
	cmd.Dir = out
	cmd.Env = append(cmd.Environ(), "GOWORK=off")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("go build of the variants: %v\n%s", err, text)
	}
}
