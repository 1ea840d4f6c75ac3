package flow

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Key is a value by what it is computed from: two values with equal texts are
// equal as long as no variable in between is written.
type Key struct {
	Text   string
	Blocks []*ssa.BasicBlock // where the values in it are computed: a loop that comes back there computes others
	Places []Var             // what is loaded in it
}

// KeyOf returns the key of a value.
func (p *Program) KeyOf(v ssa.Value) Key {
	var k Key
	k.Text = p.key(v, &k, 0)
	return k
}

func (p *Program) key(v ssa.Value, k *Key, depth int) string {
	if depth < 6 {
		switch v := v.(type) {
		case *ssa.Const:
			if v.Value == nil {
				return "nil"
			}
			return v.Value.ExactString()
		case *ssa.UnOp:
			if isLoad(v) {
				if place, ok := p.Place(v.X); ok {
					k.Places = append(k.Places, place)
					k.note(place.Base)
					return p.PlaceText(place)
				}
			} else if v.Op != token.ARROW {
				return v.Op.String() + "(" + p.key(v.X, k, depth+1) + ")"
			}
		case *ssa.BinOp:
			return "(" + p.key(v.X, k, depth+1) + v.Op.String() + p.key(v.Y, k, depth+1) + ")"
		case *ssa.Convert:
			if _, basic := v.Type().Underlying().(*types.Basic); basic && !isString(v.Type()) {
				return p.key(v.X, k, depth+1)
			}
		case *ssa.ChangeType:
			return p.key(v.X, k, depth+1)
		case *ssa.ChangeInterface:
			return p.key(v.X, k, depth+1)
		case *ssa.MakeInterface:
			return p.key(v.X, k, depth+1)
		case *ssa.Call:
			if b, ok := v.Call.Value.(*ssa.Builtin); ok && (b.Name() == "len" || b.Name() == "cap") {
				return b.Name() + "(" + p.key(v.Call.Args[0], k, depth+1) + ")"
			}
			if text, ok := p.pureKey(v, k, depth); ok {
				return text
			}
		}
	}
	k.note(v)
	return fmt.Sprintf("v%d", p.Number(v))
}

// PlaceText returns a text for a place, as keys contain it.
func (p *Program) PlaceText(v Var) string { return fmt.Sprintf("[v%d%s]", p.Number(v.Base), v.Path) }

func (k *Key) note(v ssa.Value) {
	if instr, ok := v.(ssa.Instruction); ok && instr.Block() != nil && !slices.Contains(k.Blocks, instr.Block()) {
		k.Blocks = append(k.Blocks, instr.Block())
	}
}
