package oasgen

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Glue reads the three generated packages in dir and writes the file that has a service for
// each of them, whose methods are all one function, and tables of what has no name that
// reflection finds: the types that an answer may have.
func Glue(dir string) error {
	var out strings.Builder
	out.WriteString("package main\n\nimport (\n\t\"context\"\n\t\"io\"\n\t\"reflect\"\n\n\t\"conform/codegen\"\n\t\"conform/ogen\"\n\t\"conform/ours\"\n)\n\nvar _ io.Reader\n\n")
	for _, s := range []struct{ pkg, iface, ptr string }{{"ours", "Server", "ours"}, {"codegen", "StrictServerInterface", "codegen"}, {"ogen", "Handler", "ogen"}} {
		files, err := parsed(filepath.Join(dir, s.pkg))
		if err != nil {
			return err
		}
		fmt.Fprintf(&out, "type %sService struct{}\n\n", s.pkg)
		fmt.Fprintf(&out, "var %sAnswers = map[string][]reflect.Type{\n", s.pkg)
		marks := map[string][]string{}
		for _, f := range files {
			for _, d := range f.Decls {
				m, ok := d.(*ast.FuncDecl)
				if !ok || m.Recv == nil {
					continue
				}
				to, pointer := m.Recv.List[0].Type, ""
				if star, ok := to.(*ast.StarExpr); ok {
					to, pointer = star.X, "*"
				}
				id, ok := to.(*ast.Ident)
				if !ok || !ast.IsExported(id.Name) {
					continue
				}
				name := m.Name.Name
				op, visits := strings.CutPrefix(name, "Visit")
				op, response := strings.CutSuffix(op, "Response")
				switch {
				case s.pkg == "codegen" && visits && response:
					marks[op] = append(marks[op], pointer+id.Name)
				case s.pkg == "ogen" && strings.HasSuffix(name, "Res") && m.Type.Params.NumFields() == 0 && m.Type.Results == nil:
					op := strings.TrimSuffix(name, "Res")
					marks[op] = append(marks[op], pointer+id.Name)
				}
			}
		}
		for _, op := range sortedKeys(marks) {
			fmt.Fprintf(&out, "\t%q: {", Norm(op))
			for _, t := range marks[op] {
				star := strings.HasPrefix(t, "*")
				typ := s.pkg + "." + strings.TrimPrefix(t, "*")
				if star {
					typ = "*" + typ
				}
				fmt.Fprintf(&out, "reflect.TypeFor[%s](), ", typ)
			}
			out.WriteString("},\n")
		}
		out.WriteString("}\n\n")
		for _, f := range files {
			ast.Inspect(f, func(n ast.Node) bool {
				spec, ok := n.(*ast.TypeSpec)
				if !ok || spec.Name.Name != s.iface {
					return true
				}
				for _, m := range spec.Type.(*ast.InterfaceType).Methods.List {
					if len(m.Names) > 0 {
						method(&out, s.pkg, m.Names[0].Name, m.Type.(*ast.FuncType))
					}
				}
				return false
			})
		}
	}
	return os.WriteFile(filepath.Join(dir, "services.go"), []byte(out.String()), 0o644)
}

func sortedKeys(m map[string][]string) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func parsed(dir string) (files []*ast.File, err error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// method writes a method that hands all to receive.
func method(out *strings.Builder, pkg, name string, f *ast.FuncType) {
	var params, args, results []string
	n := 0
	for _, p := range f.Params.List {
		for range max(len(p.Names), 1) {
			n++
			params = append(params, fmt.Sprintf("a%d %s", n, qualified(pkg, p.Type)))
			args = append(args, fmt.Sprintf("a%d", n))
		}
	}
	for _, r := range f.Results.List {
		results = append(results, qualified(pkg, r.Type))
	}
	if pkg == "ogen" && name == "NewError" {
		fmt.Fprintf(out, "func (%sService) NewError(%s) %s { panic(a2) }\n\n", pkg, strings.Join(params, ", "), strings.Join(results, ", "))
		return
	}
	if len(results) == 1 { // ogen: only an error
		fmt.Fprintf(out, "func (%sService) %s(%s) error {\n\t_, err := receive[struct{}](%q, %q, %s)\n\treturn err\n}\n\n", pkg, name, strings.Join(params, ", "), pkg, name, strings.Join(args, ", "))
		return
	}
	fmt.Fprintf(out, "func (%sService) %s(%s) (%s) {\n\treturn receive[%s](%q, %q, %s)\n}\n\n", pkg, name, strings.Join(params, ", "), strings.Join(results, ", "), results[0], pkg, name, strings.Join(args, ", "))
}

// qualified writes a type of a package as another one names it.
func qualified(pkg string, e ast.Expr) string {
	switch t := e.(type) {
	case *ast.Ident:
		if ast.IsExported(t.Name) {
			return pkg + "." + t.Name
		}
		return t.Name
	case *ast.StarExpr:
		return "*" + qualified(pkg, t.X)
	case *ast.ArrayType:
		return "[]" + qualified(pkg, t.Elt)
	case *ast.MapType:
		return "map[" + qualified(pkg, t.Key) + "]" + qualified(pkg, t.Value)
	case *ast.IndexExpr:
		return qualified(pkg, t.X) + "[" + qualified(pkg, t.Index) + "]"
	}
	return types.ExprString(e)
}
