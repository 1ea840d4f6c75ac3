package guide

import (
	"bytes"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/poolproof/poolproof/metrics/prom"
)

const page = "../../../docs/pools.md"

// block is a fenced block of the page.
type block struct {
	line     int // of its fence
	language string
	text     string
}

// blocks returns the blocks of a Markdown text.
func blocks(t *testing.T, markdown string) []block {
	t.Helper()
	var all []block
	open := false
	for i, line := range strings.Split(markdown, "\n") {
		switch language, fence := strings.CutPrefix(line, "```"); {
		case fence && !open:
			all, open = append(all, block{line: i + 1, language: language}), true
		case fence:
			open = false
		case open:
			all[len(all)-1].text += line + "\n"
		}
	}
	if open {
		t.Errorf("the block of line %d has no end", all[len(all)-1].line)
	}
	return all
}

// chunk is a file of this package, or one of its examples.
type chunk struct {
	name   string
	source string
	output string // of an example
}

// chunks returns the examples first, so that a block is found in its example.
func chunks(t *testing.T) []chunk {
	t.Helper()
	names, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var examples, files []chunk
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, text, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, chunk{name: name, source: string(text)})
		for _, e := range doc.Examples(file) {
			i := slices.IndexFunc(file.Decls, func(d ast.Decl) bool {
				f, ok := d.(*ast.FuncDecl)
				return ok && f.Name.Name == "Example"+e.Name
			})
			from, to := fset.Position(file.Decls[i].Pos()).Offset, fset.Position(file.Decls[i].End()).Offset
			examples = append(examples, chunk{e.Name, string(text[from:to]), e.Output})
		}
	}
	return append(examples, files...)
}

// holds reports whether the lines of part are lines of whole, one after the
// other, indented as they are or one tab deeper.
func holds(whole, part string) bool {
	deeper := regexp.MustCompile(`(?m)^(.)`).ReplaceAllString(part, "\t$1")
	return strings.Contains("\n"+whole, "\n"+part) || strings.Contains("\n"+whole, "\n"+deeper)
}

func read(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}

func TestEachBlockOfThePageIsRunHereAndEachOutputIsCompared(t *testing.T) {
	all := chunks(t)
	shown := make(map[string]bool) // examples whose output is on the page
	var example *chunk             // the one that the last Go block is from
	for _, b := range blocks(t, read(t)) {
		switch b.language {
		case "go":
			i := slices.IndexFunc(all, func(c chunk) bool { return holds(c.source, b.text) })
			if i < 0 {
				t.Errorf("%s:%d: no test has this code:\n%s", page, b.line, b.text)
				example = nil
				continue
			}
			example = &all[i]
		case "text":
			if example == nil || example.output == "" || strings.TrimSpace(example.output) != strings.TrimSpace(b.text) {
				t.Errorf("%s:%d: this is not the output of the code before it:\n%s", page, b.line, b.text)
				continue
			}
			shown[example.name] = true
		case "sh":
			if b.text != "go test -tags poolproofdebug ./...\n" {
				t.Errorf("%s:%d: a command that nobody has tried: %s", page, b.line, b.text)
			}
		default:
			t.Errorf("%s:%d: a block in %q, want go, text or sh", page, b.line, b.language)
		}
	}
	for _, c := range all {
		if c.output != "" && c.name != "_expvar" && !shown[c.name] {
			t.Errorf("the page does not show the example %s", c.name)
		}
	}
}

func TestThePageNamesTheFiguresThatExistAndLeavesNoneOut(t *testing.T) {
	text := read(t)
	descs := make(chan *prometheus.Desc, 100)
	prom.NewCollector().Describe(descs)
	close(descs)
	exist := make(map[string]bool)
	for d := range descs {
		name := regexp.MustCompile(`poolproof_\w+`).FindString(d.String())
		exist[name] = true
		if !strings.Contains(text, name) {
			t.Errorf("the page does not mention %s", name)
		}
	}
	for _, name := range regexp.MustCompile(`poolproof_\w+`).FindAllString(text, -1) {
		if !exist[name] {
			t.Errorf("the page mentions %s, which does not exist", name)
		}
	}
}

func TestTheLinksOfThePageLeadToFiles(t *testing.T) {
	for _, m := range regexp.MustCompile(`\]\(([^)#:]+)\)`).FindAllStringSubmatch(read(t), -1) {
		if _, err := os.Stat(filepath.Join(filepath.Dir(page), m[1])); err != nil {
			t.Errorf("%s: %v", page, err)
		}
	}
}
