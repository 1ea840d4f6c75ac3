package toolchain

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"unicode"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/rt"
)

// folders says where the files for a package are, in package rt.
var folders = map[string]string{
	"sync": "sync", "internal/race": "race", "testing": "testing", "internal/runtime/maps": "maps",
}

// added are the files of one folder of package rt, made part of a package of the
// toolchain: each package-level name that they declare, or that is declared for them, has
// the prefix there.
type added struct {
	folder string
	names  map[string]bool // without their prefix
}

// newAdded collects what the files of a folder declare. generated are further files of the
// same package, whose names have their prefix already.
func newAdded(folder string, generated map[string][]byte) (added, error) {
	a := added{folder, map[string]bool{}}
	files, err := fs.Glob(rt.Source, folder+"/*.go.txt")
	if err != nil {
		return a, err
	}
	for _, name := range files {
		text, err := rt.Source.ReadFile(name)
		if err != nil {
			return a, err
		}
		if err := eachDeclared(name, text, a.add); err != nil {
			return a, err
		}
	}
	for name, text := range generated {
		err := eachDeclared(name, text, func(id string) { a.add(strings.TrimPrefix(id, prefix)) })
		if err != nil {
			return a, err
		}
	}
	return a, nil
}

// add adds a name that begins with a capital letter. Others are for the compiler or the
// linker, which know them as they are; those that begin with Poolproof, for the user's
// files that were edited.
func (a added) add(name string) {
	if unicode.IsUpper(rune(name[0])) && !strings.HasPrefix(name, "Poolproof") {
		a.names[name] = true
	}
}

// eachDeclared calls add for each package-level name of a file.
func eachDeclared(name string, text []byte, add func(string)) error {
	f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				add(d.Name.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					add(s.Name.Name)
				case *ast.ValueSpec:
					for _, id := range s.Names {
						add(id.Name)
					}
				}
			}
		}
	}
	return nil
}

// file returns a file of the folder with its prefixes. Assembly has them already.
func (a added) file(name string) ([]byte, error) {
	text, err := rt.Source.ReadFile(a.folder + "/" + name)
	if err != nil || path.Ext(strings.TrimSuffix(name, ".txt")) != ".go" {
		return text, err
	}
	s, err := overlay.Parse(name, text)
	if err != nil {
		return nil, err
	}
	foreign := notOurs(s.File())
	for n := range ast.Preorder(s.File()) {
		if id, ok := n.(*ast.Ident); ok && a.names[id.Name] && !foreign[id] {
			s.Insert(id.Pos(), prefix)
		}
	}
	return linknames.ReplaceAllFunc(s.Bytes(), func(line []byte) []byte { return []byte(a.linkname(string(line))) }), nil
}

var linknames = regexp.MustCompile(`(?m)^//go:linkname .*`)

// notOurs are the identifiers of a file that name no package-level object: what is
// selected, fields with their keys in literals, and methods.
func notOurs(f *ast.File) map[*ast.Ident]bool {
	all := map[*ast.Ident]bool{f.Name: true}
	for n := range ast.Preorder(f) {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			all[n.Sel] = true
		case *ast.FuncDecl:
			if n.Recv != nil {
				all[n.Name] = true
			}
		case *ast.KeyValueExpr:
			if id, ok := n.Key.(*ast.Ident); ok {
				all[id] = true
			}
		case *ast.Field:
			for _, id := range n.Names {
				all[id] = true
			}
		}
	}
	return all
}

// linkname gives both names of a directive their prefix. A name of another package is
// one of ours if it is for a package that has a folder of its own.
func (a added) linkname(directive string) string {
	words := strings.Fields(directive)
	if a.names[words[1]] {
		words[1] = prefix + words[1]
	}
	if len(words) > 2 {
		dot := strings.LastIndexByte(words[2], '.')
		pkg, name := words[2][:dot], words[2][dot+1:]
		if _, ours := folders[pkg]; (ours || pkg == "runtime") && unicode.IsUpper(rune(name[0])) {
			words[2] = pkg + "." + prefix + name
		}
	}
	return strings.Join(words, " ")
}
