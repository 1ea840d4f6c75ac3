package variant

import (
	"fmt"
	"go/ast"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
)

const (
	libPath   = "example.org/corpus/lib/"
	relayPath = libPath + "relay/"
)

// relay makes the file import the packages that forward to the wrappers.
func relay(s *Site) (Change, bool) {
	var c Change
	for _, imp := range s.File.Imports {
		path, err := strconv.Unquote(imp.Path.Value)
		if err != nil || !strings.HasPrefix(path, libPath) || !forwards(path) {
			continue
		}
		used := false
		ast.Inspect(s.Fn, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if name, ok := s.Info.Uses[id].(*types.PkgName); ok && name.Imported().Path() == path {
					used = true
				}
			}
			return !used
		})
		if used {
			c.Edits = append(c.Edits, s.replace(imp.Path, strconv.Quote(relayPath+strings.TrimPrefix(path, libPath))))
		}
	}
	return c, len(c.Edits) > 0
}

// forwards says whether a package is one that relay packages are made for:
// generic functions cannot be forwarded one by one.
func forwards(path string) bool {
	switch strings.TrimPrefix(path, libPath) {
	case "bufs", "classes", "jobs", "journal", "lease", "scan", "frames":
		return true
	}
	return false
}

// forwarder is the source of a package whose functions call those of pkg.
func forwarder(pkg *packages.Package) []byte {
	h := new(Helper)
	h.imported(pkg.PkgPath, "original")
	scope := pkg.Types.Scope()
	for _, name := range scope.Names() {
		switch o := scope.Lookup(name).(type) {
		case *types.TypeName:
			if o.Exported() {
				h.printf("type %s = original.%s\n", name, name)
			}
		case *types.Func:
			if o.Exported() {
				forwardFunc(h, o)
			}
		}
	}
	return source(pkg.Name, []*Helper{h})
}

func forwardFunc(h *Helper, fn *types.Func) {
	sig := fn.Type().(*types.Signature)
	qualify := func(p *types.Package) string {
		if p == fn.Pkg() {
			return "original"
		}
		return h.imported(p.Path(), p.Name())
	}
	var params, args, results []string
	for i := range sig.Params().Len() {
		params = append(params, fmt.Sprintf("a%d %s", i, types.TypeString(sig.Params().At(i).Type(), qualify)))
		args = append(args, fmt.Sprintf("a%d", i))
	}
	for v := range sig.Results().Variables() {
		results = append(results, types.TypeString(v.Type(), qualify))
	}
	keyword := ""
	if len(results) > 0 {
		keyword = "return "
	}
	h.printf("func %s(%s) (%s) { %soriginal.%s(%s) }\n",
		fn.Name(), strings.Join(params, ", "), strings.Join(results, ", "), keyword, fn.Name(), strings.Join(args, ", "))
}
