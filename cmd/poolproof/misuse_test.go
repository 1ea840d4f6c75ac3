package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var updateMisuses = flag.Bool("update-misuses", false, "write the table of internal/lab/records/misuses.md")

const (
	misuseDir   = "testdata/misuse"
	misusePage  = "internal/lab/records/misuses.md"
	misuseBegin = "<!-- begin misuses -->\n"
	misuseEnd   = "<!-- end misuses -->"
)

// form is a test of testdata/misuse.
type form struct {
	test, says     string
	legal, handsOn bool
	file           string
	first, last    int       // lines, with the helpers that stand before the test
	seen           [4]string // by columns; "" is not seen
}

var misuseColumns = [4]string{"`go test`", "checked build", "`poolproof test`", "`poolproof vet`"}

// unseen are the forms that hand on the data of one owner and that nothing sees yet.
// The list may only become shorter.
var unseen []string

// TestMisuse runs each form of testdata/misuse by itself, in the checked build, under
// poolproof test and before poolproof vet. The table in internal/lab/records/misuses.md says who sees
// it. It may only improve: what the table has as seen must be seen.
func TestMisuse(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the library four times")
	}
	forms := readForms(t)
	env := append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	run := func(name string, args ...string) []byte {
		c := exec.Command(name, args...)
		c.Dir, c.Env = misuseDir, env
		out, err := c.Output()
		if len(out) == 0 {
			t.Fatalf("%s %s printed nothing: %v", name, args, err)
		}
		return out
	}
	program := filepath.Join(t.TempDir(), "poolproof")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	note := func(column int, test, how string) {
		for _, f := range forms {
			if f.test == test && !strings.Contains(f.seen[column], how) {
				f.seen[column] = strings.TrimPrefix(f.seen[column]+", "+how, ", ")
			}
		}
	}
	failures := func(column int, out []byte) {
		for _, e := range events(t, out) {
			if e.Action == "fail" && e.Test != "" {
				note(column, e.Test, "yes")
			}
		}
	}
	failures(0, run("go", "test", "-vet=off", "-count=1", "-json", "."))
	failures(1, run("go", "test", "-vet=off", "-count=1", "-json", "-tags", "poolproofdebug", "."))
	out := run(program, "test", "-json", ".")
	for _, e := range events(t, out) {
		if e.Action == "finding" {
			for _, test := range e.Tests {
				note(2, test, e.Kind)
			}
		}
	}
	for _, f := range forms { // what fails without the sanitizer too is no finding of its own
		for _, e := range events(t, out) {
			if e.Action == "fail" && e.Test == f.test && f.seen[2] == "" {
				f.seen[2] = "yes"
			}
		}
	}
	var vetted struct {
		Findings []struct {
			Code, File string
			Line       int
		}
	}
	if err := json.Unmarshal(run(program, "vet", "-json", "."), &vetted); err != nil {
		t.Fatal(err)
	}
	for _, x := range vetted.Findings {
		for _, f := range forms {
			if filepath.Base(x.File) == f.file && f.first <= x.Line && x.Line <= f.last {
				note(3, f.test, x.Code)
			}
		}
	}

	page, err := os.ReadFile(misusePage)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(page), misuseBegin)
	old, after, ok2 := strings.Cut(rest, misuseEnd)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the table", misusePage)
	}
	table := misuseTable(forms)
	was := map[string][]string{}
	for line := range strings.Lines(old) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		was[strings.TrimSpace(cells[0])] = cells[1:]
	}
	for _, f := range forms {
		if f.legal && f.seen != [4]string{} {
			t.Errorf("%s is right, and is reported: %q", f.test, f.seen)
		}
		for i, cell := range was[f.says] {
			if strings.TrimSpace(cell) != "no" && i < len(f.seen) && f.seen[i] == "" {
				t.Errorf("%s sees no longer: %s", misuseColumns[i], f.says)
			}
		}
		if f.handsOn && f.seen == [4]string{} && !slices.Contains(unseen, f.test) {
			t.Errorf("nothing sees: %s", f.says)
		}
	}
	if *updateMisuses {
		if err := os.WriteFile(misusePage, []byte(before+misuseBegin+table+misuseEnd+after), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if !t.Failed() && old != table {
		t.Errorf("the table in internal/lab/records/misuses.md is old; run this test with -update-misuses. It should be\n%s", table)
	}
}

func misuseTable(forms []*form) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n| form | %s |\n|---|---|---|---|---|\n", strings.Join(misuseColumns[:], " | "))
	for _, f := range forms {
		if f.legal {
			continue
		}
		cells := f.seen
		for i := range cells {
			switch {
			case cells[i] == "":
				cells[i] = "no"
			case i == 3:
				codes := strings.Split(cells[i], ", ")
				slices.Sort(codes)
				cells[i] = strings.Join(codes, ", ")
			default:
				cells[i] = "yes"
			}
		}
		fmt.Fprintf(&b, "| %s | %s |\n", f.says, strings.Join(cells[:], " | "))
	}
	b.WriteString("\n")
	return b.String()
}

type testEvent struct {
	Action, Test, Kind string
	Tests              []string
}

func events(t *testing.T, out []byte) (all []testEvent) {
	t.Helper()
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var e testEvent
		if json.Unmarshal(lines.Bytes(), &e) == nil {
			all = append(all, e)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// readForms returns the tests of testdata/misuse in the order of the files.
func readForms(t *testing.T) (forms []*form) {
	t.Helper()
	for _, file := range []string{"pool_test.go", "buffer_test.go", "hotswap_test.go", "legal_test.go"} {
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, filepath.Join(misuseDir, file), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		first := 1
		for _, d := range tree.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !strings.HasPrefix(f.Name.Name, "Test") {
				continue
			}
			x := &form{test: f.Name.Name, file: file, first: first, last: set.Position(f.End()).Line, legal: file == "legal_test.go"}
			first = x.last + 1
			says, handsOn, _ := strings.Cut(f.Doc.Text(), "\n")
			x.says, x.handsOn = strings.TrimPrefix(says, "form: "), strings.TrimSpace(handsOn) == "hands on"
			if !x.legal && x.says == says {
				t.Fatalf("%s: the comment of %s does not begin with \"form: \"", file, x.test)
			}
			forms = append(forms, x)
		}
	}
	return forms
}
