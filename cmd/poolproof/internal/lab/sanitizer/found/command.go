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
// The column "again" says whether the command that the finding prints shows it once more,
// alone. A leak has no such command.
//
// The kind is one of the sanitizer's, with the word warning after it where it is one; or
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
	bin := filepath.Join(dir, "bin")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", bin+string(filepath.Separator), "github.com/poolproof/poolproof/cmd/poolproof").CombinedOutput(); err != nil {
		return 0, fmt.Errorf("go build: %w\n%s", err, out)
	}
	fmt.Println("| test | module | kind | found | again |\n|---|---|---|---|---|")
	for _, t := range all {
		if !strings.Contains(t.name, part) {
			continue
		}
		of := filepath.Join(dir, t.name)
		seen, command, err := t.run(ctx, of)
		if err != nil {
			return missing, fmt.Errorf("%s: %w", t.name, err)
		}
		again := "–"
		if seen && !t.leaks() {
			again = word(t.again(ctx, of, bin, command))
		}
		if !seen || again == "no" {
			missing++
		}
		fmt.Printf("| %s | %s | %s, %s | %s | %s |\n", t.name, t.module, t.kind, t.severity, word(seen), again)
	}
	return missing, nil
}

func word(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
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

// leaks reports whether the defect is objects that are never put.
func (t test) leaks() bool { return strings.HasPrefix(t.kind, "leak ") }

// env is for modules outside of this workspace.
var env = []string{"GOWORK=off", "GOFLAGS=-mod=mod"}

// again reports whether a command of poolproof, which lies in the folder bin, shows the
// defect once more.
func (t test) again(ctx context.Context, dir, bin, command string) bool {
	if command == "" {
		return false
	}
	c := exec.CommandContext(ctx, "sh", "-c", command)
	c.Dir = dir
	c.Env = append(append(os.Environ(), env...), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	out, _ := c.CombinedOutput() // its exit code is that of other findings too
	head := t.kind
	if t.severity == "warning" {
		head = "warning: "
	}
	for line := range strings.Lines(string(out)) {
		if number, rest, ok := strings.Cut(line, ". "); ok && strings.Trim(number, "0123456789") == "" && strings.Contains(rest, head) && strings.Contains(rest, t.kind) {
			return true
		}
	}
	return false
}

// run makes a module of the test, and reports whether its defect was found, and the command
// that shows it again.
func (t test) run(ctx context.Context, dir string) (seen bool, again string, err error) {
	if _, err := os.Stat(filepath.Join(dir, "go.sum")); err != nil {
		if err := errors.Join(
			os.MkdirAll(dir, 0o777),
			os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module found\n\ngo 1.25\n"), 0o666),
			os.WriteFile(filepath.Join(dir, "found_test.go"), t.text, 0o666)); err != nil {
			return false, "", err
		}
		for _, args := range [][]string{{"get", t.module}, {"mod", "tidy"}} {
			cmd := exec.CommandContext(ctx, "go", args...)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
			if out, err := cmd.CombinedOutput(); err != nil {
				return false, "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
			}
		}
	}
	var out bytes.Buffer
	res, err := sanitize.Run(ctx, sanitize.Options{Dir: dir, Flags: []string{"-vet=off"}, Env: env, Leaks: true, Stdout: &out, Stderr: &out})
	if err != nil {
		return false, "", fmt.Errorf("%w\n%s", err, out.Bytes())
	}
	if typ, ok := strings.CutPrefix(t.kind, "leak "); ok {
		return slices.ContainsFunc(res.Pools, func(p finding.Pool) bool { return strings.TrimPrefix(p.Type, "*") == typ && p.Leaked > 0 }), "", nil
	}
	if res.Launched == 0 {
		return false, "", fmt.Errorf("no test binary ran\n%s", out.Bytes())
	}
	for _, f := range res.Findings {
		for _, r := range f.Reports {
			if string(r.Kind) == t.kind && string(r.Severity) == t.severity {
				o := res.Printer.Object(0, r)
				return true, o.Again, nil
			}
		}
	}
	return false, "", nil
}
