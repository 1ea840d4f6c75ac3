// Package nilassert is PV018: a Get that may return nil, asserted without a test.
package nilassert

import (
	"fmt"
	"go/token"

	"golang.org/x/tools/go/analysis"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/pooldecl"
)

// Check is the check.
var Check = check.New(check.Check{
	Code: "PV018",
	Name: "nil-assert",
	Doc:  "Get may return nil, and is asserted without a test",
	Tier: check.Error,
}, run)

func run(p *check.Pass) {
	decls := pooldecl.Of(p.Pass)
	for _, pool := range p.Events.Pools {
		d, ok := decls.Find(pool.Var)
		if !ok {
			continue
		}
		why, where := reason(d)
		if why == "" {
			continue
		}
		for _, get := range pool.Gets {
			if get.Asserted == nil || get.CommaOK || get.NilCheck {
				continue
			}
			r := check.Report{
				Pos: get.Call.Pos(), End: get.Call.End(),
				Message: fmt.Sprintf("%s, so Get may return nil, of which this assertion panics; use the comma-ok form, or give the pool a New that makes an object", why),
			}
			if where.IsValid() {
				r.Related = []analysis.RelatedInformation{{Pos: where, Message: "nil is returned here"}}
			}
			if p.Events.Test(get.Call.Pos()) {
				r.Tier = check.Warning // a test may have put an object just before
			}
			p.Report(r)
		}
	}
}

// reason says why Get may return nil, and where that is to be seen; "" if it may not.
func reason(d *pooldecl.Decl) (why string, where token.Pos) {
	if d.Unset() {
		return fmt.Sprintf("the pool %s has no New", d.Var.Name()), token.NoPos
	}
	for _, n := range d.News {
		for _, ret := range n.Returns {
			if ret.Nil {
				return fmt.Sprintf("New of the pool %s may return nil", d.Var.Name()), ret.Pos
			}
		}
	}
	return "", token.NoPos
}
