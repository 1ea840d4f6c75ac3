// Package peers asks other checkers about the corpus. Each is good at what it was
// made for; the question is how much of the corpus that is.
package peers

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus"
)

// Checker is another analyzer.
type Checker struct {
	Name string
	Args []string // of the go command; the patterns follow
	Code func(message string) string
}

// Checkers are the analyzers that say something about pools.
var Checkers = []Checker{
	{
		Name: "go vet (copylocks)",
		Args: []string{"vet", "-copylocks"},
		Code: func(m string) string {
			if strings.Contains(m, "sync.Pool contains sync.noCopy") {
				return "PV019"
			}
			return ""
		},
	},
	{
		Name: "staticcheck v0.8.2 (SA6002)",
		Args: []string{"run", "honnef.co/go/tools/cmd/staticcheck@v0.8.2", "-checks", "SA6002"},
		Code: func(m string) string {
			if strings.Contains(m, "SA6002") {
				return "PV008"
			}
			return ""
		},
	},
	{
		Name: "gocritic v0.14.4 (all checks; those about defers count)",
		Args: []string{"run", "github.com/go-critic/go-critic/cmd/gocritic@v0.14.4", "check", "-enableAll"},
		Code: func(m string) string {
			if strings.Contains(m, "deferInLoop") {
				return "PV016"
			}
			return ""
		},
	},
}

var lineForm = regexp.MustCompile(`^(?:vet: )?(.+\.go):(\d+)(?::(\d+))?: (.*)$`)

// Run asks c about the packages of the module in dir.
func (c Checker) Run(ctx context.Context, dir string) ([]corpus.Report, error) {
	cmd := exec.CommandContext(ctx, "go", append(append([]string(nil), c.Args...), "./...")...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), "GOWORK=off")
	out, err := cmd.CombinedOutput()
	reports, lines := parse(dir, string(out), c.Code)
	if err != nil && lines == 0 {
		return nil, fmt.Errorf("%s: %w\n%s", c.Name, err, out) // it did not run
	}
	return reports, nil
}

// parse reads lines of the form file:line:col: message, and says how many there
// were, of whatever kind.
func parse(dir, out string, code func(string) string) (reports []corpus.Report, lines int) {
	for line := range strings.Lines(out) {
		m := lineForm.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		lines++
		c := code(m[4])
		if c == "" {
			continue
		}
		file := m[1]
		if filepath.IsAbs(file) {
			if rel, err := filepath.Rel(dir, file); err == nil {
				file = rel
			}
		}
		at, _ := strconv.Atoi(m[2])
		col, _ := strconv.Atoi(m[3])
		reports = append(reports, corpus.Report{
			File: strings.TrimPrefix(filepath.ToSlash(file), "./"),
			Line: at, Col: col, Code: c, Tier: "error", Message: m[4],
		})
	}
	return reports, lines
}
