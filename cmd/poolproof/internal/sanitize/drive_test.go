package sanitize

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/toolchain"
)

// The driver is tested with hooks that only talk: the overlay adds a file to
// package testing that writes the start line, and the tests themselves write
// the lines of findings. So we decide what a binary says, and look at what the
// driver makes of it. The real hooks are tested by the scripts of the command.
const talk = `package testing

import (
	"fmt"
	"os"
)

func init() {
	name := os.Getenv("POOLPROOF_TEST_LOG")
	if name == "" || os.Getenv("TALK") == "mute" {
		return
	}
	exe, _ := os.Executable()
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return
	}
	fmt.Fprintf(f, "{\"ev\":\"start\",\"pid\":%d,\"version\":2,\"mode\":\"exact\",\"form\":\"fake\",\"binary\":%q}\n", os.Getpid(), exe)
	f.Close()
}
`

// say is for the packages under test.
const say = `package m

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
)

var _ sync.Pool // else there is nothing to watch

func watched() bool { return os.Getenv("POOLPROOF_TEST_LOG") != "" }

func mode(key string) string {
	for kv := range strings.SplitSeq(os.Getenv("POOLPROOF_TEST"), ",") {
		if value, ok := strings.CutPrefix(kv, key+"="); ok {
			return value
		}
	}
	return ""
}

// ignored reports whether the rules that a binary gets are about a misuse, as
// the hooks do: all entries are about the tests here.
func ignored(t *testing.T) bool {
	rules, _ := os.ReadFile(os.Getenv("POOLPROOF_TEST_IGNORE"))
	for line := range strings.Lines(string(rules)) {
		if strings.HasPrefix(line, "known ") || strings.TrimSpace(line) == "test "+t.Name() {
			return true
		}
	}
	return false
}

// misuse reports one, as the hooks do, and fails the test.
func misuse(t *testing.T, kind, severity string) {
	if !watched() {
		return
	}
	_, file, line, _ := runtime.Caller(1)
	f, err := os.OpenFile(os.Getenv("POOLPROOF_TEST_LOG"), os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	silent := ignored(t)
	frame := fmt.Sprintf("{\"func\":\"example.com/m.%s\",\"file\":%q,\"line\":%d}", t.Name(), file, line)
	fmt.Fprintf(f, "{\"ev\":\"report\",\"pid\":%d,\"id\":%d,\"kind\":%q,\"severity\":%q,\"test\":%q,\"type\":\"*m.T\",\"what\":\"object\",\"offset\":0,\"size\":8,\"total\":8,\"access\":[%s],\"put\":[%s],\"get\":[],\"ignored\":%t}\n",
		os.Getpid(), line, kind, severity, t.Name(), frame, frame, silent)
	f.Close()
	if !silent && (severity == "error" || mode("strict") == "on") {
		t.Error("misuse detected")
	}
}
`

// talking are those hooks.
func talking(_ context.Context, p *plan) (toolchain.Overlay, error) {
	file := filepath.Join(p.scratch, "talk.go")
	if err := os.WriteFile(file, []byte(talk), 0o666); err != nil {
		return toolchain.Overlay{}, err
	}
	return toolchain.Overlay{Replace: map[string]string{filepath.Join(p.toolchain.Root, "src", "testing", "zz_talk.go"): file}, Form: "fake"}, nil
}

// module makes a module of test functions, each a body with t.
func module(t *testing.T, tests string, files ...string) string {
	t.Helper()
	all := map[string]string{
		"go.mod":      "module example.com/m\n\ngo 1.24\n",
		"say_test.go": say,
		"m_test.go":   "package m\n\nimport (\n\t\"os\"\n\t\"testing\"\n\t\"time\"\n)\n\nvar _ = os.Exit\nvar _ = time.Now\nvar _ testing.TB\n\n" + tests,
	}
	for i := 0; i < len(files); i += 2 {
		all[files[i]] = files[i+1]
	}
	return tree(t, all)
}

// drive runs the driver over a module.
func drive(t *testing.T, dir string, change func(*Options)) (*Result, string, error) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds and runs tests")
	}
	t.Setenv("GOFLAGS", os.Getenv("TEST_GOFLAGS"))
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOWORK", "")
	var out bytes.Buffer
	o := Options{Dir: dir, Flags: []string{"-vet=off"}, Packages: []string{"./..."}, Stdout: &out, Stderr: &out, Cache: filepath.Join(t.TempDir(), "cache")}
	if change != nil {
		change(&o)
	}
	res, err := run(t.Context(), o, talking)
	return res, out.String(), err
}

// classesOf returns the failures of a result, by the name of the test.
func classesOf(res *Result) map[string]Class {
	all := map[string]Class{}
	for _, f := range res.Failures {
		all[strings.TrimPrefix(f.Test.Package, "example.com/")+" "+f.Test.Name] = f.Class
	}
	return all
}

func goroot(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
