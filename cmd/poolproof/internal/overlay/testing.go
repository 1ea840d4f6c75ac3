package overlay

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
)

// The files added to the user's testing package.
var (
	//go:embed src/duet.go.txt
	duetSource []byte
	//go:embed src/pace.go.txt
	paceSource []byte
	//go:embed src/clock_linux.go.txt
	clockLinux []byte
	//go:embed src/clock_unix.go.txt
	clockUnix []byte
	//go:embed src/profile.go.txt
	profileSource []byte
)

// Testing returns what makes the testing package of t a burst server: an
// edited copy of benchmark.go and four added files, by the paths that they
// overlay. The edits do nothing unless the test binary is started by package
// duet. The error wraps ErrAnchor where the toolchain is of an unknown shape.
//
// Anchors, in testing/benchmark.go:
//
//	doBench       starts the serve loop in place of launch
//	run1          a benchmark that panics does not let the next one begin
//	runN          its forced collection gets a switch
//	StartTimer    reads the CPU clock just before the wall clock
//	StopTimer     adds the CPU time just after the wall time
//	ResetTimer    does both
//	loopSlowPath  waits for the next operation of a paced burst
func Testing(t *Toolchain) (map[string][]byte, error) {
	switch t.OS {
	case "windows", "plan9", "js", "wasip1": // no pipes can be handed to a process, or there is no CPU clock
		return nil, fmt.Errorf("%w: there is no burst server for %s", ErrAnchor, t.OS)
	}
	dir := filepath.Join(t.Root, "src", "testing")
	name := filepath.Join(dir, "benchmark.go")
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrAnchor, err)
	}
	edited, err := serveSlices(name, text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.Version, err)
	}
	return map[string][]byte{
		name:                                     edited,
		filepath.Join(dir, "poolproof_duet.go"):  duetSource,
		filepath.Join(dir, "poolproof_pace.go"):  paceSource,
		filepath.Join(dir, "poolproof_linux.go"): clockLinux,
		filepath.Join(dir, "poolproof_clock.go"): clockUnix,
	}, nil
}

// Profiling is [Testing] for a burst server that takes profiles, too.
//
// Anchor, in testing/testing.go:
//
//	MainStart     keeps what can take a CPU profile
func Profiling(t *Toolchain) (map[string][]byte, error) {
	files, err := Testing(t)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(t.Root, "src", "testing")
	name := filepath.Join(dir, "testing.go")
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrAnchor, err)
	}
	s, err := Parse(name, text)
	if err != nil {
		return nil, err
	}
	if err := editMainStart(s); err != nil {
		return nil, fmt.Errorf("%s: %w", t.Version, err)
	}
	files[name] = s.Bytes()
	files[filepath.Join(dir, "poolproof_profile.go")] = profileSource
	return files, nil
}

func editMainStart(s *Source) error {
	f := s.Func("MainStart")
	if f == nil || len(f.Body.List) == 0 || len(f.Type.Params.List) == 0 || s.Code(f.Type.Params.List[0]) != "deps testDeps" {
		return s.Missing("MainStart with deps testDeps")
	}
	s.Insert(f.Body.List[0].Pos(), "poolproofDeps = deps\n")
	return nil
}

// serveSlices applies the edits to the text of benchmark.go.
func serveSlices(name string, text []byte) ([]byte, error) {
	s, err := Parse(name, text)
	if err != nil {
		return nil, err
	}
	for _, e := range []func(*Source) error{editDoBench, editRun1, editRunN, editStartTimer, editStopTimer, editResetTimer, editLoop} {
		if err := e(s); err != nil {
			return nil, err
		}
	}
	return s.Bytes(), nil
}

// editDoBench: only benchmarks under a bench state are served; what
// testing.Benchmark runs is left alone.
func editDoBench(s *Source) error {
	f := s.Method("B", "doBench")
	if f == nil || len(f.Body.List) != 3 || s.Code(f.Body.List[0]) != "go b.launch()" ||
		s.Code(f.Body.List[1]) != "<-b.signal" || s.Code(f.Body.List[2]) != "return b.result" {
		return s.Missing("doBench that starts launch and waits for its signal")
	}
	state := s.fieldOfType("B", "*benchState")
	if state == "" {
		return s.Missing("B field of type *benchState")
	}
	s.Insert(f.Body.List[0].Pos(), "if poolproofServing && b."+state+" != nil {\ngo b.poolproofServe()\n<-b.signal\nreturn b.result\n}\n")
	return nil
}

