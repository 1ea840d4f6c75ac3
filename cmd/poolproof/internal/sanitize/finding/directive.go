package finding

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
)

const ignore = "//poolproof:ignore"

// Directive is a comment that says that a misuse is intended:
//
//	x.Use() //poolproof:ignore the panic after Release is what is tested
//
// It is about the line that it stands on; alone on a line, about the next one;
// of a statement in several lines, about all of these;
// in the comment of a test, about that test; in that of another function, about the
// whole function. A misuse is ignored if its access or its Put, or a
// call that led there, is in such a place.
//
// With a code as its first word (PV005) it speaks to poolproof vet.
type Directive struct {
	File     string
	Line     int    // of the directive
	From, To int    // lines that it is about
	Test     string // function, if it is a test
	Reason   string

	used bool
}

func (d *Directive) String() string { return fmt.Sprintf("%s:%d", d.File, d.Line) }

// Directives reads those of Go files. Problems are directives without a reason,
// which ignore nothing. Files that cannot be read have none.
func Directives(files []string) (all []*Directive, problems []string) {
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(text, []byte(ignore)) {
			continue
		}
		found, bad := directives(name, text)
		all, problems = append(all, found...), append(problems, bad...)
	}
	return all, problems
}

// forVet is how a directive for poolproof vet begins.
var forVet = regexp.MustCompile(`^PV[0-9]+\b`)

func directives(name string, text []byte) (all []*Directive, problems []string) {
	fset := token.NewFileSet()
	file, _ := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if file == nil {
		return nil, nil
	}
	lines := bytes.Split(text, []byte("\n"))
	funcs, wide := docs(file), spans(fset, file)
	for _, group := range file.Comments {
		for _, c := range group.List {
			reason, ok := strings.CutPrefix(c.Text, ignore)
			first, _ := utf8.DecodeRuneInString(reason)
			if !ok || reason != "" && !unicode.IsSpace(first) {
				continue
			}
			reason = strings.TrimSpace(reason)
			at := fset.Position(c.Pos())
			switch {
			case forVet.MatchString(reason):
				continue
			case reason == "":
				problems = append(problems, fmt.Sprintf("%s:%d: poolproof:ignore needs a reason: it ignores nothing", name, at.Line))
				continue
			}
			d := &Directive{File: name, Line: at.Line, From: at.Line, To: at.Line, Reason: reason}
			if f := funcs[group]; f != nil {
				d.From, d.To = fset.Position(f.Pos()).Line, fset.Position(f.End()).Line
				if f.Recv == nil && isTest(f.Name.Name) && strings.HasSuffix(name, "_test.go") {
					d.Test = f.Name.Name
				}
			} else if len(bytes.TrimSpace(lines[at.Line-1][:at.Column-1])) == 0 {
				d.From, d.To = widened(fset.Position(group.End()).Line+1, wide)
			} else {
				d.From, d.To = widened(at.Line, wide)
			}
			all = append(all, d)
		}
	}
	return all, problems
}

// docs finds the functions by their comments.
func docs(file *ast.File) map[*ast.CommentGroup]*ast.FuncDecl {
	m := map[*ast.CommentGroup]*ast.FuncDecl{}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Doc != nil {
			m[f.Doc] = f
		}
	}
	return m
}

func isTest(name string) bool {
	return slices.ContainsFunc([]string{"Test", "Benchmark", "Fuzz", "Example"}, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// Apply marks the reports that directives are about.
func Apply(all []*Directive, reports []*Report) {
	for _, r := range reports {
		for _, d := range about(all, r) {
			d.used = true
			r.Suppressed = &Suppression{By: "ignore", Where: d.String(), Reason: d.Reason}
		}
	}
}

// about returns the directives that together ignore a report; none if it counts.
func about(all []*Directive, r *Report) []*Directive {
	for _, d := range all {
		if d.covers(r.Access) || d.covers(r.Put) {
			return []*Directive{d}
		}
	}
	// Of a test: all tests that did it must be such.
	var found []*Directive
	for _, t := range r.Tests {
		d := ofTest(all, t)
		if d == nil {
			return nil
		}
		found = append(found, d)
	}
	return found
}

func (d *Directive) covers(stack []record.Frame) bool {
	return slices.ContainsFunc(stack, func(f record.Frame) bool { return f.Line >= d.From && f.Line <= d.To && f.File == d.File })
}

func ofTest(all []*Directive, t Test) *Directive {
	top, _, _ := strings.Cut(t.Name, "/")
	for _, d := range all {
		if d.Test != "" && d.Test == top && filepath.Dir(d.File) == t.Dir {
			return d
		}
	}
	return nil
}

// spans returns the first and the last line of each statement of a file that is
// written in several: a directive on one of its lines is about all of them. A
// statement that holds others is none of these.
func spans(fset *token.FileSet, file *ast.File) (all [][2]int) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ExprStmt, *ast.AssignStmt, *ast.ReturnStmt, *ast.DeferStmt, *ast.GoStmt, *ast.SendStmt, *ast.IncDecStmt, *ast.DeclStmt:
			from, to := fset.Position(n.Pos()).Line, fset.Position(n.End()).Line
			if from < to && !holdsStatements(n) {
				all = append(all, [2]int{from, to})
			}
		}
		return true
	})
	return all
}

// holdsStatements reports whether there is a function in a statement.
func holdsStatements(stmt ast.Node) (found bool) {
	ast.Inspect(stmt, func(n ast.Node) bool {
		_, lit := n.(*ast.FuncLit)
		found = found || lit
		return !found
	})
	return found
}

// widened returns the lines of the statement that a line is part of.
func widened(line int, spans [][2]int) (from, to int) {
	for _, s := range spans {
		if s[0] <= line && line <= s[1] {
			return s[0], s[1]
		}
	}
	return line, line
}

// Unused returns the directives that were about nothing, of those in files of
// which gone says that all that they lead to was seen.
func Unused(all []*Directive, gone func(file string) bool) []*Directive {
	return slices.DeleteFunc(slices.Clone(all), func(d *Directive) bool { return d.used || !gone(d.File) })
}

// IsTestFunction reports whether a function of a stack is a test, or stands in
// one.
func IsTestFunction(function string) bool { return isTest(profile.NameOf(function)) }
