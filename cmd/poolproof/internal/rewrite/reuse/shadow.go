package reuse

import (
	"cmp"
	"fmt"
	"go/scanner"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
)

// writable says which variant cannot be written in its place, because names mean something else
// there than the code of it needs; "" if it can.
func (v *Variant) writable() string {
	for _, i := range v.imports {
		for _, spec := range v.file.Imports {
			if spec.Name != nil && spec.Name.Name == "." && strings.Trim(spec.Path.Value, "\"`") == i.path {
				return fmt.Sprintf("no %s: the file imports %s without a name", v.Name, i.path)
			}
		}
	}
	outer := v.pkg.TypesInfo.Scopes[v.file]
	for name := range names(v.text(v.poison)) {
		if obj := v.meaning(name, outer, token.NoPos); obj != nil {
			return v.hidden(name, obj)
		}
	}
	for _, c := range v.changes {
		scope := cmp.Or(outer.Innermost(c.from), outer)
		for name := range names(strings.Join(c.lines, "\n")) {
			if obj := v.meaning(name, scope, c.from); obj != nil {
				return v.hidden(name, obj)
			}
		}
		for name := range kinds(strings.Join(c.lines, "\n")) {
			switch _, obj := scope.LookupParent(name, c.from); obj.(type) {
			case *types.Var, *types.Const, *types.Func:
				return v.hidden("the type or package "+name, obj)
			}
		}
	}
	return ""
}

// meaning returns the object that hides a name in a scope, where the code of a variant needs the
// predeclared name or the package of that name; nil if nothing hides it.
func (v *Variant) meaning(name string, scope *types.Scope, at token.Pos) types.Object {
	_, obj := scope.LookupParent(name, at)
	if obj == nil {
		return nil
	}
	if types.Universe.Lookup(name) != nil && obj.Parent() != types.Universe {
		return obj
	}
	for _, i := range v.imports {
		if pkg, ok := obj.(*types.PkgName); i.as == name && (!ok || pkg.Imported().Path() != i.path) {
			return obj
		}
	}
	return nil
}

func (v *Variant) hidden(name string, by types.Object) string {
	at := v.pkg.Fset.PositionFor(by.Pos(), false)
	return fmt.Sprintf("no %s: its code needs %s, which line %d of %s declares", v.Name, name, at.Line, filepath.Base(at.Filename))
}

// says reports whether code has one of the names, with no period before it.
func says(code string, all ...string) bool {
	for name := range names(code) {
		if slices.Contains(all, name) {
			return true
		}
	}
	return false
}

// names ranges over the names in Go code that no period stands before.
func names(code string) func(yield func(string) bool) {
	return identifiers(code, func(before string) bool { return !strings.HasSuffix(before, " . ") })
}

// kinds ranges over the names in Go code that stand where a type must: after a bracket that is closed, or first in make.
func kinds(code string) func(yield func(string) bool) {
	return identifiers(code, func(before string) bool {
		return strings.HasSuffix(before, "] ") || strings.HasSuffix(before, "[ ] * ") || strings.HasSuffix(before, " make ( ")
	})
}

// identifiers ranges over the identifiers in Go code that stand after the right tokens, which have spaces around them.
func identifiers(code string, after func(before string) bool) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		var s scanner.Scanner
		file := token.NewFileSet().AddFile("", -1, len(code))
		s.Init(file, []byte(code), func(token.Position, string) {}, 0)
		var before strings.Builder
		before.WriteString(" ")
		for {
			_, tok, text := s.Scan()
			if tok == token.EOF || tok == token.IDENT && after(before.String()) && !yield(text) {
				return
			}
			if text == "" {
				text = tok.String()
			}
			before.WriteString(text + " ")
		}
	}
}
