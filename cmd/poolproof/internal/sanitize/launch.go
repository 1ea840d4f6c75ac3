package sanitize

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
)

// The go command starts each test binary through this program, by its -exec:
// the launcher writes down that it starts one, and becomes the binary, with the
// same process id. So a binary that does not prove to be instrumented is noticed, and
// each gets the rules of its own package.
//
// Whichever program calls Run is the launcher too: its main, or the TestMain of a
// test binary, asks Launched before it does anything else.
const launchArg = "poolproof-launches-a-test"

// The environment of instrumented binaries, and of the launcher.
const (
	envConfig = "POOLPROOF_TEST" // the names of all others begin so
	envLog    = "POOLPROOF_TEST_LOG"
	envFields = "POOLPROOF_TEST_FIELDS"
	envIgnore = "POOLPROOF_TEST_IGNORE"
	envRules  = "POOLPROOF_TEST_RULES" // of the launcher: see rulesOf
)

// Launched reports whether the go command started this program to launch a test
// binary. Launch then does that.
func Launched(args []string) bool { return len(args) > 2 && args[0] == launchArg }

// Launch becomes the test binary that the arguments name, and returns the exit
// code where it cannot.
func Launch(args []string) int { return launch(args[1], args[2:]) }

// launch starts a binary; the first n words of the command are the user's own
// -exec.
func launch(n string, command []string) int {
	words, err := strconv.Atoi(n)
	if err != nil || words < 0 || words >= len(command) {
		return failed(fmt.Errorf("%s words of -exec, of %q", n, command))
	}
	binary, err := filepath.Abs(command[words])
	if err != nil {
		return failed(err)
	}
	dir, err := os.Getwd()
	if err != nil {
		return failed(err)
	}
	if err := writeLaunch(os.Getenv(envLog), os.Getpid(), binary, dir); err != nil {
		return failed(err)
	}
	if files, ok := rulesOf(os.Getenv(envRules), dir); ok {
		os.Setenv(envIgnore, files[0])
		os.Setenv(envFields, files[1])
	}
	os.Unsetenv(envRules)
	path, err := exec.LookPath(command[0])
	if err != nil {
		return failed(err)
	}
	code, err := become(path, command)
	if err != nil {
		return failed(err)
	}
	return code
}

func failed(err error) int {
	fmt.Fprintln(os.Stderr, "poolproof: starting the test binary:", err)
	return 2
}

// writeLaunch adds the launch to the records, by one write as all lines.
func writeLaunch(log string, pid int, binary, dir string) error {
	line, err := json.Marshal(struct {
		Event string `json:"ev"`
		record.Launch
	}{record.EventLaunch, record.Launch{PID: pid, Binary: binary, Dir: dir}})
	if err != nil {
		return err
	}
	f, err := os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	if _, err := f.Write(append(line, '\n')); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// rulesOf returns the ignore file and the file of fields for a folder, of a file that has both for each.
func rulesOf(name, dir string) (files [2]string, ok bool) {
	var all map[string][2]string
	if text, err := os.ReadFile(name); err == nil {
		_ = json.Unmarshal(text, &all) // poolproof has written it
	}
	files, ok = all[dir]
	return files, ok
}

// execFlag is the value of -exec that starts this program as the launcher, with
// the user's own program after it.
func execFlag(user []string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	words := append([]string{self, launchArg, strconv.Itoa(len(user))}, user...)
	quoted := make([]string, len(words))
	for i, w := range words {
		// The go command knows quotes, but no escapes.
		switch {
		case w != "" && !strings.ContainsAny(w, " \t\n\r'\""):
			quoted[i] = w
		case !strings.Contains(w, "'"):
			quoted[i] = "'" + w + "'"
		case !strings.Contains(w, `"`):
			quoted[i] = `"` + w + `"`
		default:
			return "", fmt.Errorf("%q cannot be given to go test -exec: it has both kinds of quotes", w)
		}
	}
	return strings.Join(quoted, " "), nil
}
