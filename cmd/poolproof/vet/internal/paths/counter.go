package paths

import (
	"go/constant"
	"go/token"
	"strconv"

	"golang.org/x/tools/go/ssa"
)

// A loop over xs counts up from 0 while the counter is less than len(xs). So xs is not empty where the
// body runs, and it is empty where the first test of the counter fails.

// least returns the least value that a number has on this path: a constant, or what is counted
// up from one. It is exact in the first round.
func (s *State) least(v ssa.Value) (n int64, exact, ok bool) {
	switch v := s.Resolve(v).(type) {
	case *ssa.Const:
		if v.Value != nil && v.Value.Kind() == constant.Int {
			n, ok = constant.Int64Val(v.Value)
		}
		exact = ok
	case *ssa.BinOp:
		if from, by, adds := stepped(v); adds {
			n, exact, ok = s.least(from)
			n += by
		}
	case *ssa.Phi:
		counts := true
		for _, e := range v.Edges {
			if from, by, adds := stepped(e); adds && from == v && by >= 0 {
				continue
			}
			c, isConst := e.(*ssa.Const)
			counts = counts && isConst && !ok // it begins with one constant
			if isConst {
				n, _, ok = s.least(c)
			}
		}
		ok = ok && counts
	}
	return n, exact, ok
}

// stepped returns the value and the constant of a sum.
func stepped(v ssa.Value) (from ssa.Value, by int64, ok bool) {
	if add, is := v.(*ssa.BinOp); is && add.Op == token.ADD {
		if c, isConst := add.Y.(*ssa.Const); isConst && c.Value != nil && c.Value.Kind() == constant.Int {
			from = add.X
			by, ok = constant.Int64Val(c.Value)
		}
	}
	return from, by, ok
}

// less returns the key of x < y.
func (w *Walker) less(x, y ssa.Value, s *State) string {
	kx := w.Program.KeyOf(x).Text
	if n, exact, _ := s.least(x); exact {
		kx = strconv.FormatInt(n, 10)
	}
	return kx + "<" + w.Program.KeyOf(y).Text
}

// implied returns what else is known where x < y, or x == y, has a value.
func (w *Walker) implied(op token.Token, x, y ssa.Value, is bool, s *State) (facts []known) {
	n, exact, counted := s.least(x)
	some := func(v ssa.Value, is bool) {
		k := w.Program.KeyOf(v)
		facts = append(facts, known{text: "0<" + k.Text, value: is, blocks: k.Blocks, places: k.Places})
		if isLength(v) {
			facts = append(facts, known{text: k.Text, equals: "0", fixed: true, value: !is, blocks: k.Blocks, places: k.Places})
		}
	}
	switch {
	case op == token.EQL:
		if isLength(x) && w.Program.KeyOf(y).Text == "0" {
			some(x, !is)
		}
	case counted && n >= 0 && (is || exact && n == 0):
		some(y, is)
	}
	return facts
}

// isLength reports whether a value is a length or a capacity, which is 0 or more.
func isLength(v ssa.Value) (is bool) {
	if call, ok := v.(*ssa.Call); ok {
		b, ok := call.Call.Value.(*ssa.Builtin)
		is = ok && (b.Name() == "len" || b.Name() == "cap")
	}
	return is
}
