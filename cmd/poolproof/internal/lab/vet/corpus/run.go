package corpus

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	// The command is built as a child, of which the go command knows nothing. This tells it that tests
	// which run the command have to run again when its analysis has changed.
	_ "github.com/poolproof/poolproof/cmd/poolproof/internal/vetunit"
)

// Tool is a built poolproof command, as go vet runs it.
type Tool struct {
	Bin string   // its path
	Env []string // added to the environment of the go command
}

// Run is the result of analysing some packages.
type Run struct {
	Reports  []Report
	Failures []string      // packages that were not analysed, with the reason
	CPU      time.Duration // of the go command and all it started
	Wall     time.Duration
}

// Build builds the command in a folder.
func Build(ctx context.Context, dir string) (Tool, error) { return build(ctx, dir) }

// BuildCold builds the command so that it differs from all that were built before:
// the go command has no results of it then.
func BuildCold(ctx context.Context, dir string) (Tool, error) {
	return build(ctx, dir, "-ldflags=-X main.built="+strconv.FormatInt(time.Now().UnixNano(), 36))
}

func build(ctx context.Context, dir string, flags ...string) (Tool, error) {
	_, file, _, ok := runtime.Caller(0)
	if !ok {
		return Tool{}, errors.New("the folder of this package is not known")
	}
	bin := filepath.Join(dir, "poolproof")
	if runtime.GOOS == "windows" {
		bin += ".exe"
	}
	cmd := exec.CommandContext(ctx, "go", append(append([]string{"build", "-o", bin}, flags...), ".")...)
	cmd.Dir = filepath.Join(filepath.Dir(file), "..", "..", "..", "..")
	if out, err := cmd.CombinedOutput(); err != nil {
		return Tool{}, fmt.Errorf("go build of the command: %w\n%s", err, out)
	}
	return Tool{Bin: bin}, nil
}

// Vet analyses packages of the module in dir, in all tiers. It sees to it that
// the module stands alone: a go.work above it is not used.
func (t Tool) Vet(ctx context.Context, dir string, patterns ...string) (Run, error) {
	args := append([]string{"vet", "-vettool=" + t.Bin, "-json", "-poolproof.tier=audit", "-poolproof.explained"}, patterns...)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), "GOWORK=off", "GOFLAGS=-buildvcs=false")
	cmd.Env = append(cmd.Env, t.Env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	err := cmd.Run()
	run := Run{Wall: time.Since(start)}
	if s := cmd.ProcessState; s != nil {
		run.CPU = s.UserTime() + s.SystemTime()
	}
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return run, err
	}
	if ctx.Err() != nil {
		return run, ctx.Err()
	}
	// Where the findings go has changed between Go versions.
	all := append(stdout.Bytes(), stderr.Bytes()...)
	if perr := run.parse(dir, all); perr != nil {
		return run, fmt.Errorf("go %s in %s: %w", strings.Join(args, " "), dir, perr)
	}
	if err != nil && len(run.Failures) == 0 {
		return run, fmt.Errorf("go %s in %s: %w\n%s", strings.Join(args, " "), dir, err, all)
	}
	return run, nil
}

// diagnostic is one finding in the JSON of go vet.
type diagnostic struct {
	Category string `json:"category"`
	Posn     string `json:"posn"`
	Message  string `json:"message"`
}

// parse reads what go vet -json prints: lines that begin with #, compiler errors,
// and for each package an object by package and analyzer.
func (r *Run) parse(dir string, out []byte) error {
	var text, plain bytes.Buffer
	inObject := false
	for line := range bytes.Lines(out) {
		trimmed := bytes.TrimRight(line, "\r\n")
		if !inObject && bytes.HasPrefix(trimmed, []byte("{")) {
			inObject = true
		}
		if inObject {
			text.Write(line)
			inObject = !bytes.HasPrefix(trimmed, []byte("}")) && !bytes.Equal(trimmed, []byte("{}"))
			continue
		}
		if !bytes.HasPrefix(trimmed, []byte("#")) && len(trimmed) > 0 && !bytes.HasPrefix(trimmed, []byte("go: downloading")) {
			plain.Write(line)
		}
	}
	for line := range bytes.Lines(plain.Bytes()) {
		r.Failures = append(r.Failures, strings.TrimSpace(string(line)))
	}
	dec := json.NewDecoder(&text)
	seen := make(map[Report]bool)
	for dec.More() {
		var byPackage map[string]map[string]json.RawMessage
		if err := dec.Decode(&byPackage); err != nil {
			return fmt.Errorf("output is not that of go vet -json: %w", err)
		}
		for pkg, byAnalyzer := range byPackage {
			for name, raw := range byAnalyzer {
				var list []diagnostic
				if json.Unmarshal(raw, &list) != nil {
					r.Failures = append(r.Failures, fmt.Sprintf("%s: %s: %s", pkg, name, raw))
					continue
				}
				for _, d := range list {
					if rep, ok := d.report(dir); ok && !seen[rep] {
						seen[rep] = true
						r.Reports = append(r.Reports, rep)
					}
				}
			}
		}
	}
	slices.SortFunc(r.Reports, func(a, b Report) int {
		return cmp.Or(compareReports(a, b), cmp.Compare(a.Message, b.Message))
	})
	slices.Sort(r.Failures)
	return nil
}

// report is d as a Report. Diagnostics of others are none.
func (d diagnostic) report(dir string) (Report, bool) {
	code, tier, ok := strings.Cut(d.Category, "/")
	if !ok || !codeForm.MatchString(code) {
		return Report{}, false
	}
	file, line, col := splitPosn(d.Posn)
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	if abs, err := filepath.Abs(dir); err == nil && filepath.IsAbs(file) {
		if rel, err := filepath.Rel(abs, file); err == nil {
			file = rel
		}
	}
	return Report{
		File: filepath.ToSlash(file), Line: line, Col: col,
		Code: code, Tier: tier, Message: d.Message,
	}, true
}

// splitPosn splits file:line:col. The file may have a colon.
func splitPosn(posn string) (file string, line, col int) {
	file = posn
	for _, n := range []*int{&col, &line} {
		i := strings.LastIndexByte(file, ':')
		if i < 0 {
			return file, line, col
		}
		v, err := strconv.Atoi(file[i+1:])
		if err != nil {
			return file, line, col
		}
		*n, file = v, file[:i]
	}
	return file, line, col
}

// Folder returns the folder of the corpus of this project.
func Folder() string { return testdata("corpus") }

// Held returns the folder of the code that was written without sight of the
// analysis, from bugs that were published. It is a module of its own, so that its
// figures stand apart from those of the code that the rules were mended with.
func Held() string { return testdata("held") }

// Fresh returns the folder of everyday services, some wrong and some right, that were
// written from the documentation alone.
func Fresh() string { return testdata("fresh") }

// Later returns the folder of everyday services that were written from the documentation alone
// after those of Fresh.
func Later() string { return testdata("later") }

// Asked returns the folder of wrong and right programs for each shape that the checks are
// asked to see, written from a list of shapes and the documentation alone.
func Asked() string { return testdata("asked") }

func testdata(name string) string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "testdata", name)
}
