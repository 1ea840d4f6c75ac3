package infer

import (
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// releases learns which parameters are given back, and how certainly.
func (l *learner) releases() {
	for _, b := range l.boxes {
		if !carries(l.function, b.root, nil) {
			continue
		}
		for _, instr := range l.given[b.root] {
			if emptied(l.function, b, instr) {
				continue
			}
			l.puts[b.index] = append(l.puts[b.index], put{instr, true, false})
			l.s.Retains &^= summary.Bit(b.index)
		}
	}
	for _, i := range slices.Sorted(maps.Keys(l.puts)) {
		l.release(i, l.puts[i])
	}
}

func (l *learner) release(i int, puts []put) {
	bit := summary.Bit(i)
	certain := make(map[ssa.Instruction]bool)
	for _, p := range puts {
		if p.counted {
			l.s.RefPut |= bit
			return // the last owner puts, and nobody knows who that is
		}
		l.s.MayPut |= bit
		if p.certain {
			certain[p.instr] = true
		}
	}
	if len(certain) == 0 {
		return
	}
	v := &reaching{l: l.function, param: i, puts: certain}
	if !l.walker.Entry(l.f, v) || v.returns == 0 {
		return
	}
	if v.without == 0 {
		l.s.MustPut |= bit
		l.s.Release |= bit
		return
	}
	if _, declared := l.s.Tells(i); declared {
		return
	}
	if v.onlyFailures() {
		l.s.Told = append(l.s.Told, summary.Told{Param: i, Result: l.f.Signature.Results().Len() - 1})
		return // what is too large to go on with is no other case
	}
	v = &reaching{l: l.function, param: i, puts: certain, unfit: true}
	v.reach = ssax.Reaching(certain, nil)
	if !l.walker.Entry(l.f, v) || v.without > 0 || v.returns == 0 {
		return
	}
	if told, ok := l.told(certain); ok {
		told.Param = i
		l.s.Told = append(l.s.Told, told)
		return
	}
	l.s.Release |= bit
}

// told returns the result that tells a caller whether the function put what it
// was given: one that has one value on every path with a put, and the other one
// on every path without. A bool has two values, and an error is nil or not.
func (l *learner) told(puts map[ssa.Instruction]bool) (summary.Told, bool) {
	results := l.f.Signature.Results()
	for r := range min(results.Len(), 64) {
		if !tells(results.At(r).Type()) {
			continue
		}
		v := &telling{walker: l.walker, puts: puts, result: r}
		if !l.walker.Entry(l.f, v) {
			return summary.Told{}, false
		}
		if !v.unknown && v.with.one() && v.without.one() && v.with != v.without {
			return summary.Told{Result: r, Value: v.with.yes}, true
		}
	}
	return summary.Told{}, false
}

// telling is a visitor that compares a result with whether there was a put.
type telling struct {
	paths.Everywhere
	walker *paths.Walker
	puts   map[ssa.Instruction]bool
	result int

	with, without sides
	unknown       bool // the result is not known on some path
}

// wasPut is noted behind a put.
const wasPut = "put"

// Visit notes puts, and looks at the result where there is one.
func (v *telling) Visit(instr ssa.Instruction, s *paths.State) bool {
	if v.puts[instr] {
		s.Note(wasPut, true)
		return true
	}
	ret, ok := instr.(*ssa.Return)
	if !ok || ret.Block() == ret.Parent().Recover {
		return true
	}
	yes, known := v.side(ret.Results[v.result], s)
	if !known {
		v.unknown = true
		return false
	}
	seen := &v.without
	if put, _ := s.Noted(wasPut); put {
		seen = &v.with
	}
	seen.yes = seen.yes || yes
	seen.no = seen.no || !yes
	return true
}

// side returns whether a result is true or nil.
func (v *telling) side(r ssa.Value, s *paths.State) (yes, known bool) {
	r = v.walker.Program.Stored(r)
	if !types.IsInterface(r.Type()) {
		return v.walker.Eval(r, s)
	}
	if load := ssax.Load(r); load != nil {
		if _, global := load.X.(*ssa.Global); global {
			return false, true // an error that was made before
		}
	}
	return v.walker.IsNil(r, s)
}
