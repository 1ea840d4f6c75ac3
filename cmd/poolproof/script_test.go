package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/forge/forgetest"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sarif/sariftest"
)

func TestMain(m *testing.M) {
	if sanitize.Launched(os.Args[1:]) {
		os.Exit(sanitize.Launch(os.Args[1:]))
	}
	testscript.Main(m, map[string]func(){
		"poolproof":    main,
		"interrupting": interrupting,
	})
}

// The scripts in testdata/script are the manual of the command by example.
// They run the built command as a process, in a folder of their own, with the
// build cache and the module cache of the user and no network.
//
// Besides the usual commands of testscript they have
//
//	exits CODE command...           the command ends with that exit code, without a stack
//	                                trace, and leaves no process behind
//	sarif                           what was printed last follows the schema of SARIF
//	forge HOST                      the commands that follow are a job of GitHub or GitLab, whose forge runs here
//	forge STATUS METHOD             its next answer to a request of this method is an error
//	forge comments                  prints the comments of the request into the file comments
//	interrupting SIGNAL[,SIGNAL...] FILE command...
//	                                (a program) sends the signals to the command once
//	                                FILE has got a line more, and ends as the command does
func TestScript(t *testing.T) {
	if testing.Short() {
		t.Skip("scripts build and measure")
	}
	env := goEnv(t)
	testscript.RunT(serial{t}, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			home := filepath.Join(e.WorkDir, ".home")
			e.Setenv("HOME", home)
			for name, value := range env {
				e.Setenv(name, value)
			}
			e.Setenv("GOPROXY", "off")
			return os.Mkdir(home, 0o777)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "sarif": isSARIF, "forge": startForge},
		Condition: func(name string) (bool, error) {
			if name == "root" {
				return os.Geteuid() == 0, nil
			}
			return false, fmt.Errorf("no condition %q", name)
		},
	})
}

// goEnv returns the variables that scripts share with the user's go command.
func goEnv(t *testing.T) map[string]string {
	t.Helper()
	out, err := exec.Command("go", "env", "-json", "GOCACHE", "GOMODCACHE", "GOPATH").Output()
	if err != nil {
		t.Fatal(err)
	}
	env := map[string]string{}
	if err := json.Unmarshal(out, &env); err != nil {
		t.Fatal(err)
	}
	// A package of the module cache, which nobody may write.
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/rivo/uniseg").Output()
	if err != nil {
		t.Fatal(err)
	}
	env["CACHED"] = strings.TrimSpace(string(dir))
	// The library, and its code that is wrong on purpose.
	if env["ROOT"], err = filepath.Abs("../.."); err != nil {
		t.Fatal(err)
	}
	env["HOTSWAP"] = filepath.Join(env["ROOT"], "hotswap", "testdata")
	// The command itself, for a PATH without anything.
	if env["POOLPROOF"], err = exec.LookPath("poolproof"); err != nil {
		t.Fatal(err)
	}
	return env
}

// serial runs scripts one after another: they measure time.
type serial struct{ *testing.T }

func (s serial) Parallel() {}

func (s serial) Run(name string, f func(testscript.T)) {
	s.T.Run(name, func(t *testing.T) { f(serial{t}) })
}

func (s serial) Verbose() bool { return testing.Verbose() }

