package sanitize

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
)

// This test binary is the launcher itself, as any program that imports the
// package.
func TestTheLauncherBecomesTheBinary(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot become another one here")
	}
	dir := tree(t, map[string]string{"script": "#!/bin/sh\necho \"$$ $POOLPROOF_TEST_IGNORE $POOLPROOF_TEST_FIELDS$POOLPROOF_TEST_RULES $@\"\nexit 7\n"})
	script, log := filepath.Join(dir, "script"), filepath.Join(dir, "log")
	if err := os.Chmod(script, 0o777); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	index := filepath.Join(dir, "ignores")
	if err := writeLines(index, []string{fmt.Sprintf(`{"/elsewhere": ["/tmp/other", "/tmp/more"], %q: ["/tmp/rules", "/tmp/fields"]}`, dir)}); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, launchArg, "1", "/usr/bin/env", script, "-test.v", "a b")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PWD="+dir, envLog+"="+log, envRules+"="+index)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 7 {
		t.Fatalf("%v: %s", err, out)
	}
	l, err := record.ReadFile(log)
	if err != nil || l.Launches() != 1 {
		t.Fatalf("%+v, %v", l, err)
	}
	launch := l.Processes[0].Launch
	if launch.Binary != script || launch.Dir != dir || launch.PID != cmd.Process.Pid {
		t.Errorf("%+v, the process was %d in %s", launch, cmd.Process.Pid, dir)
	}
	if want := fmt.Sprintf("%d /tmp/rules /tmp/fields -test.v a b\n", cmd.Process.Pid); string(out) != want {
		t.Errorf("%q, want %q: the same process, with its arguments and its rules", out, want)
	}
}

func TestALauncherThatCannotWriteSaysSo(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{
		"the records": {"0", self, "-test.run=^$"},
		"starting":    {"0", "/nowhere/app.test"},
		"of -exec":    {"3", "app.test"},
	} {
		cmd := exec.Command(self, append([]string{launchArg}, args...)...)
		log := filepath.Join(t.TempDir(), "log")
		if name == "the records" {
			log = "/nowhere/log"
		}
		cmd.Env = append(os.Environ(), envLog+"="+log)
		out, _ := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != 2 || !strings.Contains(string(out), "poolproof: starting the test binary:") {
			t.Errorf("%s: exit code %d: %s", name, cmd.ProcessState.ExitCode(), out)
		}
	}
}
