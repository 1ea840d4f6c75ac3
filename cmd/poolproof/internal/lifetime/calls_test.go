package lifetime

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
)

// edited writes a file, lets change edit it, and returns the copy.
func edited(t *testing.T, text string, change func(in *instrumented, name string)) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "a.go")
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	in := newInstrumented()
	change(in, name)
	files, err := in.set.Files()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(files[name]), "\n") != strings.Count(text, "\n") && files[name] != nil {
		t.Error("a line has moved")
	}
	return string(files[name])
}

const source = `package a // a package

func (e *T[K]) Method(n int, _ bool, more ...string) (k K) {
	return k
}

func plain() { f := func(n int) {}; f(1) }

var table = func() int {
	return 1
}

//go:nosplit
func small() {
	println()
}

func outer(n int) {
	f := func(m int) {
		println(m)
	}
	f(n)
}
`

func TestFunctionsTellOfTheirCalls(t *testing.T) {
	tests := []struct {
		line  int
		names []string
		want  string // a line of the copy; its prefix
	}{
		{4, []string{"(*T).Method"}, "func (e *T[K]) Method(n int, _ bool, more ...string) (k K) { poolproofcall, poolproof0, poolproof1, poolproof2 := poolproofruntime.PoolproofEnter(1), e, n, more; defer func() { poolproofruntime.PoolproofLeave(poolproofcall); poolproofruntime.KeepAlive(poolproof0); poolproofruntime.KeepAlive(poolproof1); poolproofruntime.KeepAlive(poolproof2) }();"},
		{7, []string{"plain", "function literal in plain"}, "func plain() { defer poolproofruntime.PoolproofLeave(poolproofruntime.PoolproofEnter(1)); f := func(n int) { poolproofcall, poolproof0 := poolproofruntime.PoolproofEnter(2), n;"},
		{10, []string{"function literal of a variable"}, "var table = func() int { defer poolproofruntime.PoolproofLeave(poolproofruntime.PoolproofEnter(1));"},
		{20, []string{"function literal in outer"}, "	f := func(m int) { poolproofcall, poolproof0 := poolproofruntime.PoolproofEnter(1), m;"},
		{19, []string{"outer", "function literal in outer"}, "func outer(n int) { poolproofcall, poolproof0 := poolproofruntime.PoolproofEnter(1), n;"},
		{22, []string{"outer"}, "func outer(n int) { poolproofcall, poolproof0 := poolproofruntime.PoolproofEnter(1), n;"},
	}
	for _, test := range tests {
		text := edited(t, source, func(in *instrumented, name string) {
			numbers, err := in.calls(profile.Place{File: name, Line: test.line})
			if err != nil {
				t.Fatal(err)
			}
			again, _ := in.calls(profile.Place{File: name, Line: test.line})
			if !slices.Equal(numbers, again) || len(in.functions) != len(test.names) {
				t.Errorf("line %d: numbers %v and then %v", test.line, numbers, again)
			}
			for i, n := range numbers {
				if f := in.functions[n-1]; f.name != test.names[i] {
					t.Errorf("line %d: function %s, want %s", test.line, f.name, test.names[i])
				}
			}
		})
		if !strings.HasPrefix(text, "package a; import poolproofruntime \"runtime\" // a package\n") {
			t.Errorf("line %d: %s", test.line, text)
		}
		if !slices.ContainsFunc(strings.Split(text, "\n"), func(line string) bool { return strings.HasPrefix(line, test.want) }) {
			t.Errorf("line %d:\n%s", test.line, text)
		}
	}
}

func TestLinesWithoutAFunctionAreRefused(t *testing.T) {
	for line, want := range map[int]string{1: "a.go:1 is in no function", 15: "small is marked go:nosplit"} {
		text := edited(t, source, func(in *instrumented, name string) {
			if _, err := in.calls(profile.Place{File: name, Line: line}); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("line %d: %v", line, err)
			}
		})
		if text != "" {
			t.Errorf("line %d: %s", line, text)
		}
	}
	in := newInstrumented()
	if _, err := in.calls(profile.Place{File: filepath.Join(t.TempDir(), "gone.go"), Line: 1}); err == nil {
		t.Error("a file that is not there is read")
	}
}

func TestLoopsTellOfOperations(t *testing.T) {
	const text = `package a

func BenchmarkA(b *testing.B) {
	for i := 0; i < b.N; i++ {
	}
	for range b.N {
	}
	for b.Loop() {
	}
	for n := b.N; n > 0; n-- {
	}
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
		}
	})
	for range 3 {
	}
	for _, c := range cases {
		b.Run(c.name, func(b *testing.B) {
			for range b.N {
				for range c.N {
				}
			}
		})
	}
	for scanner.Next() {
	}
	for i := 0; i < len(b.Name()); i++ {
	}
}
`
	got := edited(t, text, func(in *instrumented, name string) {
		if err := in.tests(name); err != nil {
			t.Fatal(err)
		}
		if in.loops != 6 {
			t.Errorf("%d loops", in.loops)
		}
	})
	for _, want := range []string{
		"for i := 0; i < b.N; i++ { poolproofruntime.PoolproofOperation(1);", "for range b.N { poolproofruntime.PoolproofOperation(2);",
		"for b.Loop() { poolproofruntime.PoolproofOperation(3);", "for n := b.N; n > 0; n-- { poolproofruntime.PoolproofOperation(4);",
		"for pb.Next() { poolproofruntime.PoolproofOperation(5);", "\t\t\tfor range b.N { poolproofruntime.PoolproofOperation(6);",
		"for range 3 {\n", "for range c.N {\n", "for scanner.Next() {\n", "for i := 0; i < len(b.Name()); i++ {\n", "for _, c := range cases { poolproofruntime.PoolproofHold(c);\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func TestTestCodeHoldsWhatItIsGiven(t *testing.T) {
	const text = `package a

func BenchmarkA(b *testing.B) {
	for i, x := range cases {
	}
	for range 3 {
	}
	for i := range 3 {
	}
	walk(func(n *Node, depth int) bool {
		return true
	})
	walk(func(*Node, int, []byte) {
	})
	walk(func(_ *Node, _ int) {
	})
	walk(func() {
	})
	walk(func(s *other.State) {
	})
	for i := range b.N {
	}
}

func (w *writer) Write(p []byte) (int, error) {
	return 0, nil
}

func (w *writer) Close(reason error) error {
	return nil
}

func Write(p []byte) {
}
`
	got := edited(t, text, func(in *instrumented, name string) {
		if err := in.tests(name); err != nil {
			t.Fatal(err)
		}
	})
	for _, want := range []string{
		"func BenchmarkA(b *testing.B) {\n", "for i, x := range cases { poolproofruntime.PoolproofHold(i, x);\n", "for range 3 {\n", "for i := range 3 {\n",
		"walk(func(n *Node, depth int) bool { poolproofruntime.PoolproofHold(n);\n",
		"walk(func(poolproofgiven1 *Node, poolproofgiven2 int, poolproofgiven3 []byte) { poolproofruntime.PoolproofHold(poolproofgiven1, poolproofgiven3);\n",
		"walk(func(poolproofgiven1 *Node, _ int) { poolproofruntime.PoolproofHold(poolproofgiven1);\n",
		"walk(func(s *other.State) { poolproofruntime.PoolproofHold(s);\n", "for i := range b.N { poolproofruntime.PoolproofOperation(1);\n",
		"walk(func() {\n", "Write(p []byte) (int, error) {\n", "Close(reason error) error { poolproofruntime.PoolproofHold(reason);\n", "func Write(p []byte) { poolproofruntime.PoolproofHold(p);\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
