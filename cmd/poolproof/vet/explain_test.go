package vet_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/poolproof/poolproof/cmd/poolproof/vet"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checktest"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/directive"
)

// ending matches a text that ends with how to fix a finding, and then how to suppress it.
var ending = regexp.MustCompile(`\n\nFix: [^\n]+\n\nSuppression, [^\n]+\n\n    //poolproof:ignore (PV\d+) [^\n]+\n$`)

func TestEveryCheckHasItsCodeAndText(t *testing.T) {
	var checks []directive.Code
	for _, c := range vet.Checks() {
		checks = append(checks, directive.Code{Code: c.Code, Name: c.Name})
		var out bytes.Buffer
		if err := vet.Explain(&out, c.Code); err != nil {
			t.Errorf("%s: %v", c.Code, err)
		}
		tier := c.Tier.String()
		if c.Else.Tier != 0 {
			tier += "; " + c.Else.Tier.String() + " if " + c.Else.If
		}
		for _, part := range []string{"# " + c.Code + " " + c.Name + "\n", "\nTier: " + tier, "\nWhy: ", "```go wrong\n", "```go right\n"} {
			if !strings.Contains(out.String(), part) {
				t.Errorf("the text of %s is without %q", c.Code, part)
			}
		}
		if m := ending.FindStringSubmatch(out.String()); m == nil || m[1] != c.Code {
			t.Errorf("the text of %s does not end with the fix and the suppression", c.Code)
		}
	}
	if !slices.Equal(checks, directive.Codes) {
		t.Errorf("the checks are %v, and directives know %v", checks, directive.Codes)
	}
	files, err := filepath.Glob("explain/*.md")
	if err != nil || len(files) != len(checks) {
		t.Errorf("%d texts of %d checks (%v)", len(files), len(checks), err)
	}
}

func TestTheGuideHasAPlaceForEveryCheck(t *testing.T) {
	guide, err := os.ReadFile("../../../docs/vet.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range vet.Checks() {
		if !strings.HasSuffix(c.Analyzer.URL, "docs/vet.md#"+c.Name) {
			t.Errorf("the page of %s is %s", c.Code, c.Analyzer.URL)
		}
		if row := fmt.Sprintf("\n| <a name=%q></a>%s %s | %s | ", c.Name, c.Code, c.Name, c.Tiers()); !strings.Contains(string(guide), row) {
			t.Errorf("docs/vet.md has no row that begins with%s", row)
		}
	}
}

func TestAnUnknownCheckListsAll(t *testing.T) {
	err := vet.Explain(io.Discard, "PV999")
	unknown, ok := errors.AsType[*directive.UnknownError](err)
	if !ok || unknown.Name != "PV999" || !strings.Contains(err.Error(), "PV005 leak-path") {
		t.Errorf("error %v", err)
	}
}

// The code of the texts is analysed: the wrong one is found, the right one is
// not. What is found says what to do.
func TestTheCodeOfTheTexts(t *testing.T) {
	if testing.Short() {
		t.Skip("it analyses the packages that the code imports")
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.com/texts\n\ngo 1.25\n")
	for _, c := range directive.Codes {
		text, err := os.ReadFile("explain/" + c.Code + ".md")
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range []string{"wrong", "right"} {
			code := block(t, string(text), kind)
			write(t, filepath.Join(dir, c.Code, kind, "code.go"), code)
		}
	}
	found := analyse(t, dir)
	for _, c := range directive.Codes {
		wrong, right := found["example.com/texts/"+c.Code+"/wrong"], found["example.com/texts/"+c.Code+"/right"]
		if !slices.ContainsFunc(wrong, func(f string) bool { return strings.HasPrefix(f, c.Code+"/") }) {
			t.Errorf("%s: the wrong code is found to be %q", c.Code, wrong)
		}
		for _, f := range right {
			if strings.HasPrefix(f, c.Code+"/") || !strings.HasSuffix(f, "/audit") {
				t.Errorf("%s: the right code is found to be %s", c.Code, f)
			}
		}
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

var used = regexp.MustCompile(`\b(bytes|fmt|io|sync)\.`)

// block is the code of a kind, as a file.
func block(t *testing.T, text, kind string) string {
	t.Helper()
	_, code, ok := strings.Cut(text, "```go "+kind+"\n")
	code, _, ok2 := strings.Cut(code, "```\n")
	if !ok || !ok2 {
		t.Fatalf("there is no block %s", kind)
	}
	imports := map[string]bool{}
	for _, m := range used.FindAllStringSubmatch(code, -1) {
		imports[m[1]] = true
	}
	head := "package code\n\n"
	for _, path := range []string{"bytes", "fmt", "io", "sync"} {
		if imports[path] {
			head += fmt.Sprintf("import %q\n", path)
		}
	}
	return head + "\n" + code
}

// analyse runs all checks over a module and returns the categories of what they
// find, by package.
func analyse(t *testing.T, dir string) map[string][]string {
	t.Helper()
	set := func(name, value string) {
		f := vet.Facts.Flags.Lookup(name)
		before := f.Value.String()
		if err := f.Value.Set(value); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Value.Set(before) })
	}
	set("tier", "audit")
	set("explained", "true")
	set("require-defer", "getBuffer")
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Dir: dir, Env: append(os.Environ(), "GOWORK=off", "GOFLAGS=")}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	if packages.PrintErrors(pkgs) > 0 {
		t.Fatal("the code of the texts does not compile")
	}
	graph, err := checker.Analyze(vet.Analyzers(), pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]string{}
	for act := range graph.All() {
		if !act.IsRoot {
			continue
		}
		if act.Err != nil {
			t.Errorf("%v: %v", act, act.Err)
		}
		for _, d := range act.Diagnostics {
			found[act.Package.PkgPath] = append(found[act.Package.PkgPath], d.Category)
			if !checktest.HasRemedy(d.Message) {
				t.Errorf("%s: does not say what to do: %s", act.Package.PkgPath, d.Message)
			}
		}
	}
	return found
}
