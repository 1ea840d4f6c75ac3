// Package found runs the reproducing tests of docs/found.md: each is a few lines that use a
// published module at a fixed version as its users do. It fetches the modules from the
// module proxy, runs each test under the sanitizer, and says whether the defect shows.
//
//	go run ./internal/lab found [-dir DIR] [NAME]
//
// NAME is a part of the name of a test; without one all run. The first two lines
// of each file in testdata say which module it is about, and what must be found:
//
//	// github.com/go-faster/jx@v1.2.0
//	// left-over
//
// The kind is one of the sanitizer's, with the word warning behind it where it is one; or
// leak and a type: objects of it that were got and never put.
package found

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/finding"
)

//go:embed testdata/*.txt
var tests embed.FS

// test is one defect.
type test struct {
	name     string
	module   string
	kind     string
	severity string // error, or warning
	text     []byte
}

// Main is the tool: it returns 0 if all defects show, 1 if one does not, 2 if it could
// not be asked.
func Main(ctx context.Context, args []string) int {
	fs := flag.NewFlagSet("found", flag.ContinueOnError)
	dir := fs.String("dir", "", "where the modules of the tests are made; default: a temporary folder")
	if err := fs.Parse(args); err != nil {
		return 2
	}
	missing, err := run(ctx, *dir, fs.Arg(0))
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "found:", err)
		return 2
	case missing > 0:
		fmt.Fprintf(os.Stderr, "found: %d defects did not show\n", missing)
		return 1
	}
	return 0
}

// run runs the tests whose name has a part, and counts the defects that do not show.
func run(ctx context.Context, dir, part string) (missing int, err error) {
	all, err := read()
	if err != nil {
		return 0, err
	}
	if dir == "" {
		if dir, err = os.MkdirTemp("", "poolproof-found"); err != nil {
			return 0, err
		}
		defer os.RemoveAll(dir)
	}
	fmt.Println("| test | module | kind | found |\n|---|---|---|---|")
	for _, t := range all {
		if !strings.Contains(t.name, part) {
			continue
		}
		seen, err := t.run(ctx, filepath.Join(dir, t.name))
		if err != nil {
			return missing, fmt.Errorf("%s: %w", t.name, err)
		}
		word := "yes"
		if !seen {
			word = "no"
			missing++
		}
		fmt.Printf("| %s | %s | %s, %s | %s |\n", t.name, t.module, t.kind, t.severity, word)
	}
	return missing, nil
}

// read returns the tests, sorted by name.
func read() ([]test, error) {
	files, err := tests.ReadDir("testdata")
	if err != nil {
		return nil, err
	}
	var all []test
	for _, f := range files {
		text, err := tests.ReadFile("testdata/" + f.Name())
		if err != nil {
			return nil, err
		}
		t, err := parse(strings.TrimSuffix(f.Name(), ".txt"), text)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

// parse reads the first two lines of a test.
func parse(name string, text []byte) (test, error) {
	lines := strings.SplitN(string(text), "\n", 3)
	if len(lines) < 3 || !strings.HasPrefix(lines[0], "// ") || !strings.Contains(lines[0], "@") || !strings.HasPrefix(lines[1], "// ") {
		return test{}, fmt.Errorf("%s: its first two lines are not // MODULE@VERSION and // KIND [warning]", name)
	}
	kind, warning := strings.CutSuffix(lines[1][3:], " warning")
	t := test{name: name, module: lines[0][3:], kind: kind, severity: "error", text: text}
	if warning {
		t.severity = "warning"
	}
	return t, nil
}

// run makes a module of the test, and reports whether its defect was found.
func (t test) run(ctx context.Context, dir string) (bool, error) {
	env := []string{"GOWORK=off", "GOFLAGS=-mod=mod"}
	if _, err := os.Stat(filepath.Join(dir, "go.sum")); err != nil {
		if err := errors.Join(
			os.MkdirAll(dir, 0o777),
			os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module found\n\ngo 1.25\n"), 0o666),
			os.WriteFile(filepath.Join(dir, "found_test.go"), t.text, 0o666)); err != nil {
			return false, err
		}
		for _, args := range [][]string{{"get", t.module}, {"mod", "tidy"}} {
			cmd := exec.CommandContext(ctx, "go", args...)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
			if out, err := cmd.CombinedOutput(); err != nil {
				return false, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
			}
		}
	}
	var out bytes.Buffer
	res, err := sanitize.Run(ctx, sanitize.Options{Dir: dir, Flags: []string{"-vet=off"}, Env: env, Leaks: true, Stdout: &out, Stderr: &out})
	if err != nil {
		return false, fmt.Errorf("%w\n%s", err, out.Bytes())
	}
	if typ, ok := strings.CutPrefix(t.kind, "leak "); ok {
		return slices.ContainsFunc(res.Pools, func(p finding.Pool) bool { return strings.TrimPrefix(p.Type, "*") == typ && p.Leaked > 0 }), nil
	}
	if res.Launched == 0 {
		return false, fmt.Errorf("no test binary ran\n%s", out.Bytes())
	}
	for _, f := range res.Findings {
		for _, r := range f.Reports {
			if string(r.Kind) == t.kind && string(r.Severity) == t.severity {
				return true, nil
			}
		}
	}
	return false, nil
}
