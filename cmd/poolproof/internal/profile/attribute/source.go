package attribute

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
)

// source is one file with its types.
type source struct {
	fset *token.FileSet
	file *ast.File
	info *types.Info
}

// mode is what a package is loaded with: its own source with types, and the
// types of what it imports.
const mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedTypes |
	packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedTypesSizes | packages.NeedModule

// Load loads packages, by import path, that were not loaded before. A package
// that does not compile stays without source.
func (s *Scope) Load(ctx context.Context, paths ...string) error {
	missing := map[*lister][]string{}
	for _, path := range paths {
		if at, ok := s.homes[path]; ok {
			if _, known := s.loaded[path]; !known {
				s.loaded[path] = nil
				missing[at.by] = append(missing[at.by], path)
			}
		}
	}
	for by, paths := range missing {
		if err := s.load(ctx, by, paths); err != nil {
			return err
		}
	}
	return nil
}

func (s *Scope) load(ctx context.Context, by *lister, paths []string) error {
	config := &packages.Config{Context: ctx, Mode: mode, Dir: by.dir, Env: by.chain.Command(ctx, by.dir).Env}
	if by.tags != "" {
		config.BuildFlags = []string{"-tags=" + by.tags}
	}
	pkgs, err := packages.Load(config, paths...)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fault.Errorf(fault.Tools, "loading %s: %w", strings.Join(paths, " "), err)
	}
	for _, p := range pkgs {
		if p.Types == nil || p.TypesInfo == nil {
			continue
		}
		s.loaded[p.PkgPath] = p
		for _, f := range p.Syntax {
			s.files[p.Fset.Position(f.Package).Filename] = &source{p.Fset, f, p.TypesInfo}
		}
	}
	return nil
}

// Package returns a package of the user's that was loaded, or nil.
func (s *Scope) Package(path string) *packages.Package { return s.loaded[path] }

// Dir is the folder of a package of the user's; "" if it is none.
func (s *Scope) Dir(path string) string { return s.homes[path].dir }

// Toolchain is what builds a package of the user's, and with which tags.
func (s *Scope) Toolchain(path string) (t *overlay.Toolchain, tags string) {
	if by := s.homes[path].by; by != nil {
		return by.chain, by.tags
	}
	return nil, ""
}

// source returns a file that was loaded, or nil.
func (s *Scope) source(file string) *source { return s.files[file] }

func (f *source) line(p token.Pos) int { return f.fset.Position(p).Line }

// enclosing is the declared function around a line, or nil.
func (f *source) enclosing(line int) *ast.FuncDecl {
	for _, d := range f.file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && f.line(fn.Pos()) <= line && line <= f.line(fn.End()) {
			return fn
		}
	}
	return nil
}

// declares reports whether a line is in the function that the runtime calls
// name, or in a package-level variable's initial value.
func (f *source) declares(line int, name string) bool {
	fn := f.enclosing(line)
	if fn == nil {
		return name == "init" || strings.HasPrefix(name, "init.") || strings.HasPrefix(name, "glob.")
	}
	// "F[...].func1", "(*T[...]).M-fm", "T.M"
	name = typeArgs.ReplaceAllString(name, "")
	if receiver, method, ok := strings.Cut(strings.TrimPrefix(name, "("), ")."); ok {
		name = strings.TrimPrefix(receiver, "*") + "." + method
	}
	parts := strings.Split(name, ".")
	if fn.Recv == nil {
		return parts[0] == fn.Name.Name
	}
	return len(parts) > 1 && strings.TrimSuffix(parts[1], "-fm") == fn.Name.Name
}

var typeArgs = regexp.MustCompile(`\[[^\]]*\]`)

// within calls do with each node that has a part on a line.
func (f *source) within(line int, do func(ast.Node)) {
	ast.Inspect(f.file, func(n ast.Node) bool {
		if n == nil || f.line(n.Pos()) > line || f.line(n.End()) < line {
			return false
		}
		do(n)
		return true
	})
}

// calls returns the calls that the compiler may have on a line: by their opening
// parenthesis, or the name before it.
func (f *source) calls(line int) (calls []*ast.CallExpr) {
	f.within(line, func(n ast.Node) {
		if c, ok := n.(*ast.CallExpr); ok && (f.line(c.Lparen) == line || f.line(c.Pos()) == line || f.line(c.Rparen) == line) {
			calls = append(calls, c)
		}
	})
	return calls
}

// text is the source of a node on one line, cut where it is long.
func (f *source) text(n ast.Node) string {
	const most = 60
	t := strings.Join(strings.Fields(types.ExprString(asExpr(n))), " ")
	if r := []rune(t); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return t
}

func asExpr(n ast.Node) ast.Expr {
	if e, ok := n.(ast.Expr); ok {
		return e
	}
	return ast.NewIdent(fmt.Sprintf("%T", n))
}

// callTo finds the call of a function on a line: its column, and its source.
func (f *source) callTo(line int, callee string) (column int, expr string) {
	for _, c := range f.calls(line) {
		if fn, ok := typeutil.Callee(f.info, c).(*types.Func); ok && strings.HasSuffix("."+profile.NameOf(callee), "."+fn.Name()) {
			return f.fset.Position(c.Lparen).Column, f.text(c)
		}
	}
	return 0, ""
}
