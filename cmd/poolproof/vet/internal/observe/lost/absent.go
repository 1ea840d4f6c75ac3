package lost

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// absent reports whether there is no object where a condition has a value: it is
// nil, the assertion of its type failed, or the getter said that it failed.
func (w *fate) absent(cond ssa.Value, value bool) bool {
	switch c := cond.(type) {
	case *ssa.UnOp:
		return c.Op == token.NOT && w.absent(c.X, !value)
	case *ssa.Extract:
		if c.Tuple == w.g.Tuple() {
			if at, ok := w.status(c); ok {
				return value != (at == 1)
			}
		}
		if value {
			return false
		}
		if a, ok := c.Tuple.(*ssa.TypeAssert); ok && c.Index == 1 {
			return w.al.Of(a.X) != nil
		}
		return c.Tuple == w.g.Tuple()
	case *ssa.Call:
		return !value && asked(w, c)
	case *ssa.BinOp:
		if c.Op != token.EQL && c.Op != token.NEQ {
			return false
		}
		if w.statusDenies(c, (c.Op == token.EQL) == value) {
			return true
		}
		x, isNil := ssax.NilTest(c, value)
		if x == nil {
			return false
		}
		if e, ok := w.code.Program.Stored(x).(*ssa.Extract); ok && e.Tuple == w.g.Tuple() && ssax.IsError(e.Type()) {
			return !isNil && !w.g.Call.Summary.GotFailing.Has(track.ResultIndex(w.g.Value))
		}
		return isNil && (w.al.Of(x) != nil || asked(w, x))
	}
	return false
}

// asked reports whether a value is what a method without parameters says of a struct that holds the
// object, and that may be empty because it is no pointer: false or nil says that it is.
func asked(w *fate, v ssa.Value) bool {
	call, ok := w.code.Program.Stored(v).(*ssa.Call)
	if !ok || !guard(w) {
		return false
	}
	c := w.code.Program.Resolve(call)
	return flow.IsMethod(&c) && len(c.Args) == 1 && inHolder(w, memory.Var{Base: c.Args[0]})
}

// statusDenies reports whether the getter returned no object if the status that it returned beside
// it equals a constant, or does not.
func (w *fate) statusDenies(c *ssa.BinOp, equal bool) bool {
	x, y := c.X, c.Y
	if _, ok := x.(*ssa.Const); ok {
		x, y = y, x
	}
	status, ok := w.code.Program.Stored(x).(*ssa.Extract)
	with, isConst := ssax.Number(y)
	if !ok || !isConst || status.Tuple != w.g.Tuple() {
		return false
	}
	at, ok := w.status(status)
	return ok && equal != (with == at)
}

// status returns the constant that another result of the getter is wherever it returned an object
// of the pool, if there is one.
func (w *fate) status(result *ssa.Extract) (at int64, ok bool) {
	for _, s := range w.g.Call.Summary.GotAt {
		if s.Got == track.ResultIndex(w.g.Value) && s.Result == result.Index {
			return s.Value, true
		}
	}
	return 0, false
}
