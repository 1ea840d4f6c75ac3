package toolchain

import (
	"go/ast"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
)

// runtimeTimers: a goroutine that a timer starts works for the test that has set
// the timer. The runtime starts it on no goroutine of that test.
func runtimeTimers(s *overlay.Source) error {
	fields := structFields(s, "timer")
	if fields == nil {
		return s.Missing("struct timer")
	}
	set, fire := s.Method("timer", "modify"), s.Method("timer", "unlockAndRun")
	for _, f := range []*ast.FuncDecl{set, fire} {
		if f == nil || f.Recv.List[0].Names == nil || f.Recv.List[0].Names[0].Name != "t" {
			return s.Missing("methods (t *timer) modify and unlockAndRun")
		}
	}
	const code = "f(arg, seq, delay)"
	calls := s.Statements(fire.Body, code)
	if len(calls) != 1 {
		return s.Missing("method unlockAndRun with one " + code)
	}
	s.Insert(fields.Closing, "poolproofTest uint32; ")
	s.Insert(set.Body.Lbrace+1, " t.poolproofTest = getg().poolproofTest;")
	s.Insert(calls[0].Pos(), "poolproofBefore := getg().poolproofTest; getg().poolproofTest = t.poolproofTest; ")
	s.Insert(calls[0].End(), "; getg().poolproofTest = poolproofBefore")
	return nil
}
