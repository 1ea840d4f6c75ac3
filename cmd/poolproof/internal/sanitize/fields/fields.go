// Package fields finds the slice fields of structs that code truncates in
// place: x.f = x.f[:0], x.f = append(x.f[:0], ...). Who writes so means the
// field's array to stay with the object, however it got there. So when such an
// object is put into a pool, its array is put there too; of any other
// array in a field nobody knows but the program, as it may be the caller's.
//
// A field that the package also sets to a parameter of a function is not listed:
// it may hold memory of a caller at the time.
//
// The rule asks for the type of the struct, not only for the name of the
// field: in one package an encoder may truncate its buf while the decoder's buf
// is memory of the caller.
//
// Syntax comes first: few packages have such a statement, and only those are
// type-checked, each on its own, with nothing of what it imports. That is enough:
// a field counts only if it is truncated in the package that declares it.
package fields

import (
	"go/ast"
	"go/parser"
	"go/token"
	"runtime"
	"slices"
	"sync"
)

// Package is a package to scan.
type Package struct {
	Path  string   // import path, as types of the package carry it
	Files []string // Go files of the build, absolute
}

// Scan returns the fields that are truncated in place, sorted, each as
// "import/path.Type.field". Type is the named struct type that holds the field; ".sub" follows only
// where a struct without a name stands between. Where a field is reached through struct
// values of several named types, it is there under each of them.
//
// Files that cannot be read or parsed are passed over: the compiler will tell.
// actual says where the text of a file is (an overlay may have replaced it).
func Scan(pkgs []Package, actual func(file string) string, c *Cache) []string {
	found := make([][]string, len(pkgs))
	work := make(chan int)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range work {
				found[i] = c.fields(pkgs[i], actual)
			}
		})
	}
	for i := range pkgs {
		work <- i
	}
	close(work)
	wg.Wait()
	all := slices.Concat(found...)
	slices.Sort(all)
	return slices.Compact(all)
}

// scan looks through one package.
func scan(p Package, actual func(string) string) []string {
	fset := token.NewFileSet()
	var files []*ast.File
	var candidates []*ast.SelectorExpr
	for _, name := range p.Files {
		f, _ := parser.ParseFile(fset, actual(name), nil, parser.SkipObjectResolution)
		if f == nil {
			continue
		}
		files = append(files, f)
		candidates = append(candidates, truncated(f)...)
	}
	if len(candidates) == 0 {
		return nil
	}
	info := check(p.Path, fset, files)
	lent := map[string]bool{}
	for _, f := range files {
		for _, name := range borrowed(f, info) {
			lent[name] = true
		}
	}
	var all []string
	for _, sel := range candidates {
		of := names(info, sel)
		if !slices.ContainsFunc(of, func(name string) bool { return lent[name] }) {
			all = append(all, of...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
