package check

import (
	"bytes"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Statement is a statement in a list of them.
type Statement struct {
	ast.Stmt
	Around ast.Node // of which the list is the body: an if, a loop, a function. Nil: another
	list   []ast.Stmt
}

// Statement returns the statement that consists of a call, or defers one, where it
// stands in a list. It is not ok elsewhere: in a condition, behind a label.
func (p *Pass) Statement(call ast.Node) (s Statement, ok bool) {
	if call == nil {
		return s, false
	}
	path := p.Path(call)
	i := slices.IndexFunc(path, func(n ast.Node) bool { _, is := n.(ast.Stmt); return is })
	if i < 0 {
		return s, false
	}
	switch stmt := path[i].(type) {
	case *ast.ExprStmt, *ast.DeferStmt:
		s = Statement{Stmt: stmt.(ast.Stmt), list: list(path[i+1])}
		if body, ok := path[i+1].(*ast.BlockStmt); ok {
			s.Around = bodyOf(path[i+2], body)
		}
	}
	return s, len(s.list) > 0
}

func list(around ast.Node) []ast.Stmt {
	switch around := around.(type) {
	case *ast.BlockStmt:
		return around.List
	case *ast.CaseClause:
		return around.Body
	case *ast.CommClause:
		return around.Body
	}
	return nil
}

// bodyOf returns the node of which a block is the body. The block of an else is
// nobody's.
func bodyOf(around ast.Node, body *ast.BlockStmt) ast.Node {
	if branch, ok := around.(*ast.IfStmt); ok && branch.Body != body {
		return nil
	}
	return around
}

// Before returns the statements before s in its list.
func (s Statement) Before() []ast.Stmt { return s.list[:slices.Index(s.list, s.Stmt)] }

// Follows reports whether s is the statement right behind another one.
func (s Statement) Follows(other Statement) bool {
	i := slices.Index(s.list, s.Stmt)
	return i > 0 && s.list[i-1] == other.Stmt
}

// PlainPut returns the receiver and the argument of a call of (*sync.Pool).Put,
// both of which are variables or fields of variables. Such a call does nothing but
// putting, and its operands are the same wherever nothing is assigned.
func (p *Pass) PlainPut(node ast.Node) (pool, object ast.Expr, ok bool) {
	call, isCall := node.(*ast.CallExpr)
	if !isCall || len(call.Args) != 1 {
		return nil, nil, false
	}
	sel, isSel := call.Fun.(*ast.SelectorExpr)
	if !isSel {
		return nil, nil, false
	}
	fn, isFunc := p.TypesInfo.Uses[sel.Sel].(*types.Func)
	if !isFunc || fn.FullName() != "(*sync.Pool).Put" || !variable(sel.X) || !variable(call.Args[0]) {
		return nil, nil, false
	}
	return sel.X, call.Args[0], true
}

func variable(x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return variable(x.X)
	}
	return false
}

// Same reports whether two expressions name the same variable or field.
func (p *Pass) Same(x, y ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		y, ok := ast.Unparen(y).(*ast.Ident)
		return ok && p.TypesInfo.ObjectOf(x) != nil && p.TypesInfo.ObjectOf(x) == p.TypesInfo.ObjectOf(y)
	case *ast.SelectorExpr:
		y, ok := ast.Unparen(y).(*ast.SelectorExpr)
		return ok && p.TypesInfo.ObjectOf(x.Sel) == p.TypesInfo.ObjectOf(y.Sel) && p.Same(x.X, y.X)
	}
	return false
}

// Remove returns the edits that remove a statement, with its line if nothing else
// is there, and a comment behind it. None: its file cannot be read.
func (p *Pass) Remove(s Statement) []analysis.TextEdit {
	text, file := p.source(s.Pos())
	if file == nil {
		return nil
	}
	start, end := file.Offset(s.Pos()), extent(text, file.Offset(s.End()))
	if blank := len(bytes.TrimRight(text[:start], " \t")); blank > 0 && text[blank-1] == '\n' && end < len(text) && text[end] == '\n' {
		start, end = blank, end+1
	}
	return []analysis.TextEdit{{Pos: file.Pos(start), End: file.Pos(end)}}
}

// Lines returns the text of a statement, with a comment behind it, what its line
// is indented by, and an edit that takes its place. It is not ok if anything else is in
// its line, but the rest of a body that stands in one line, or its file cannot be read.
func (p *Pass) Lines(s Statement) (text, indent string, edit analysis.TextEdit, ok bool) {
	source, file := p.source(s.Pos())
	if file == nil {
		return "", "", edit, false
	}
	start, end := file.Offset(s.Pos()), extent(source, file.Offset(s.End()))
	line := bytes.LastIndexByte(source[:start], '\n') + 1
	around := func(from, to int) string {
		after, _, _ := bytes.Cut(source[to:], []byte("\n"))
		after, _, _ = bytes.Cut(after, []byte("//"))
		return string(bytes.TrimSpace(source[line:max(line, from)])) + string(bytes.TrimSpace(after))
	}
	indent = string(source[line:start])
	first, last := file.Offset(s.list[0].Pos()), file.Offset(s.list[len(s.list)-1].End())
	if first >= line && strings.HasSuffix(around(first, last), "{}") { // func (x *X) Close() error { pool.Put(x.buf); return nil }
		indent = indent[:len(indent)-len(strings.TrimLeft(indent, " \t"))] + "\t"
	} else if around(start, end) != "" {
		return "", "", edit, false
	}
	return string(source[start:end]), indent, analysis.TextEdit{Pos: file.Pos(start), End: file.Pos(end)}, true
}

// Exchange returns the edits that have two statements change places, with the
// comments behind them. None: their file cannot be read.
func (p *Pass) Exchange(a, b Statement) []analysis.TextEdit {
	text, file := p.source(a.Pos())
	if file == nil {
		return nil
	}
	type part struct{ start, end int }
	var parts [2]part
	for i, s := range []Statement{a, b} {
		parts[i] = part{file.Offset(s.Pos()), extent(text, file.Offset(s.End()))}
	}
	var edits []analysis.TextEdit
	for i, at := range parts {
		other := parts[1-i]
		edits = append(edits, analysis.TextEdit{Pos: file.Pos(at.start), End: file.Pos(at.end), NewText: text[other.start:other.end]})
	}
	return edits
}

// source returns the text of the file around pos.
func (p *Pass) source(pos token.Pos) ([]byte, *token.File) {
	file := p.Fset.File(pos)
	if file == nil || p.ReadFile == nil {
		return nil, nil
	}
	text, err := p.ReadFile(file.Name())
	if err != nil || len(text) != file.Size() {
		return nil, nil
	}
	return text, file
}

// extent returns where a statement ends that ends at an offset, a comment in the
// rest of its line included.
func extent(text []byte, end int) int {
	line, _, _ := bytes.Cut(text[end:], []byte("\n"))
	if rest := bytes.TrimSpace(line); bytes.HasPrefix(rest, []byte("//")) {
		return end + len(bytes.TrimRight(line, " \t\r"))
	}
	return end
}
