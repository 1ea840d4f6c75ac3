package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheTableOfToolsIsPrintedWhereNoneIsNamed(t *testing.T) {
	for _, args := range [][]string{nil, {"nonsense"}} {
		var out strings.Builder
		if code := dispatch(context.Background(), args, &out); code != 2 {
			t.Errorf("%q exits with %d, want 2", args, code)
		}
		for _, tool := range tools {
			if listed := strings.Contains(out.String(), "\t"+tool.name+" "); listed != (tool.about != "") {
				t.Errorf("%q: tool %s listed: %t\n%s", args, tool.name, listed, out.String())
			}
		}
	}
}

func TestEachToolTakesItsOwnArguments(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lab")
	if out, err := exec.Command("go", "build", "-o", name, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, test := range []struct {
		args string
		want string
	}{
		{"campaign", "campaign: -dir is missing"},
		{"score nonsense", `score: there is no "nonsense" to score`},
		{"noise", "noise: -scratch is missing"},
		{"mutants -modes slow", `mutants: there is no mode "slow"`},
		{"modules -modes slow", `modules: there is no mode "slow"`},
		{"capture", "cost: capture"},
	} {
		cmd := exec.Command(name, strings.Fields(test.args)...)
		cmd.Env = append(os.Environ(), "GOFLAGS=")
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), test.want) {
			t.Errorf("lab %s: %v, printed\n%s\nwant %q", test.args, err, out, test.want)
		}
	}
}
