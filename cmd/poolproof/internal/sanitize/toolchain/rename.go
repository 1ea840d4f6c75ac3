package toolchain

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"slices"
	"strings"
	"unicode"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/core"
)

// prefix stands before each package-level name that the sanitizer adds to
// a package of the toolchain.
const prefix = "poolproof"

// renamed is the name that a package-level name of package core has in the
// runtime.
func renamed(name string) string {
	r := []rune(name)
	r[0] = unicode.ToUpper(r[0])
	return prefix + string(r)
}

// notCopied are the files of package core that are not for the runtime.
var notCopied = []string{"doc.go", "host.go", "source.go"}

// coreFiles returns the files of package core, made part of the runtime.
func coreFiles() (map[string][]byte, error) {
	fset := token.NewFileSet()
	var files []*ast.File
	texts := map[*ast.File][]byte{}
	names, err := fs.Glob(core.Source, "*.go")
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return strings.HasSuffix(name, "_test.go") || name == "source.go" })
	for _, name := range names {
		text, err := core.Source.ReadFile(name)
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files, texts[f] = append(files, f), text
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: noImports{}, Error: func(error) {}} // host.go imports what is not at hand
	pkg, _ := conf.Check("core", fset, files, info)
	out := map[string][]byte{}
	for i, f := range files {
		if !slices.Contains(notCopied, names[i]) {
			out[prefix+"_"+names[i]] = rewrite(fset, f, texts[f], pkg, info)
		}
	}
	return out, nil
}

// noImports imports nothing but unsafe.
type noImports struct{}

func (noImports) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	return nil, fmt.Errorf("package core must not import %s", path)
}

// rewrite gives the package-level names in a file their prefix, and the file
// its new package.
func rewrite(fset *token.FileSet, f *ast.File, text []byte, pkg *types.Package, info *types.Info) []byte {
	var out bytes.Buffer
	last := 0
	put := func(id *ast.Ident, to string) {
		at := fset.Position(id.Pos()).Offset
		out.Write(text[last:at])
		out.WriteString(to)
		last = at + len(id.Name)
	}
	for n := range ast.Preorder(f) { // in the order of the text
		if id, ok := n.(*ast.Ident); ok {
			if obj := info.ObjectOf(id); id == f.Name {
				put(id, "runtime")
			} else if obj != nil && obj.Parent() == pkg.Scope() {
				put(id, renamed(id.Name))
			}
		}
	}
	out.Write(text[last:])
	return out.Bytes()
}
