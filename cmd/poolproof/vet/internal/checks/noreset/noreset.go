// Package noreset is PV011: objects with state that is not reset between two
// users.
package noreset

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
)

// Check is the check.
var Check = check.New(check.Check{
	Code: "PV011",
	Name: "no-reset",
	Doc:  "an object with state is reset neither before Put nor after Get",
	Tier: check.Audit,
}, run)

func run(p *check.Pass) {
	p.Histories(func(obj *events.Object, h *events.History) {
		read := h.Last()
		if read.Kind != events.Exit || read.How != events.Stale {
			return
		}
		p.Report(check.Report{
			Pos: read.Pos, End: read.End, Tier: check.Warning,
			Message: "the field " + read.What + " is read as the last user of " + check.Name(obj) + " left it: " + p.Line(h.Events[0]) + " took it from a pool, and no code clears the field",
			Related: check.Related(h.Events[0]),
		})
	})
	c := &code{p}
	for _, pool := range p.Events.Pools {
		if len(pool.Puts) == 0 {
			continue // nothing comes back
		}
		for _, get := range pool.Gets {
			t := get.Asserted
			if t == nil || p.Events.Test(get.Call.Pos()) || !hasState(t) {
				continue
			}
			fn := c.pass.Around(get.Call)
			if fn == nil {
				continue
			}
			put := pool.Puts[0].Call
			r := check.Report{
				Pos: get.Call.Pos(), End: get.Call.End(),
				Message: fmt.Sprintf("this %s still holds the data of its last user: nothing resets it before Put or after Get", types.TypeString(t, types.RelativeTo(p.Pkg))),
				Related: []analysis.RelatedInformation{{Pos: put.Pos(), End: put.End(), Message: "put as it is"}},
			}
			switch left := c.leftBy(pool, get, fn); {
			case left != "":
				r.Tier, r.Message = check.Warning, left+": reset it after Get or before Put"
			case c.cleansAround(pool, fn, t):
				continue
			case c.decodes(fn, t) && !c.cleans(fn, t, 1):
				r.Tier, r.Message = check.Warning, "this "+types.TypeString(t, types.RelativeTo(p.Pkg))+" keeps what its last user decoded: a decoder sets only the fields that it finds, and nothing resets the others"
			}
			p.Report(r)
		}
	}
	c.wrapped()
	c.forgets()
}

// hasState reports whether values of t begin again by a method, or
// are structs, slices and maps, of which we see it.
func hasState(t types.Type) bool {
	switch syntax.Pointed(t).Underlying().(type) {
	case *types.Slice, *types.Map, *types.Struct:
		return true
	}
	return hasReset(t)
}
