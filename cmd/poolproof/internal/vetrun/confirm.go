package vetrun

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/vet"
)

// seenRunning are the checks whose defects "poolproof test" sees when a test reaches the
// line: an access or a put after the put, and an object that is lost.
var seenRunning = []string{"PV001", "PV002", "PV003", "PV004", "PV014", "PV017"}

// Confirm returns the command that shows a finding while tests run, "" if the sanitizer
// does not look for such a defect. In a test the command names the test.
func Confirm(f vet.Finding) string {
	if !slices.Contains(seenRunning, f.Code) {
		return ""
	}
	command := "poolproof test "
	if name := testAround(f); name != "" {
		command += "-run '^" + name + "$' "
	}
	return command + strings.TrimSuffix(f.Package, "_test")
}

// testAround returns the test, fuzz test or example in which a finding is, "" if it is
// in none.
func testAround(f vet.Finding) string {
	if !isTest(f.File) {
		return ""
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, f.File, nil, parser.SkipObjectResolution)
	if file == nil || err != nil {
		return ""
	}
	for _, d := range file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || fset.Position(fn.Pos()).Line > f.Line || fset.Position(fn.End()).Line < f.Line {
			continue
		}
		for _, prefix := range []string{"Test", "Fuzz", "Example"} {
			if strings.HasPrefix(fn.Name.Name, prefix) {
				return fn.Name.Name
			}
		}
	}
	return ""
}
