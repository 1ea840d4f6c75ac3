package vetrun

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAFindingNamesTheCommandThatConfirmsIt(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"p.go": `package p

func Encode() { encode() }

func encode() {
}

func (x *X) Close() {
}

func unused() {
}

var literal = func() {
}

func popular() {
}

func round() { trip() }

func trip() { round() }
`,
		"p_test.go": `package p

func helper() {
}

func TestIt(t *T) {
	use()
}

func TestEncode(t *T) { Encode() }

func TestMain(m *M) { encode() }

func BenchmarkEncode(b *B) { encode() }

func TestLater(t *T) { TestEncode(t) }

func FuzzClose(f *F) { f.Fuzz(func() { x.Close() }) }

func ExampleX_Close() { x.Close() }
`,
		"q_test.go": `package p_test

func TestA(t *T) { popular() }
func TestB(t *T) { popular() }
func TestC(t *T) { popular() }
func TestD(t *T) { popular() }
func TestE(t *T) { popular() }
`,
		"broken.go": "package p\n\nfunc TestBroken(",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var c Confirmer
	for name, test := range map[string]struct {
		code string
		path string
		file string
		line int
		want string
	}{
		"in a test":                                 {"PV002", "example.com/p", "p_test.go", 7, "poolproof test -run '^TestIt$' example.com/p"},
		"in a test package":                         {"PV002", "example.com/p_test", "p_test.go", 7, "poolproof test -run '^TestIt$' example.com/p"},
		"in a helper that no test mentions":         {"PV003", "example.com/p", "p_test.go", 3, "poolproof test example.com/p"},
		"in a function that a test calls":           {"PV001", "example.com/p", "p.go", 3, "poolproof test -run '^TestEncode$' example.com/p"},
		"two calls away from a test":                {"PV001", "example.com/p", "p.go", 5, "poolproof test -run '^TestEncode$' example.com/p"},
		"in a method of an example and a fuzz test": {"PV015", "example.com/p", "p.go", 8, "poolproof test -run '^(ExampleX_Close|FuzzClose)$' example.com/p"},
		"in a function that no test mentions":       {"PV004", "example.com/p", "p.go", 11, "poolproof test example.com/p"},
		"in a function of many tests":               {"PV004", "example.com/p", "p.go", 17, "poolproof test example.com/p"},
		"in functions that call each other":         {"PV004", "example.com/p", "p.go", 20, "poolproof test example.com/p"},
		"in no declared function":                   {"PV014", "example.com/p", "p.go", 14, "poolproof test example.com/p"},
		"in a file that is gone":                    {"PV003", "example.com/p", "gone/p.go", 3, "poolproof test example.com/p"},
		"in a missing reset":                        {"PV011", "example.com/p", "p.go", 5, "poolproof test -run '^TestEncode$' example.com/p"},
		"that is counted":                           {"PV006", "example.com/p", "p.go", 5, "poolproof test -leaks -run '^TestEncode$' example.com/p"},
		"that only the source shows":                {"PV008", "example.com/p", "p.go", 5, ""},
	} {
		f := Finding{Code: test.code, Package: test.path, File: filepath.Join(dir, test.file), Line: test.line}
		if got := c.Command(f); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestTheCommandKeepsTagsAndNamesAFolderForFiles(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := (&Confirmer{Dir: outside}).Command(Finding{Code: "PV002", Package: "command-line-arguments", File: filepath.Join(outside, "p.go"), Line: 1}); got != "" {
		t.Errorf("outside of a module: %q", got)
	}
	for want, test := range map[string]struct {
		c    Confirmer
		path string
		file string
	}{
		"poolproof test -tags a,b example.com/p":   {Confirmer{Dir: dir, Tags: "a,b"}, "example.com/p", "p.go"},
		"poolproof test -tags 'a b' example.com/p": {Confirmer{Dir: dir, Tags: "a b"}, "example.com/p", "p.go"},
		"poolproof test ./sub":                     {Confirmer{Dir: dir}, "command-line-arguments", "sub/p.go"},
		"poolproof test .":                         {Confirmer{Dir: dir}, "command-line-arguments", "p.go"},
		"poolproof test " + dir:                    {Confirmer{Dir: filepath.Join(dir, "other")}, "command-line-arguments", "p.go"},
	} {
		f := Finding{Code: "PV002", Package: test.path, File: filepath.Join(dir, filepath.FromSlash(test.file)), Line: 1}
		if got := test.c.Command(f); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// What no test can show has no command.
func TestAFolderWithoutTestsHasNoCommand(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "p.go")
	if err := os.WriteFile(name, []byte("package p\n\nfunc F() {}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	f := Finding{Code: "PV002", Package: "example.com/p", File: name, Line: 3}
	if got := new(Confirmer).Command(f); got != "" {
		t.Errorf("without a test: %q", got)
	}
	if err := os.WriteFile(filepath.Join(dir, "p_test.go"), []byte("package p\n\nfunc TestG(t *T) {}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got, want := new(Confirmer).Command(f), "poolproof test example.com/p"; got != want {
		t.Errorf("with one: %q, want %q", got, want)
	}
}

func TestMemoryOfAnotherOwnerIsSeenWhileTestsRun(t *testing.T) {
	var c Confirmer
	for message, want := range map[string]string{
		"b was not taken from this pool: it is a piece of an array that stays in use": "poolproof test example.com/p",
		"b was not taken from this pool: it comes from the pool small":                "",
		"b was not taken from this pool: it comes from another pool":                  "",
	} {
		f := Finding{Code: "PV021", Package: "example.com/p", File: "gone/p.go", Line: 1, Message: message}
		if got := c.Command(f); got != want {
			t.Errorf("%s: %q, want %q", message, got, want)
		}
	}
}
