package mutate

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Operators say how a function is changed. Each is followed by a number: which of
// the places in the function that it fits, in the order of the source, from 1.
var Operators = map[string]string{
	"never":  "the condition of an if is false",
	"always": "the condition of an if is true",
	"negate": "the condition of an if is the opposite",
	"edge":   "a comparison is <= for <, and so on, and != for ==",
	"drop":   "a statement that is a call is left out; of a defer, too",
	"keep":   "an assignment to what exists is left out, or ++ and --",
	"more":   "a literal number is one more",
	"right":  "of x && y or x || y only y is left",
	"left":   "of x && y or x || y only x is left",
	"other":  "x || y for x && y, and the reverse",
	"zero":   "a return gives the zero values of its types",
	"truth":  "a return of one bool gives true",
}

// At returns the change of one place of a function of the package in a folder.
func At(folder, function, operator string) Edit {
	return Edit{File: folder, Func: function, Operator: operator}
}

// operate applies an operator to a function of the package in dir, and returns the
// file and its new text. changed has the texts of files that were changed before.
func operate(dir string, changed map[string]string, function, operator string) (file, text string, err error) {
	op, number, _ := strings.Cut(operator, " ")
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || Operators[op] == "" {
		return "", "", fmt.Errorf("%q is no operator with a number", operator)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return "", "", err
	}
	for _, file := range files {
		if !normal(file) {
			continue
		}
		text, known := changed[file]
		if !known {
			read, err := os.ReadFile(file)
			if err != nil {
				return "", "", err
			}
			text = string(read)
		}
		fset := token.NewFileSet()
		parsed, err := parser.ParseFile(fset, file, text, parser.SkipObjectResolution)
		if err != nil {
			return "", "", err
		}
		for _, decl := range parsed.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || nameOf(f) != function {
				continue
			}
			places := placesOf(f, op, func(node ast.Node) string {
				return text[fset.Position(node.Pos()).Offset:fset.Position(node.End()).Offset]
			})
			if n > len(places) {
				return "", "", fmt.Errorf("%s has %d places for %q, not %d", function, len(places), op, n)
			}
			p := places[n-1]
			from, to := fset.Position(p.from).Offset, fset.Position(p.to).Offset
			return file, text[:from] + p.text + text[to:], nil
		}
	}
	return "", "", fmt.Errorf("there is no function %s", function)
}

// nameOf returns the name of a function as Edit.Func has it.
func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	t := f.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name + "." + f.Name.Name
		default:
			return f.Name.Name
		}
	}
}

// place is text that takes the place of source.
type place struct {
	from, to token.Pos
	text     string
}

var edges = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL,
}

// placesOf returns where op fits in f, in the order of the source. source returns
// the text of a node. What is switched off stays in the text, so that its variables are used.
func placesOf(f *ast.FuncDecl, op string, source func(ast.Node) string) (places []place) {
	add := func(n ast.Node, text string) { places = append(places, place{n.Pos(), n.End(), text}) }
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			switch cond := source(n.Cond); op {
			case "never":
				add(n.Cond, "("+cond+") && false")
			case "always":
				add(n.Cond, "("+cond+") || true")
			case "negate":
				add(n.Cond, "!("+cond+")")
			}
		case *ast.BinaryExpr:
			switch other, compares := edges[n.Op]; {
			case op == "edge" && compares:
				add(n, source(n.X)+" "+other.String()+" "+source(n.Y))
			case op == "left" && n.Op == token.LAND:
				add(n, "("+source(n.X)+") && (("+source(n.Y)+") || true)")
			case op == "left" && n.Op == token.LOR:
				add(n, "("+source(n.X)+") || ("+source(n.Y)+") && false")
			case op == "right" && n.Op == token.LAND:
				add(n, "(("+source(n.X)+") || true) && ("+source(n.Y)+")")
			case op == "right" && n.Op == token.LOR:
				add(n, "("+source(n.X)+") && false || ("+source(n.Y)+")")
			case op == "other" && n.Op == token.LAND:
				add(n, "(("+source(n.X)+") || ("+source(n.Y)+"))")
			case op == "other" && n.Op == token.LOR:
				add(n, "("+source(n.X)+") && ("+source(n.Y)+")")
			}
		case *ast.ExprStmt, *ast.DeferStmt:
			if op == "drop" {
				add(n, "if false { "+source(n)+" }")
			}
		case *ast.AssignStmt:
			if op == "keep" && n.Tok != token.DEFINE {
				add(n, unused(n, source))
			}
		case *ast.IncDecStmt:
			if op == "keep" {
				add(n, "_ = "+source(n.X))
			}
		case *ast.BasicLit:
			if op == "more" && n.Kind == token.INT {
				add(n, "("+n.Value+" + 1)")
			}
		}
		return true
	})
	if op == "zero" || op == "truth" {
		returns(f.Type, f.Body, func(r *ast.ReturnStmt, results []string) {
			if values := constants(op, results); values != "" {
				add(r, "if true { return "+values+" }; "+source(r))
			}
		})
	}
	slices.SortStableFunc(places, func(a, b place) int { return int(a.from - b.from) })
	return places
}

// unused is a statement that has the operands of an assignment, and stores nothing. It fits where
// only a simple statement does.
func unused(n *ast.AssignStmt, source func(ast.Node) string) string {
	operands := n.Rhs
	if len(n.Lhs) == len(n.Rhs) {
		operands = slices.Concat(n.Lhs, n.Rhs)
	}
	var blanks, texts []string
	for _, x := range operands {
		if id, ok := x.(*ast.Ident); !ok || id.Name != "_" {
			texts = append(texts, source(x))
		}
	}
	for range max(len(texts), len(n.Lhs)) {
		blanks = append(blanks, "_")
	}
	return strings.Join(blanks, ", ") + " = " + strings.Join(texts, ", ")
}

// Places returns the changes that the operators can make in the functions of the
// package in a folder, in the order of its files, without those of the checked
// build.
func Places(root, folder string) ([]Edit, error) {
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(folder), "*.go"))
	if err != nil {
		return nil, err
	}
	var all []Edit
	for _, file := range files {
		if !normal(file) {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, decl := range parsed.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Body == nil {
				continue
			}
			for _, op := range slices.Sorted(maps.Keys(Operators)) {
				for i := range placesOf(f, op, func(ast.Node) string { return "" }) {
					all = append(all, At(folder, nameOf(f), fmt.Sprintf("%s %d", op, i+1)))
				}
			}
		}
	}
	return all, nil
}

// normal reports whether a file is a part of the normal build, and no test.
func normal(file string) bool {
	return !strings.HasSuffix(file, "_test.go") && !strings.HasSuffix(file, "_on.go")
}
