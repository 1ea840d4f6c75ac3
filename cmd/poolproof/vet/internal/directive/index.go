// Package directive reads the //poolproof: comments of a package.
//
//	//poolproof:ignore PV005 reason   on a line, or alone on the line before: no such finding there
//	//poolproof:owns p                on a function: it takes p over
//	//poolproof:owns p.f              on a function: it takes over what the field f of p holds
//	//poolproof:owns p on success     on a function: it takes p over if its first result that is an error or a bool is nil, or true
//	//poolproof:borrows p             on a function: it keeps nothing of p
//	//poolproof:lends f               on a function: what it calls its parameter f with is f's only until f returns
//	//poolproof:lends f.x             on a function: so it is with the argument x alone
//	//poolproof:readonly              on a function: others read its results, which must not be written
//	//poolproof:readonly f.x          on a function: others read what it calls its parameter f with, the argument x
//	//poolproof:drop                  on a line, or alone on the line before: the object is left to the collector on purpose
//
// It also honours the //nolint:poolproof of golangci-lint. What is written
// wrongly is a Problem, never passed over.
package directive

import (
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// Index is the directives of one package.
type Index struct {
	fset     *token.FileSet
	readFile func(string) ([]byte, error)
	ignores  []*Ignore
	at       map[line][]*Ignore
	drops    map[line]bool
	given    map[*types.Func]bool
	owned    map[*types.Func][]Owned
	borrowed map[*types.Func][]Owned
	lent     map[*types.Func][]Called
	readOnly map[*types.Func][]Called
	problems []Problem
}

// Called names the arguments of a function value, or the results, that a directive is about.
type Called struct {
	Param string // the function value; "": the results of the function itself
	Arg   int    // -1: all arguments
}

// Owned is the memory that a directive says is taken over, or borrowed.
type Owned struct {
	Param  string       // its name
	Fields []*types.Var // the way from the parameter to what is taken over; none: the parameter itself
	// Told is the result, an error or a bool, which is nil or true where it is taken over;
	// -1: it always is.
	Told int
}

// Ignore is one //poolproof:ignore comment, or a //nolint comment that counts as
// one.
type Ignore struct {
	Pos, End token.Pos
	Codes    []string // none: all
	Reason   string
	NoLint   bool // it may serve another linter too, so nobody can call it unused
}

// Problem is a directive that cannot mean what it says.
type Problem struct {
	Pos, End token.Pos
	Message  string // what is wrong
	Remedy   string // what to do: a clause that begins with a verb
}

// line is a line of a file.
type line struct {
	file string
	line int
}

// Of reads the directives of the package that pass analyses.
func Of(pass *analysis.Pass) *Index {
	x := &Index{
		fset:     pass.Fset,
		readFile: pass.ReadFile,
		at:       map[line][]*Ignore{},
		drops:    map[line]bool{},
		given:    map[*types.Func]bool{},
		owned:    map[*types.Func][]Owned{},
		borrowed: map[*types.Func][]Owned{},
		lent:     map[*types.Func][]Called{},
		readOnly: map[*types.Func][]Called{},
	}
	if x.readFile == nil {
		x.readFile = os.ReadFile // an old driver
	}
	for _, file := range pass.Files {
		r := reader{index: x, info: pass.TypesInfo, file: file}
		r.read()
	}
	return x
}

// Gives reports whether the results of fn are its caller's to give back.
func (x *Index) Gives(fn *types.Func) bool { return x.given[fn] }

// Owns returns the parameters, the receiver among them, that fn takes over, or of
// which it takes over what a field holds. fn is of the analysed package.
func (x *Index) Owns(fn *types.Func) []Owned { return x.owned[fn] }

// Borrows returns the parameters of which fn keeps nothing.
func (x *Index) Borrows(fn *types.Func) []Owned { return x.borrowed[fn] }

// Lends returns the function values with whose arguments fn only lends them objects.
func (x *Index) Lends(fn *types.Func) []Called { return x.lent[fn] }

// ReadOnly returns what others read at the same time, of what fn calls function values
// with, and of its results.
func (x *Index) ReadOnly(fn *types.Func) []Called { return x.readOnly[fn] }

// Drop reports whether an object that is lost at pos is left to the garbage
// collector on purpose.
func (x *Index) Drop(pos token.Pos) bool { return x.drops[x.lineOf(pos)] }

// Ignored returns the position of the directive that ignores a finding of the
// code at pos, and whether there is one.
func (x *Index) Ignored(pos token.Pos, code string) (token.Pos, bool) {
	for _, ig := range x.at[x.lineOf(pos)] {
		if len(ig.Codes) == 0 || slices.Contains(ig.Codes, code) {
			return ig.Pos, true
		}
	}
	return token.NoPos, false
}

// Ignores returns all directives that ignore findings, in source order.
func (x *Index) Ignores() []*Ignore { return x.ignores }

// Problems returns what is wrong with the directives, in source order.
func (x *Index) Problems() []Problem { return x.problems }

func (x *Index) lineOf(pos token.Pos) line {
	p := x.fset.Position(pos)
	return line{p.Filename, p.Line}
}

// parameters returns the names of a function's receiver and parameters.
func parameters(recv, params *ast.FieldList) (names []string) {
	for _, list := range []*ast.FieldList{recv, params} {
		if list == nil {
			continue
		}
		for _, field := range list.List {
			for _, name := range field.Names {
				names = append(names, name.Name)
			}
		}
	}
	return names
}
