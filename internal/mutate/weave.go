package mutate

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// chosen is the environment variable that tells a woven binary which of its
// mutants it is; selector is the variable of each woven package that holds it.
const (
	chosen   = "POOLPROOF_MUTANT"
	selector = "poolproofMutant"
)

// weave puts mutants into one text for each of their files: the body of a mutated
// function begins with a question for each of its mutants,
//
//	if poolproofMutant == "7" { the body of mutant 7 }
//
// A mutant is named by its place in the list. Those that are more than another
// body of one function (constants, variables, types) are left out, and so are
// those of functions with labels, which a function has once.
func weave(root string, mutants []Mutant) (texts map[string]string, left []int, err error) {
	files := make(map[string]*woven)
	for i, m := range mutants {
		changed, err := Texts(root, m.Edits)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", m.Name, err)
		}
		if len(changed) != 1 {
			left = append(left, i)
			continue
		}
		for file, after := range changed {
			if files[file] == nil {
				if files[file], err = newWoven(file); err != nil {
					return nil, nil, err
				}
			}
			if !files[file].add(i, after) {
				left = append(left, i)
			}
		}
	}
	texts = make(map[string]string)
	for file, w := range files {
		if len(w.bodies) == 0 {
			continue
		}
		texts[file] = w.text()
		texts[filepath.Join(filepath.Dir(file), "poolproof_mutant.go")] =
			fmt.Sprintf("package %s\n\nimport \"os\"\n\nvar %s = os.Getenv(%q)\n", w.pkg, selector, chosen)
	}
	return texts, left, nil
}

// woven is a file and the bodies that its functions can have besides their own.
type woven struct {
	src    string
	pkg    string
	decls  []decl
	bodies map[int]string // by declaration
}

func newWoven(file string) (*woven, error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	pkg, decls, err := parse(file, string(src))
	return &woven{string(src), pkg, decls, make(map[int]string)}, err
}

// add adds mutant i, whose text of the file this is. It reports false if that is
// more than another body of a function.
func (w *woven) add(i int, mutated string) bool {
	place, d := differs(w.src, mutated), 0
	for d < len(w.decls) && w.decls[d].end <= place {
		d++
	}
	if d == len(w.decls) || place < w.decls[d].begin {
		return false
	}
	before, after := w.src[:w.decls[d].begin], w.src[w.decls[d].end:]
	_, decls, err := parse("", mutated)
	if err != nil || len(decls) != len(w.decls) || !strings.HasPrefix(mutated, before) || !strings.HasSuffix(mutated, after) {
		return false
	}
	if decls[d].labels || w.decls[d].labels {
		return false
	}
	body := mutated[len(before) : len(mutated)-len(after)]
	if !w.decls[d].results {
		body += "\nreturn"
	}
	w.bodies[d] += fmt.Sprintf("\nif %s == \"%d\" {\n%s\n}\n", selector, i, body)
	return true
}

// differs returns where two texts begin to differ.
func differs(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// text returns the file with all that was added.
func (w *woven) text() string {
	var b strings.Builder
	done := 0
	for d, decl := range w.decls {
		if bodies := w.bodies[d]; bodies != "" {
			b.WriteString(w.src[done:decl.begin] + bodies)
			done = decl.begin
		}
	}
	return b.String() + w.src[done:]
}

// decl is a declaration of a file. If it is that of a function, begin and end are
// the places of its body, inside the braces; else, where it ends, twice.
type decl struct {
	begin, end      int
	results, labels bool
}

// parse returns the package of a file and its declarations.
func parse(name, src string) (pkg string, decls []decl, err error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, src, parser.SkipObjectResolution)
	if err != nil {
		return "", nil, err
	}
	at := func(p token.Pos) int { return set.PositionFor(p, false).Offset }
	for _, d := range file.Decls {
		f, is := d.(*ast.FuncDecl)
		if !is || f.Body == nil {
			decls = append(decls, decl{begin: at(d.End()), end: at(d.End())})
			continue
		}
		decls = append(decls, decl{
			begin:   at(f.Body.Lbrace) + 1,
			end:     at(f.Body.Rbrace),
			results: f.Type.Results.NumFields() > 0,
			labels:  hasLabels(f.Body),
		})
	}
	return file.Name.Name, decls, nil
}

func hasLabels(body ast.Node) (has bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		if _, is := n.(*ast.LabeledStmt); is {
			has = true
		}
		return !has
	})
	return has
}
