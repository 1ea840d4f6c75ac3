package ledger

import (
	"strings"
	"testing"
)

func TestHereIsWhereItWasCalledInTheCheckedBuildOnly(t *testing.T) {
	s := Here()
	if !Checked {
		if s != nil {
			t.Fatalf("a stack of %d frames in the normal build", len(s))
		}
		return
	}
	if text := s.String(); !strings.Contains(text, "ledger.TestHereIs") || !strings.Contains(text, "stack_test.go:9\n") {
		t.Errorf("the stack is\n%s", text)
	}
}

//go:noinline
func one() Stack { return two() }

//go:noinline
func two() Stack { return callers() } // callers skips the frame of Here, here that of two

func TestAStackReadsAsTheDumpOfAGoroutine(t *testing.T) {
	lines := strings.Split(one().String(), "\n")
	if len(lines) < 5 || lines[0] != module+"internal/ledger.one(...)" ||
		!strings.HasPrefix(lines[1], "\t/") && !strings.Contains(lines[1], `:\`) || !strings.HasSuffix(lines[1], "stack_test.go:22") ||
		!strings.Contains(lines[2], "TestAStackReads") || lines[len(lines)-1] != "" {
		t.Errorf("the stack is\n%s", strings.Join(lines, "\n"))
	}
	for _, line := range lines {
		if strings.HasPrefix(line, "runtime.") {
			t.Errorf("a frame of the runtime: %s", line)
		}
	}
}

func TestAnUnknownPlaceSaysSo(t *testing.T) {
	if got := (Stack)(nil).String(); got != "\t(unknown place)\n" {
		t.Errorf("got %q", got)
	}
}

func TestFramesOfTheLibraryAreLeftOut(t *testing.T) {
	for _, c := range []struct {
		function, file string
		want           bool
	}{
		{module + "pool.(*Pool[...]).Get", "/src/pool/pool.go", true},
		{module + "pool.(*Pool[...]).With.func1", "/src/pool/pool.go", true},
		{module + "buffer.New", "/src/buffer/pool.go", true},
		{module + "hotswap/poolswap.NewPool[...]", "/src/hotswap/poolswap/pool.go", true},
		{module + "internal/ledger.(*Book).Out", "/src/internal/ledger/ledger.go", true},
		{"sync.(*Pool).Get", "/go/src/sync/pool.go", true},
		{module + "pool.TestInside", "/src/pool/inside_test.go", false},
		{module + "pool_test.TestOutside", "/src/pool/outside_test.go", false},
		{module + "pooltest.Check", "/src/pooltest/pooltest.go", false},
		{module + "systems/flow.Run", "/src/systems/flow/run.go", false},
		{"example.com/pool.(*Pool).Get", "/src/pool.go", false},
		{"main.main", "/src/main.go", false},
	} {
		if got := ours(c.function, c.file); got != c.want {
			t.Errorf("ours(%q, %q) = %t", c.function, c.file, got)
		}
	}
}
