package directive_test

import (
	"go/ast"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checks/directive"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checktest"
)

// finder reports, as one of the checks would, each variable that is called bad.
func finder(code, name string, tier check.Tier) check.Check {
	return check.New(check.Check{Code: code, Name: name, Doc: "a variable is bad", Tier: tier}, func(p *check.Pass) {
		for _, file := range p.Files {
			ast.Inspect(file, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && id.Name == "bad" {
					p.Report(check.Report{Pos: id.Pos(), Message: "it is bad", Remedy: "change it"})
				}
				return true
			})
		}
	})
}

func Test(t *testing.T) {
	c := directive.New([]check.Check{finder("PV001", "use-after-put", check.Error), finder("PV011", "no-reset", check.Audit)})
	checktest.Run(t, c, "a")
}

// An ignore is of use whether its finding would be shown or not.
func TestTheTierDoesNotMatter(t *testing.T) {
	c := directive.New([]check.Check{finder("PV011", "no-reset", check.Audit)})
	checktest.RunAt(t, check.Warning, c, "audit")
}

func TestIgnoredFindingsAreNotReported(t *testing.T) {
	checktest.Run(t, finder("PV001", "use-after-put", check.Error), "ignored")
}
