package toolchain

import (
	"go/ast"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
)

func raceErrors(s *overlay.Source) error {
	f := s.Func("Errors")
	if f == nil || len(f.Body.List) != 1 || s.Code(f.Body.List[0]) != "return 0" {
		return s.Missing("function Errors that returns 0")
	}
	s.Replace(f.Body.List[0].Pos(), f.Body.List[0].End(), "return poolproofErrors()")
	return nil
}

func testingRunner(s *overlay.Source) error {
	f := s.Func("tRunner")
	if f == nil || len(f.Type.Params.List) == 0 || len(f.Type.Params.List[0].Names) != 1 || f.Type.Params.List[0].Names[0].Name != "t" {
		return s.Missing("function tRunner of t")
	}
	// The root of all tests runs on the main goroutine: it is no test.
	s.Insert(f.Body.Lbrace+1, ` if t.parent != nil { defer poolproofLeaveTest(poolproofEnterTest(t.name)) };`)
	const text = `"race detected during execution of test"`
	if replaceText(s, text, `"misuse of a sync.Pool during execution of test: see poolproof's findings"`) == 0 {
		return s.Missing("text " + text)
	}
	replaceText(s, `"testing: race detected outside of test execution\n"`, `"testing: misuse of a sync.Pool outside of test execution: see poolproof's findings\n"`)
	return nil
}

func benchmarkRunner(s *overlay.Source) error {
	f := method(s, "B", "runN", "b")
	if f == nil {
		return s.Missing("method (b *B) runN")
	}
	// The root of all benchmarks is no benchmark either, nor what Benchmark runs.
	s.Insert(f.Body.Lbrace+1, ` if b.parent != nil { defer poolproofLeaveTest(poolproofEnterBenchmark(b.name)) };`)
	return nil
}

// exampleRunner: an example is a test like any other.
func exampleRunner(s *overlay.Source) error {
	f := s.Func("runExample")
	if f == nil || len(f.Type.Params.List) != 1 || s.Code(f.Type.Params.List[0]) != "eg InternalExample" {
		return s.Missing("function runExample of eg InternalExample")
	}
	s.Insert(f.Body.Lbrace+1, ` defer poolproofLeaveTest(poolproofEnterTest(eg.Name));`)
	return nil
}

func exampleResult(s *overlay.Source) error {
	fail, err := only(s, "method processRunResult of InternalExample", s.Method("InternalExample", "processRunResult"), "var fail string")
	if err != nil {
		return err
	}
	s.Insert(fail.End(), `; if poolproofExampleFailed() { fail = "misuse of a sync.Pool during execution of example: see poolproof's findings\n" }`)
	return nil
}

// replaceText replaces a literal wherever it stands, and returns how often.
func replaceText(s *overlay.Source, from, to string) (n int) {
	ast.Inspect(s.File(), func(node ast.Node) bool {
		if b, ok := node.(*ast.BasicLit); ok && b.Value == from {
			s.Replace(b.Pos(), b.End(), to)
			n++
		}
		return true
	})
	return n
}

// runtimeTimers: a goroutine that a timer starts works for the test that has set
// the timer. The runtime starts it on no goroutine of that test.
func runtimeTimers(s *overlay.Source) error {
	set := method(s, "timer", "modify", "t")
	if set == nil {
		return s.Missing("method (t *timer) modify")
	}
	call, err := only(s, "method (t *timer) unlockAndRun", method(s, "timer", "unlockAndRun", "t"), "f(arg, seq, delay)")
	if err != nil {
		return err
	}
	s.Insert(set.Body.Lbrace+1, " t.poolproofTest = getg().poolproofTest;")
	s.Insert(call.Pos(), "poolproofBefore := getg().poolproofTest; getg().poolproofTest = t.poolproofTest; ")
	s.Insert(call.End(), "; getg().poolproofTest = poolproofBefore")
	return addFields(s, "timer", "poolproofTest uint32; ")
}
