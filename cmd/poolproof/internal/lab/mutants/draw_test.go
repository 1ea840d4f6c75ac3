package mutants

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/internal/mutate"
)

// The draw of mutants of vet: so many, of these operators, from this seed. Another text of
// the engine gives others.
const (
	drawSize = 100
	drawSeed = 1
)

var drawOperators = []string{"negate", "other", "drop", "keep", "zero", "truth", "edge", "more"}

// engine is the folder of vet's engine, as seen from the folder vet.
const engine = "internal"

// draw returns mutants of the engine that compile.
func draw(t *testing.T) (drawn []mutate.Mutant) {
	var all []mutate.Mutant
	for _, folder := range folders(t) {
		edits, err := mutate.Places(vet, folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range edits {
			if operator, _, _ := strings.Cut(e.Operator, " "); slices.Contains(drawOperators, operator) {
				all = append(all, mutate.Mutant{Name: e.File + " " + e.Func + ": " + e.Operator, Edits: []mutate.Edit{e}})
			}
		}
	}
	r := rand.New(rand.NewPCG(drawSeed, 0))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	t.Logf("%d places", len(all))
	for len(drawn) < drawSize {
		missing := drawSize - len(drawn)
		compiling, err := mutate.Compiling(t.Context(), vet, "./...", all[:missing])
		if err != nil {
			t.Fatal(err)
		}
		drawn, all = append(drawn, compiling...), all[missing:]
	}
	return drawn
}

// folders returns the folders of the engine's packages, but for those that only tests import.
func folders(t *testing.T) (all []string) {
	err := fs.WalkDir(os.DirFS(vet), engine, func(folder string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if slices.Contains([]string{"testdata", "checktest", "sourcetest"}, d.Name()) {
			return fs.SkipDir
		}
		all = append(all, folder)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// own returns the package whose tests are those of a folder: its own, or that of the folder around
// it. It is "" if there is none.
func own(folder string) string {
	for ; folder != engine; folder = path.Dir(folder) {
		if tests, _ := filepath.Glob(filepath.Join(vet, folder, "*_test.go")); len(tests) > 0 {
			return "./" + folder
		}
	}
	return ""
}
