package states

import (
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// learnEmptied learns of which lists that the function is given it puts each element,
// whatever it returns.
func (fn learner) learnEmptied(s *summary.Summary) {
	var list []summary.Emptied
	for _, e := range fn.code.Emptyings() {
		i, path, ok := fn.code.Program.Given(fn.code.F, e.List)
		if !ok || i >= 64 || !ssax.Always(e.Start()) {
			continue
		}
		clears := e.Clears
		for instr := range ssax.Instrs(fn.code.F) {
			clears = clears || instr != e.Put.Call.Instr && ssax.MayPrecede(e.Put.Call.Instr, instr) && fn.code.Replaces(instr, e.List)
		}
		list = append(list, summary.Emptied{Param: i, Path: path, Clears: clears})
	}
	s.SetEmptied(list)
}
