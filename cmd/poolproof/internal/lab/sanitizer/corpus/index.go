package corpus

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Case is a test of the corpus with what must be said of it.
type Case struct {
	Package string // import path
	Test    string
	Exact   []Expected // what exact mode must find
	Fast    []Expected // what fast mode must find
	In      []string   // tests that must fail; "*" stands for any
	Leak    *Leak
}

// Expected is a kind of finding.
type Expected struct {
	Kind     string
	Optional bool
}

// Leak is how many objects of a type were got, and how many of them were never
// put. Got is -1 where it does not matter.
type Leak struct {
	Type        string
	Leaked, Got int
}

// The kinds that are none of the sanitizer's.
const (
	Poison    = "poison"
	OwnWorker = "own-worker"
	Retained  = "retained"
	Unseen    = "unseen"
)

var kinds = []string{"read-after-put", "write-after-put", "double-put", "alias-put", "nil-put", Poison, OwnWorker, Retained, Unseen}

// Bug reports whether the case is a misuse.
func (c Case) Bug() bool {
	return slices.ContainsFunc(c.Exact, func(e Expected) bool { return e.Kind != OwnWorker && e.Kind != Retained })
}

// Seen reports whether the sanitizer is expected to see the misuse in exact mode.
func (c Case) Seen() bool {
	return c.Bug() && !slices.ContainsFunc(c.Exact, func(e Expected) bool { return e.Kind == Unseen })
}

// Read reads the index of the module in dir. It reports all mistakes in it.
func Read(dir string) ([]Case, error) {
	var cases []Case
	var wrong []string
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		folder, err := filepath.Rel(dir, filepath.Dir(name))
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !isTest(f.Name.Name) {
				continue
			}
			c, err := readCase(f)
			if err != nil {
				wrong = append(wrong, fmt.Sprintf("%s: %v", set.Position(f.Pos()), err))
			}
			c.Package = "corpus/" + filepath.ToSlash(folder)
			cases = append(cases, c)
		}
		return nil
	})
	if err == nil && len(wrong) > 0 {
		err = fmt.Errorf("the corpus has mistakes:\n%s", strings.Join(wrong, "\n"))
	}
	return cases, err
}

func isTest(name string) bool {
	return strings.HasPrefix(name, "Test") && name != "TestMain" || strings.HasPrefix(name, "Fuzz")
}

func readCase(f *ast.FuncDecl) (Case, error) {
	c := Case{Test: f.Name.Name, In: []string{f.Name.Name}}
	if f.Doc == nil {
		return c, fmt.Errorf("%s has no directive", c.Test)
	}
	silent := false
	for _, line := range f.Doc.List {
		text, ok := strings.CutPrefix(line.Text, "//want:")
		if !ok {
			continue
		}
		verb, rest, _ := strings.Cut(text, " ")
		words := strings.Fields(rest)
		var err error
		switch verb {
		case "exact":
			c.Exact, err = expected(words)
		case "fast":
			c.Fast, err = expected(words)
		case "in":
			c.In = words
		case "leaked":
			c.Leak, err = readLeak(words)
		case "silence":
			silent = true
		default:
			err = fmt.Errorf("there is no directive %q", verb)
		}
		if err == nil && len(words) == 0 && !silent {
			err = fmt.Errorf("the directive %q says nothing", verb)
		}
		if err != nil {
			return c, fmt.Errorf("%s: %v", c.Test, err)
		}
	}
	switch {
	case silent && (c.Exact != nil || c.Fast != nil || c.Leak != nil):
		return c, fmt.Errorf("%s is to be silent and is not", c.Test)
	case !silent && c.Exact == nil && c.Leak == nil:
		return c, fmt.Errorf("%s has no directive", c.Test)
	}
	for _, e := range c.Fast {
		// Where exact mode has a finding, a test that fails is not counted as one that fails by itself.
		if e.Kind != Poison && !slices.ContainsFunc(c.Exact, func(x Expected) bool { return x.Kind == e.Kind }) {
			return c, fmt.Errorf("%s: fast mode finds %s, and exact mode does not", c.Test, e.Kind)
		}
	}
	return c, nil
}

func expected(words []string) (all []Expected, err error) {
	for _, w := range words {
		kind, optional := strings.CutSuffix(w, "?")
		if !slices.Contains(kinds, kind) {
			return nil, fmt.Errorf("there is no kind %q", kind)
		}
		all = append(all, Expected{Kind: kind, Optional: optional})
	}
	return all, nil
}

func readLeak(words []string) (*Leak, error) {
	if len(words) == 2 {
		leaked, got, _ := strings.Cut(words[1], "/")
		l := &Leak{Type: words[0], Got: -1}
		var err error
		if l.Leaked, err = strconv.Atoi(leaked); err == nil && got != "*" {
			l.Got, err = strconv.Atoi(got)
		}
		if err == nil {
			return l, nil
		}
	}
	return nil, fmt.Errorf("%q is not a type and two numbers, as in: request 3/10", strings.Join(words, " "))
}
