// Package nilassert is PV018: a Get that may return nil, asserted without a test.
package nilassert

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/pooldecl"
)

// Check is the check.
var Check = check.New(check.Check{
	Code: "PV018",
	Name: "nil-assert",
	Doc:  "Get may return nil, and is asserted without a test",
	Tier: check.Error,
	Else: check.Else{Tier: check.Warning, If: "the Get is in a test, which may have put an object just before"},
}, run)

func run(p *check.Pass) {
	decls := pooldecl.Of(p.Pass)
	for _, pool := range p.Events.Pools {
		d, ok := decls.Find(pool.Var)
		if !ok {
			continue
		}
		_, isPointer := types.Unalias(d.Var.Type()).(*types.Pointer)
		for _, get := range pool.Gets {
			if get.Asserted == nil || get.CommaOK || get.NilCheck {
				continue
			}
			inTest := p.Events.Test(get.Call.Pos())
			why, where := reason(p, d, inTest)
			if why == "" {
				continue
			}
			panics, remedy := ", so Get may return nil and this type assertion would panic", "use the comma-ok form, or give the pool a New"
			if isPointer && d.Unset() && !d.Made {
				why = fmt.Sprintf("nothing is ever assigned to the *sync.Pool %s", syntax.Name(d.Var))
				panics, remedy = ", so it is nil and this Get panics", "make a pool with a New"
			}
			r := check.Report{
				Pos: get.Call.Pos(), End: get.Call.End(),
				Message: why + panics, Remedy: remedy,
			}
			if where.IsValid() {
				r.Related = []analysis.RelatedInformation{{Pos: where, Message: "nil is returned here"}}
			}
			if inTest {
				r.Tier = check.Warning // a test may have put an object just before
			}
			p.Report(r)
		}
	}
}

// reason says why Get may return nil, and where that is to be seen; "" if it may not.
// Of code that is no test, it asks no New of a test.
func reason(p *check.Pass, d *pooldecl.Decl, inTest bool) (why string, where token.Pos) {
	if d.Unset() {
		return fmt.Sprintf("the pool %s has no New", syntax.Name(d.Var)), token.NoPos
	}
	for _, n := range d.News {
		for _, ret := range n.Returns {
			if ret.Nil && (inTest || !p.Events.Test(ret.Pos)) {
				return fmt.Sprintf("New of the pool %s may return nil", syntax.Name(d.Var)), ret.Pos
			}
		}
	}
	return "", token.NoPos
}
