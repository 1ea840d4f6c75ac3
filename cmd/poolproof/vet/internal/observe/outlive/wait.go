package outlive

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// putAfter reports whether a put follows an instruction: on every path to a return; for a
// goroutine, one before which nobody waits, on every path, or where the function fails, or where it
// had nothing to learn from that the goroutine has ended.
func putAfter(fn *scene.Function, p *track.Put, instr ssa.Instruction, joins bool, al *alias.Set) (follows, always bool) {
	if p.Call.Deferred() {
		if !ssax.Before(p.Call.Instr, instr) && !ssax.Before(instr, p.Call.Instr) {
			return false, false
		}
		if !joins {
			return true, true
		}
		if waitsFirst(fn.Code, p, instr) {
			return false, false
		}
	} else if ssax.Before(p.Call.Instr, instr) {
		return false, false
	}
	v := &follow{fn: fn, p: p, joins: joins, start: instr, root: al.Root, al: al, common: commonWith(fn.Code, p, instr, al)}
	fromStart(fn.Code, instr, al, v)
	_, listed := instr.(*ssa.MapUpdate) // an entry that no code deletes is found on every path
	always = v.puts > 0 && v.others == 0
	return always || v.hasty > 0 || listed && v.puts > 0, always
}

// waitsFirst reports whether a deferred call that runs before that of a put waits for what
// an instruction starts.
func waitsFirst(fn *track.Code, p *track.Put, start ssa.Instruction) bool {
	return slices.ContainsFunc(fn.Defers, func(d *ssa.Defer) bool {
		c := fn.Program.Resolve(d)
		return ssax.Before(p.Call.Instr, d) && ssax.Before(d, start) && c.Waits(fn.Program)
	})
}

// follow is a visitor that looks for a put on every path.
type follow struct {
	paths.Everywhere
	fn     *scene.Function
	p      *track.Put
	joins  bool
	start  ssa.Instruction
	root   ssa.Value // the object: where it is got again, it is another one
	al     *alias.Set
	puts   int
	others int // paths without
	hasty  int // puts before which nobody waits: where time is up, or deferred ones of a function that fails
	common common
}

// late is noted on a path on which the function has waited until time was up.
const late = "late"

// deferred is noted on a path on which the put was deferred after what the walk began with.
const deferred = "deferred"

// Visit stops at the put, at a return and where the function waits.
func (v *follow) Visit(instr ssa.Instruction, s *paths.State) bool {
	timeUp, _ := s.Noted(late)
	if instr == v.start {
		return false // the loop's next round
	}
	if v.common != nil && v.common.in(v.fn.Program, instr) {
		s.Note(told, true)
	}
	if made, ok := instr.(ssa.Value); ok && made == v.root && ssax.Load(made) == nil && !v.p.Captured {
		return false // what is put from here on is another object
	}
	switch instr := instr.(type) {
	case *ssa.Store:
		if v.p.Captured && instr.Addr == v.p.Arg && v.al.Of(instr.Val) == nil {
			v.others++ // the literal finds nothing in its variable, or another object
			return false
		}
	case *ssa.Return:
		if follows, _ := s.Noted(deferred); v.p.Call.Deferred() && (follows || !ssax.MayPrecede(v.start, v.p.Call.Instr)) {
			v.puts++
			if fails, _ := v.fn.Program.Fails(instr); (fails || timeUp || v.untold(s)) && v.joins && !v.p.Captured {
				v.hasty++
			}
		} else {
			v.others++
		}
		return false
	case ssa.CallInstruction:
		if instr == v.p.Call.Instr && v.p.Call.Deferred() {
			s.Note(deferred, true)
		} else if instr == v.p.Call.Instr {
			v.puts++
			if timeUp || v.joins && v.untold(s) {
				v.hasty++
			}
			return false
		}
		c := v.fn.Program.Resolve(instr)
		if v.joins && (timeUp && v.passed(&c) || c.Waits(v.fn.Program)) {
			v.others++
			return false
		}
	case *ssa.UnOp:
		if v.joins && instr.Op == token.ARROW {
			v.others++
			if v.stopsEarly(instr) {
				v.hasty++
			}
			return false
		}
	}
	return true
}

