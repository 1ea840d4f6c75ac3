package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/cicmd"
)

// readAction reads the action in the repository's root.
func readAction(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestTheActionUsesEachOfItsInputs(t *testing.T) {
	text := readAction(t)
	head, steps, _ := strings.Cut(text, "\nruns:")
	var declared, used []string
	for _, m := range regexp.MustCompile(`(?m)^  ([a-z-]+):$`).FindAllStringSubmatch(head[strings.Index(head, "\ninputs:"):], -1) {
		declared = append(declared, m[1])
	}
	for _, m := range regexp.MustCompile(`inputs\.([a-z-]+)`).FindAllStringSubmatch(steps, -1) {
		used = append(used, m[1])
	}
	slices.Sort(declared)
	slices.Sort(used)
	if used = slices.Compact(used); !slices.Equal(declared, used) || len(used) < 10 {
		t.Errorf("declared %q, used %q", declared, used)
	}
	_, script, _ := strings.Cut(steps, "run: |")
	if strings.Contains(script, "${{") {
		t.Error("the script holds an expression, which a shell would read as code")
	}
}

// TestTheActionRunsCI runs the script of the action with a program in place of poolproof that
// prints its arguments.
func TestTheActionRunsCI(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	_, script, ok := strings.Cut(readAction(t), "run: |\n")
	if !ok {
		t.Fatal("the action has no script")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "poolproof"), []byte("#!/bin/sh\nfor a; do echo \"$a\"; done\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bash, "-e", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "RUNNER_TEMP="+dir, "PACKAGES=./a ./b*", "BASE=", "BUDGET=5m", "BENCH=A B; exit 1", "TAGS=", "THRESHOLD=", "FAIL_ON=never", "JOB=ci", "COMMENT=true", "SARIF=")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	want := []string{"ci", "-base", "", "-budget", "5m", "-bench", "A B; exit 1", "-tags", "", "-threshold", "", "-fail-on", "never", "-job", "ci", "-comment=true", "-sarif", "", "--", "./a", "./b*"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for _, arg := range got {
		if name, _, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "="); strings.HasPrefix(arg, "-") && arg != "--" && !strings.Contains(cicmd.Help, "\t-"+name) {
			t.Errorf("ci has no flag -%s", name)
		}
	}
}
