package flow

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A condition is often a small method: if w.isNotConcurrent() { ... }. Called twice it
// says the same twice, unless what it reads was written in between. That is so of a
// function that only reads.

// pureKey returns the key of a call of a function of the package that only reads.
func (p *Program) pureKey(call *ssa.Call, k *Key, depth int) (string, bool) {
	fn := call.Call.StaticCallee()
	if fn == nil || p.own[fn] == nil || len(call.Call.Args) != len(fn.Params) || len(fn.FreeVars) > 0 {
		return "", false
	}
	if _, basic := call.Type().Underlying().(*types.Basic); !basic {
		return "", false
	}
	loads, pure := p.reads(fn)
	if !pure || len(loads)+len(call.Call.Args) == 0 {
		return "", false // a constant may be the stub of another build
	}
	var read []Var
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
	k.Places = append(k.Places, read...)
	var args []string
	for _, arg := range call.Call.Args {
		args = append(args, p.key(arg, k, depth+1))
	}
	return fmt.Sprintf("v%d(%s)", p.Number(fn), strings.Join(args, ",")), true
}

// maxPure bounds how many blocks a function has that is looked at.
const maxPure = 12

// reads returns the places that a function reads, if it does nothing else.
func (p *Program) reads(fn *ssa.Function) (places []Var, pure bool) {
	if len(fn.Blocks) == 0 || len(fn.Blocks) > maxPure || fn.Recover != nil {
		return nil, false
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.UnOp:
				if instr.Op == token.ARROW {
					return nil, false
				}
				if isLoad(instr) {
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
	}
	return places, true
}
