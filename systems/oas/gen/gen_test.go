package gen_test

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/poolproof/poolproof/systems/oas"
	"github.com/poolproof/poolproof/systems/oas/gen"
)

// sound reports what is wrong with generated files: they are not as gofmt would
// write them, or the type checker refuses them.
func sound(files gen.Files) (wrong []string) {
	set := token.NewFileSet()
	var trees []*ast.File
	for name, source := range files {
		formatted, err := format.Source(source)
		if err != nil {
			wrong = append(wrong, name+": "+err.Error())
			continue
		}
		if !bytes.Equal(formatted, source) {
			wrong = append(wrong, name+" is not formatted: "+firstDifference(source, formatted))
		}
		tree, err := parser.ParseFile(set, name, source, parser.SkipObjectResolution)
		if err != nil {
			wrong = append(wrong, err.Error())
			continue
		}
		trees = append(trees, tree)
	}
	imports.Lock()
	defer imports.Unlock()
	config := types.Config{Importer: imports.importer, Error: func(err error) { wrong = append(wrong, err.Error()) }}
	config.Check("api", set, trees, nil)
	if len(wrong) > 5 {
		wrong = wrong[:5]
	}
	return wrong
}

var imports = struct {
	sync.Mutex
	importer types.Importer
}{importer: importer.ForCompiler(token.NewFileSet(), "source", nil)}

func firstDifference(got, want []byte) string {
	a, b := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return "\n" + strings.Join(a[max(0, i-2):min(len(a), i+3)], "\n") + "\nand gofmt writes\n" + strings.Join(b[max(0, i-2):min(len(b), i+3)], "\n")
		}
	}
	return "the length"
}

func parse(t testing.TB, source string) *oas.Doc {
	t.Helper()
	d, err := oas.Parse([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func pets(t testing.TB) *oas.Doc {
	t.Helper()
	source, err := os.ReadFile("../testdata/pets.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, string(source))
}

func TestTheExampleIsSound(t *testing.T) {
	files, err := gen.Generate(pets(t), gen.Options{Package: "pets"})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range sound(files) {
		t.Error(w)
	}
	if testing.Verbose() {
		for name, source := range files {
			t.Logf("%s\n%s", name, source)
		}
	}
}