// Branch takes all edges, but for the cases of a select in which the function has
// waited, and for those in which the select that it comes from has not sent the object.
func (v *follow) Branch(cond *ssa.If, taken bool, s *paths.State) bool {
	if sel, ok := v.start.(*ssa.Select); ok && ssax.Choosing(cond.Cond) == v.start {
		return v.sent(sel, ssax.Chosen(cond.Cond), taken)
	}
	if !v.joins || !taken {
		return true
	}
	state := ssax.Chosen(cond.Cond)
	if state == nil || state.Dir != types.RecvOnly {
		return true
	}
	if v.isClock(state.Chan) {
		s.Note(late, true)
		return true
	}
	v.others++
	return false
}

// untold reports whether the function cannot know on this path that the goroutine has ended.
func (v *follow) untold(s *paths.State) bool {
	heard, _ := s.Noted(told)
	return !heard && v.common != nil
}

// passed reports whether a call gets the object: it may take it back from who uses it.
func (v *follow) passed(c *flow.Call) bool {
	return c.Builtin == "" && slices.ContainsFunc(c.Args, v.al.Has)
}

// sent reports whether a select may have sent the object, if it chose this case, or not this one.
func (v *follow) sent(sel *ssa.Select, chosen *ssa.SelectState, taken bool) bool {
	sends := func(s *ssa.SelectState) bool { return s != nil && s.Send != nil && v.al.Of(s.Send) != nil }
	if taken {
		return sends(chosen)
	}
	return slices.ContainsFunc(sel.States, func(s *ssa.SelectState) bool { return s != chosen && sends(s) })
}

// isClock reports whether a channel says that time is up, or that somebody asks
// to stop: not that the goroutine has ended, unless that is what cancels.
func (v *follow) isClock(ch ssa.Value) bool {
	switch ssax.Clock(ch) {
	case "":
		return false
	case "(context.Context).Done":
		return !v.cancels()
	}
	return true
}

// cancels reports whether the goroutine calls a function value that it captures
// and that may be what ends a context.
func (v *follow) cancels() bool {
	call, ok := v.start.(ssa.CallInstruction)
	if !ok {
		return false
	}
	lit := v.fn.Program.Resolve(call).Lit
	if lit == nil {
		return true
	}
	return flow.Any(v.fn.Program.Calls(lit), func(c *flow.Call) bool {
		return c.Fn == nil && c.Lit == nil && c.Builtin == "" && mayCancel(c.Instr.Common().Signature())
	})
}

// mayCancel reports whether a function is one as that which ends a context.
func mayCancel(sig *types.Signature) bool {
	prms := sig.Params()
	return sig.Results().Len() == 0 && (prms.Len() == 0 || prms.Len() == 1 && ssax.IsError(prms.At(0).Type()))
}

// waitedFor reports whether the function waits until what works for it is done with what
// its fields hold: it calls a method or a function for that, or it gives away a command,
// which nothing reads after its end.
func waitedFor(fn *track.Code, worker ssa.Value) bool {
	return flow.AnyArg(fn.Program.FamilyCalls(fn.F), func(c *flow.Call, _ int, arg ssa.Value) bool {
		return ssax.Strip(arg) == worker && (names.IsJoin(c.Name()) || isCommand(worker.Type()) && (c.Fn == nil || runs(c.Fn)))
	})
}

// isCommand reports whether a type is a pointer to the command of package os/exec.
func isCommand(t types.Type) bool {
	return types.TypeString(t, nil) == "*os/exec.Cmd"
}

// runs reports whether a function that gets a command ends with it, or may do so: it is
// no method of the command, or one that waits.
func runs(fn *types.Func) bool {
	switch fn.FullName() {
	case "(*os/exec.Cmd).Run", "(*os/exec.Cmd).Output", "(*os/exec.Cmd).CombinedOutput":
		return true
	}
	return fn.Pkg() == nil || fn.Pkg().Path() != "os/exec"
}
