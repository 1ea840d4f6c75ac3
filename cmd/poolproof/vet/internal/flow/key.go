package flow

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// Key is a value by what it is computed from: two values with equal texts are
// equal as long as no variable in between is written.
type Key struct {
	Text   string
	Blocks []*ssa.BasicBlock // where the values in it are computed: a loop that comes back there computes others
	Places []memory.Var      // what is loaded in it: a store there makes another value of it
	Asked  []memory.Var      // these, and what was loaded before it was written again
}

// KeyOf returns the key of a value.
func (p *Program) KeyOf(v ssa.Value) Key {
	k := keyed{p: p}
	k.Text = k.of(v, 0)
	return k.Key
}

// keyed is a key that is being made.
type keyed struct {
	Key
	p *Program
}

func (k *keyed) of(v ssa.Value, depth int) string {
	if depth < 6 {
		switch v := v.(type) {
		case *ssa.Const:
			if v.Value == nil {
				return "nil"
			}
			return v.Value.ExactString()
		case *ssa.UnOp:
			if ssax.IsLoad(v) {
				place, ok := k.p.Place(v.X)
				if ok {
					k.Asked = append(k.Asked, place)
				}
				if ok && !memory.Outlived(k.p.Places, v, place) {
					k.Places = append(k.Places, place)
					k.note(place.Base)
					return k.p.PlaceText(place)
				}
			} else if v.Op != token.ARROW {
				return v.Op.String() + "(" + k.of(v.X, depth+1) + ")"
			}
		case *ssa.BinOp:
			return "(" + k.of(v.X, depth+1) + v.Op.String() + k.of(v.Y, depth+1) + ")"
		case *ssa.Convert:
			if _, basic := v.Type().Underlying().(*types.Basic); basic && !ssax.IsString(v.Type()) {
				return k.of(v.X, depth+1)
			}
		case *ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface:
			return k.of(ssax.Strip(v), depth+1)
		case *ssa.Call:
			if b, ok := v.Call.Value.(*ssa.Builtin); ok && (b.Name() == "len" || b.Name() == "cap") {
				return b.Name() + "(" + k.of(v.Call.Args[0], depth+1) + ")"
			}
			if text, ok := k.pure(v, depth); ok {
				return text
			}
		}
	}
	k.note(v)
	return fmt.Sprintf("v%d", k.p.Number(v))
}

// PlaceText returns a text for a place, as keys contain it.
func (p *Program) PlaceText(v memory.Var) string {
	return fmt.Sprintf("[v%d%s]", p.Number(v.Base), v.Path)
}

func (k *keyed) note(v ssa.Value) {
	if instr, ok := v.(ssa.Instruction); ok && instr.Block() != nil && !slices.Contains(k.Blocks, instr.Block()) {
		k.Blocks = append(k.Blocks, instr.Block())
	}
}

// A condition is often a small method: if w.isNotConcurrent() { ... }. Called twice it
// says the same twice, unless what it reads was written in between. That is so of a
// function that only reads.

// pure returns the key of a call of a function of the package that only reads.
func (k *keyed) pure(call *ssa.Call, depth int) (string, bool) {
	p, fn := k.p, call.Call.StaticCallee()
	if fn == nil || p.own[fn] == nil || len(call.Call.Args) != len(fn.Params) || len(fn.FreeVars) > 0 {
		return "", false
	}
	if _, basic := call.Type().Underlying().(*types.Basic); !basic {
		return "", false
	}
	loads, pure := reads(p.Places, fn)
	if !pure || len(loads)+len(call.Call.Args) == 0 {
		return "", false // a constant may be the stub of another build
	}
	var read []memory.Var
	for _, place := range loads {
		if _, global := place.Base.(*ssa.Global); global {
			read = append(read, place)
			continue
		}
		i, path, ok := p.Given(fn, place)
		if !ok || i >= len(call.Call.Args) {
			return "", false
		}
		at, ok := p.Inside(call.Call.Args[i], path)
		if !ok {
			return "", false
		}
		read = append(read, at)
	}
	k.Places, k.Asked = append(k.Places, read...), append(k.Asked, read...)
	var args []string
	for _, arg := range call.Call.Args {
		args = append(args, k.of(arg, depth+1))
	}
	return fmt.Sprintf("v%d(%s)", p.Number(fn), strings.Join(args, ",")), true
}

// maxPure bounds how many blocks a function has that is looked at.
const maxPure = 12

// reads returns the places that a function reads, if it does nothing else.
func reads(p *memory.Places, fn *ssa.Function) (places []memory.Var, pure bool) {
	if len(fn.Blocks) == 0 || len(fn.Blocks) > maxPure || fn.Recover != nil {
		return nil, false
	}
	for instr := range ssax.Instrs(fn) {
		switch instr := instr.(type) {
		case *ssa.UnOp:
			if instr.Op == token.ARROW {
				return nil, false
			}
			if ssax.IsLoad(instr) {
				place, ok := p.Place(instr.X)
				if !ok {
					return nil, false
				}
				places = append(places, place)
			}
		case *ssa.Call:
			b, ok := instr.Call.Value.(*ssa.Builtin)
			if !ok || b.Name() != "len" && b.Name() != "cap" {
				return nil, false
			}
		case *ssa.BinOp, *ssa.Phi, *ssa.If, *ssa.Jump, *ssa.Return, *ssa.FieldAddr, *ssa.Field, *ssa.Convert, *ssa.ChangeType, *ssa.DebugRef:
		default:
			return nil, false
		}
	}
	return places, true
}
