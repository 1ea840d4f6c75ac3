package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

type result struct {
	passed, cases, failed int // tests; tests and subtests that have no subtests; either
	dropped               int
	reasons               []string
	goVersion             string
	output                string
}

// run makes a module in the folder scratch of the suite's tests and its adapter,
// and runs the tests.
func (s suite) run(scratch string) (r result, err error) {
	source, err := s.source()
	if err != nil {
		return r, err
	}
	if r.goVersion, err = command("", "go", "env", "GOVERSION"); err != nil {
		return r, err
	}
	if err := os.MkdirAll(scratch, 0o755); err != nil {
		return r, err
	}
	wanted := map[string]bool{} // tests that must have run
	for _, name := range s.files {
		text, err := os.ReadFile(filepath.Join(source, name))
		if err != nil {
			return r, err
		}
		cut, err := s.cut(name, string(text))
		if err != nil {
			return r, err
		}
		for _, test := range cut.tests {
			wanted[test] = true
		}
		r.dropped += cut.dropped
		if len(cut.tests) > 0 || cut.helpers {
			if err := os.WriteFile(filepath.Join(scratch, name), cut.text, 0o644); err != nil {
				return r, err
			}
		}
	}
	for _, d := range s.drop {
		r.reasons = append(r.reasons, strings.Join(shown(d.tests), ", ")+": "+d.why)
	}
	if s.adapter == "" {
		if len(wanted) > 0 {
			return r, errors.New("there is no adapter, and yet tests are left")
		}
		return r, nil
	}
	if err := s.complete(scratch); err != nil {
		return r, err
	}
	return s.test(scratch, wanted, r)
}

// shown is how the tests of a reason are printed.
func shown(tests []string) (names []string) {
	for _, t := range tests {
		switch {
		case t == "*":
			names = append(names, "all tests")
		case strings.HasSuffix(t, "*"):
			names = append(names, "`"+strings.TrimSuffix(t, "*")+"`")
		case strings.HasPrefix(t, "Test"), strings.Contains(t, " "):
			names = append(names, t)
		}
	}
	return names
}

// source returns the folder of the suite's package.
func (s suite) source() (string, error) {
	if s.module == "" {
		root, err := command("", "go", "env", "GOROOT")
		return filepath.Join(root, "src", s.dir), err
	}
	text, err := command(os.TempDir(), "go", "mod", "download", "-json", s.module+"@"+s.version)
	if err != nil {
		return "", err
	}
	var at struct{ Dir string }
	if err := json.Unmarshal([]byte(text), &at); err != nil {
		return "", err
	}
	return filepath.Join(at.Dir, s.dir), nil
}

// complete completes the module in scratch.
func (s suite) complete(scratch string) error {
	root, err := filepath.Abs("../../..")
	if err != nil {
		return err
	}
	const library = "github.com/poolproof/poolproof"
	text := "module suite\n\ngo 1.26.0\n\nrequire " + library + " v0.0.0\n\nreplace " + library + " => " + root + "\n"
	for _, need := range s.needs {
		path, version, _ := strings.Cut(need, "@")
		text += "\nrequire " + path + " " + version + "\n"
	}
	if err := os.WriteFile(filepath.Join(scratch, "go.mod"), []byte(text), 0o644); err != nil {
		return err
	}
	if err := os.CopyFS(scratch, os.DirFS(filepath.Join("testdata", s.adapter))); err != nil {
		return err
	}
	_, err = command(scratch, "go", "mod", "tidy")
	return err
}

func (s suite) test(scratch string, wanted map[string]bool, r result) (result, error) {
	cmd := goCommand(scratch, "go", "test", "-json", "-count=1", "-timeout=5m", "-vet=off", "-tags="+s.tags, ".")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return r, err
	}
	var ended []string // tests and subtests, in the order of their ends
	passed := map[string]bool{}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var event struct{ Action, Test, Output string }
		if json.Unmarshal(lines.Bytes(), &event) != nil {
			r.output += lines.Text() + "\n"
			continue
		}
		r.output += event.Output
		if event.Test == "" {
			continue
		}
		switch event.Action {
		case "pass", "fail":
			ended = append(ended, event.Test)
			passed[event.Test] = event.Action == "pass"
		}
	}
	for _, name := range ended {
		switch {
		case !passed[name]:
			r.failed++
			continue
		case !strings.Contains(name, "/"):
			r.passed++
		}
		parent := false
		for _, other := range ended {
			parent = parent || strings.HasPrefix(other, name+"/")
		}
		if !parent {
			r.cases++
		}
	}
	if len(ended) == 0 {
		return r, errors.New("it does not build, or has no tests")
	}
	for name := range wanted {
		if _, ok := passed[name]; !ok {
			return r, fmt.Errorf("%s did not run", name)
		}
	}
	if err != nil && r.failed == 0 {
		return r, errors.New("go test failed, and yet no test did")
	}
	return r, nil
}

// command returns the trimmed standard output of a command.
func command(dir, name string, args ...string) (string, error) {
	cmd := goCommand(dir, name, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s%s", name, strings.Join(args, " "), err, out, stderr.Bytes())
	}
	return strings.TrimSpace(string(out)), nil
}

func goCommand(dir, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod -modcacherw")
	return cmd
}
