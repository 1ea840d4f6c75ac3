package duet

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var same = flag.String("engine", "", "`why` the engine has another version now, or still the same one: rewrites testdata/engine.txt")

const goldenEngine = "testdata/engine.txt"

// engineFolders hold what decides what a launch does and what its record means:
// this package, and what is put into the user's toolchain.
var engineFolders = []string{".", "../overlay"}

// engineDigest is that of the sources in those folders: of Go files their code
// without comments, so that words can change.
func engineDigest(folders []string) (string, error) {
	h := sha256.New()
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "testdata":
				return fs.SkipDir
			case d.IsDir() || strings.HasSuffix(name, "_test.go") || name == "version.go":
				return nil
			}
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			if strings.HasSuffix(name, ".go") {
				if data, err = withoutComments(name, data); err != nil {
					return err
				}
			}
			fmt.Fprintf(h, "%s %d\n%s\n", filepath.ToSlash(name), len(data), data)
			return nil
		})
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func withoutComments(name string, source []byte) ([]byte, error) {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, name, source, parser.SkipObjectResolution) // comments are left out
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = format.Node(&b, files, f)
	// Positions keep blank lines where comments were.
	return bytes.Join(bytes.Fields(b.Bytes()), []byte(" ")), err
}

// engineProblem compares the digest now with what was written down; "" says that
// nothing changed.
func engineProblem(written string, version int, digest string) string {
	if strings.HasPrefix(written, fmt.Sprintf("version %d\ndigest %s\n", version, digest)) {
		return ""
	}
	return fmt.Sprintf("the code that measures has changed since %s was written.\n"+
		"If a launch of the same two binaries now does or records something else, raise Version in version.go: results of the old engine are then known for such.\n"+
		"If it does not, Version stays. In both cases say so with a reason:\n\n"+
		"\tgo test ./internal/duet -run TestTheEngineIsThatOfItsVersion -engine 'why'", goldenEngine)
}

// TestTheEngineIsThatOfItsVersion fails where the measuring code has changed, until
// its author says whether the version rises, and why.
func TestTheEngineIsThatOfItsVersion(t *testing.T) {
	digest, err := engineDigest(engineFolders)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(goldenEngine)
	if err != nil && *same == "" {
		t.Fatal(err)
	}
	why := engineProblem(string(data), Version, digest)
	switch {
	case why == "":
	case *same == "":
		t.Fatal(why)
	default:
		_, reasons, _ := strings.Cut(string(data), "\n\n")
		text := fmt.Sprintf("version %d\ndigest %s\n\n%s%d: %s\n", Version, digest, reasons, Version, *same)
		if err := os.WriteFile(goldenEngine, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAChangeOfTheMeasuringCodeIsNoticed(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		digest, err := engineDigest([]string{dir})
		if err != nil {
			t.Fatal(err)
		}
		return digest
	}
	const code = "package a\n\nconst warmUp = 40\n"
	first := write("a.go", code)
	for name, text := range map[string]string{"a_test.go": "package a", "testdata/b.go": "package b"} {
		if got := write(name, text); got != first {
			t.Errorf("%s changes the digest", name)
		}
	}
	if got := write("a.go", "// Package a is said otherwise.\npackage a\n\n// warmUp is said.\nconst warmUp = 40 // here, too\n"); got != first {
		t.Error("a comment changes the digest")
	}
	if got := write("a.go", "package a\n\nconst warmUp = 41\n"); got == first {
		t.Error("a number does not change the digest")
	}
	write("a.go", code)
	if got := write("src/x.txt", "edit"); got == first {
		t.Error("a file that is no Go does not change the digest")
	}
	written := fmt.Sprintf("version 1\ndigest %s\n\n1: first\n", first)
	if engineProblem(written, 1, first) != "" || engineProblem(written, 2, first) == "" || engineProblem(written, 1, "0") == "" || engineProblem("", 1, first) == "" {
		t.Error("the file of a version is not held against version and digest")
	}
}