// editRun1: the deferred signal runs while a panic unwinds, before its message
// is printed, and would let the next benchmark begin.
func editRun1(s *Source) error {
	f := s.Method("B", "run1")
	if f == nil {
		return s.Missing("run1")
	}
	starts := s.Statements(f.Body, "b.runN(1)")
	signals := s.Statements(f.Body, "b.signal <- true")
	if len(starts) != 1 || len(signals) != 1 || len(f.Body.List) < 2 {
		return s.Missing("run1 that runs one operation and signals its end")
	}
	s.Insert(f.Body.List[0].Pos(), "poolproofReturned := false\n")
	s.Insert(starts[0].End(), "\npoolproofReturned = true")
	s.Replace(signals[0].Pos(), signals[0].End(), "b.poolproofSignal(poolproofReturned)")
	return nil
}

func editRunN(s *Source) error {
	f := s.Method("B", "runN")
	if f == nil {
		return s.Missing("runN")
	}
	gc := s.Statements(f.Body, "runtime.GC()")
	if len(gc) != 1 {
		return s.Missing("runN with one forced collection")
	}
	s.Replace(gc[0].Pos(), gc[0].End(), "if poolproofForceGC { runtime.GC() }")
	return nil
}

func editStartTimer(s *Source) error {
	start, err := s.timerStart("StartTimer")
	if err != nil {
		return err
	}
	s.Insert(start.Pos(), "if poolproofServing { poolproofCPUStart = poolproofCPUNow() }\n")
	return nil
}

func editStopTimer(s *Source) error {
	f := s.Method("B", "StopTimer")
	if f == nil {
		return s.Missing("StopTimer")
	}
	add := s.assignments(f.Body, "b.duration", token.ADD_ASSIGN)
	if len(add) != 1 {
		return s.Missing("StopTimer that adds to the duration once")
	}
	s.Insert(add[0].End(), "\nif poolproofServing { poolproofCPUSum += poolproofCPUNow() - poolproofCPUStart; poolproofSpans++ }")
	return nil
}

func editResetTimer(s *Source) error {
	start, err := s.timerStart("ResetTimer")
	if err != nil {
		return err
	}
	s.Insert(start.Pos(), "if poolproofServing { poolproofCPUStart = poolproofCPUNow() }\n")
	zero := s.assignments(s.Method("B", "ResetTimer").Body, "b.duration", token.ASSIGN)
	if len(zero) != 1 {
		return s.Missing("ResetTimer that zeroes the duration once")
	}
	s.Insert(zero[0].End(), "\nif poolproofServing { poolproofCPUSum, poolproofSpans = 0, 0 }")
	return nil
}

// editLoop: Loop itself is inlined and goes to loopSlowPath when its counter
// has reached its target, as both do at zero.
func editLoop(s *Source) error {
	loop, slow := s.Method("B", "Loop"), s.Method("B", "loopSlowPath")
	if loop == nil || slow == nil || len(slow.Body.List) == 0 || len(s.Statements(loop.Body, "return b.loopSlowPath()")) != 1 {
		return s.Missing("Loop that ends in loopSlowPath")
	}
	s.Insert(slow.Body.List[0].Pos(), "if poolproofPace.period > 0 {\nreturn b.poolproofPaced()\n}\n")
	return nil
}

// timerStart finds the one place where a method sets the wall clock's start.
func (s *Source) timerStart(method string) (*ast.AssignStmt, error) {
	f := s.Method("B", method)
	if f == nil {
		return nil, s.Missing(method)
	}
	start := s.assignments(f.Body, "b.start", token.ASSIGN)
	if len(start) != 1 {
		return nil, s.Missing(method + " that reads the clock once")
	}
	return start[0], nil
}

// fieldOfType returns the name of the struct's one field of the given type.
func (s *Source) fieldOfType(structName, typ string) string {
	name := ""
	ast.Inspect(s.file, func(n ast.Node) bool {
		ts, ok := n.(*ast.TypeSpec)
		if !ok || ts.Name.Name != structName {
			return true
		}
		if st, ok := ts.Type.(*ast.StructType); ok {
			for _, f := range st.Fields.List {
				if s.Code(f.Type) == typ && len(f.Names) == 1 {
					name = f.Names[0].Name
				}
			}
		}
		return false
	})
	return name
}
