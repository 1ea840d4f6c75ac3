package toolchain

import "github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"

// runtimeTimers: a goroutine that a timer starts works for the test that has set
// the timer. The runtime starts it on no goroutine of that test.
func runtimeTimers(s *overlay.Source) error {
	fields := structFields(s, "timer")
	if fields == nil {
		return s.Missing("struct timer")
	}
	set := method(s, "timer", "modify", "t")
	if set == nil {
		return s.Missing("method (t *timer) modify")
	}
	call, err := only(s, "method (t *timer) unlockAndRun", method(s, "timer", "unlockAndRun", "t"), "f(arg, seq, delay)")
	if err != nil {
		return err
	}
	s.Insert(fields.Closing, "poolproofTest uint32; ")
	s.Insert(set.Body.Lbrace+1, " t.poolproofTest = getg().poolproofTest;")
	s.Insert(call.Pos(), "poolproofBefore := getg().poolproofTest; getg().poolproofTest = t.poolproofTest; ")
	s.Insert(call.End(), "; getg().poolproofTest = poolproofBefore")
	return nil
}