// startForge is the script command "forge".
func startForge(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: forge GitHub|GitLab, forge STATUS METHOD, forge comments")
	}
	name := func(file string) string { return filepath.Join(ts.Getenv("WORK"), file) }
	set := func(env ...string) {
		for i := 0; i < len(env); i += 2 {
			ts.Setenv(env[i], env[i+1])
		}
	}
	server, _ := forges.Load(ts.Getenv("WORK"))
	switch args[0] {
	case "GitHub", "GitLab":
		f := forgetest.Start()
		ts.Defer(f.Close)
		forges.Store(ts.Getenv("WORK"), f)
		if args[0] == "GitLab" {
			set("GITHUB_ACTIONS", "", "GITLAB_CI", "true", "CI_MERGE_REQUEST_IID", "7", "CI_PROJECT_ID", "42", "CI_API_V4_URL", f.URL, "POOLPROOF_TOKEN", "token",
				"CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main")
			return
		}
		ts.Check(os.WriteFile(name("event.json"), []byte(`{"pull_request": {"number": 7, "base": {"ref": "main"}}}`), 0o666))
		set("GITHUB_ACTIONS", "true", "GITHUB_EVENT_PATH", name("event.json"), "GITHUB_REPOSITORY", "o/r", "GITHUB_API_URL", f.URL, "GITHUB_TOKEN", "token",
			"GITHUB_STEP_SUMMARY", name("summary.md"))
	case "comments":
		var text strings.Builder
		for _, c := range server.(*forgetest.Server).Comments() {
			fmt.Fprintln(&text, c.Body)
		}
		ts.Check(os.WriteFile(name("comments"), []byte(text.String()), 0o666))
	default:
		status, err := strconv.Atoi(args[0])
		ts.Check(err)
		server.(*forgetest.Server).Fail(forgetest.Failure{Method: args[1], Status: status, Body: `{"message": "no luck"}`})
	}
}

// forges are the running ones, by the folder of their script.
var forges sync.Map

// isSARIF is the script command "sarif": what was printed last follows the schema.
func isSARIF(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: sarif")
	}
	ts.Check(sariftest.Validate([]byte(ts.ReadFile("stdout"))))
}

// exits is the script command "exits".
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE command...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var failed *exec.ExitError
	switch {
	case errors.As(err, &failed):
		got = failed.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit code %d, not %d", got, want)
	}
	for _, name := range []string{"stdout", "stderr"} {
		if text := ts.ReadFile(name); stackTrace.MatchString(text) {
			ts.Fatalf("%s holds a stack trace", name)
		}
	}
	left := running(ts.Getenv("WORK"))
	for end := time.Now().Add(10 * time.Second); len(left) > 0 && time.Now().Before(end); left = running(ts.Getenv("WORK")) {
		time.Sleep(10 * time.Millisecond) // what was killed ends when it gets a processor
	}
	if len(left) > 0 {
		ts.Fatalf("processes left behind: %s", strings.Join(left, ", "))
	}
}

// stackTrace matches the head of a goroutine's stack, not the word in a text.
var stackTrace = regexp.MustCompile(`goroutine \d+ .*\[`)

// running lists the processes whose program lies below dir.
func running(dir string) (left []string) {
	exes, _ := filepath.Glob("/proc/[0-9]*/exe") // none where there is no /proc
	for _, link := range exes {
		if exe, err := os.Readlink(link); err == nil && strings.HasPrefix(exe, dir+"/") {
			left = append(left, exe)
		}
	}
	return left
}

// interrupting is the program "interrupting".
func interrupting() {
	signals := map[string]os.Signal{"INT": os.Interrupt, "TERM": syscall.SIGTERM, "KILL": os.Kill}
	file := os.Args[2]
	cmd := exec.Command(os.Args[3], os.Args[4:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	before := linesOf(file)
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(99)
	}
	go func() {
		for {
			if linesOf(file) > before {
				for _, name := range strings.Split(os.Args[1], ",") {
					cmd.Process.Signal(signals[name])
					time.Sleep(20 * time.Millisecond)
				}
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	_ = cmd.Wait() // its state tells more
	os.Exit(cmd.ProcessState.ExitCode())
}

func TestTheTestSeesAProcessThatIsLeftBehind(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is no /proc")
	}
	dir := t.TempDir()
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Skip(err)
	}
	b, err := os.ReadFile(sleep)
	if err != nil {
		t.Fatal(err)
	}
	// Some systems have one program for many names: the name is kept.
	name := filepath.Join(dir, "sleep")
	if err := os.WriteFile(name, b, 0o777); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(name, "60")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { cmd.Process.Kill(); cmd.Wait() }()
	if got := running(dir); len(got) != 1 {
		t.Fatalf("running: %q, want one process", got)
	}
}

// linesOf counts the lines of a file, 0 where there is none.
func linesOf(name string) int {
	b, _ := os.ReadFile(name)
	return bytes.Count(b, []byte("\n"))
}
