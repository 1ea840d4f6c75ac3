package sourcetest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/facts"
)

// Histories returns what the questions found in the last package of a source, a line for each
// history: the function, the object, then each event with its line, such as
// "F b: get 5, put 6, use Read 7". How an event happens is left out where it is Plain, and how
// it reaches the object where it is the object itself.
func Histories(t *testing.T, source string) []string {
	t.Helper()
	graph := Analyze(t, source, facts.Analyzer)
	last := graph.Roots[len(graph.Roots)-1]
	names := constants(t)
	line := func(pos token.Pos) int { return last.Package.Fset.Position(pos).Line }
	var all []string
	for _, f := range last.Result.(*events.Events).Funcs {
		for _, obj := range f.Objects {
			for _, h := range obj.Histories {
				var said []string
				for _, e := range h.Events {
					how := ""
					if e.How != events.Plain {
						how = names["How"][e.How] + " "
					}
					said = append(said, fmt.Sprintf("%s %s%d", strings.ToLower(names["Kind"][e.Kind-1]), how, line(e.Pos)))
				}
				reach := ""
				if h.Reach != events.Whole {
					reach = " of " + names["Reach"][h.Reach]
				}
				all = append(all, fmt.Sprintf("%s %s: %s%s", f.Name, obj.Name, strings.Join(said, ", "), reach))
			}
		}
	}
	return all
}

// constants returns the names of the constants of package events, by their type, in their order.
func constants(t *testing.T) map[string][]string {
	t.Helper()
	_, here, _, _ := runtime.Caller(0)
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(filepath.Dir(here), "..", "events", "events.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	names := make(map[string][]string)
	for _, decl := range file.Decls {
		group, ok := decl.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST {
			continue
		}
		of := ""
		for _, spec := range group.Specs {
			spec := spec.(*ast.ValueSpec)
			if id, ok := spec.Type.(*ast.Ident); ok {
				of = id.Name
			}
			names[of] = append(names[of], spec.Names[0].Name)
		}
	}
	return names
}

// Common is the first line of each story: a pooled struct T, and what gets and puts one.
const Common = `package p; import ("bytes"; "encoding/json"; "sync"); type T struct { b []byte; ref *int; n int; done bool }; var pool = sync.Pool{New: func() any { return new(T) }}; func get() *T { return pool.Get().(*T) }; func put(t *T) { pool.Put(t) }; func use(t *T) { t.n++ }; func cond() bool { return len(pools) > 0 }; var pools []*sync.Pool; var _ bytes.Buffer; var _ = json.Unmarshal
`

// Stories compares what questions find with what is expected: each test has a name, the source after
// [Common], which begins in line 2, and then its histories, as [Histories] writes them.
func Stories(t *testing.T, stories map[string][]string) {
	t.Helper()
	for name, story := range stories {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(story[1:], Histories(t, Common+story[0]), cmpopts.EquateEmpty()); d != "" {
				t.Error(d)
			}
		})
	}
}
