package facts

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/buildssa"
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/channels"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/directive"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/infer"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/observe"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/observe/stale"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/states"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// defaultBudget is enough for every function of the standard library.
const defaultBudget = 20000

func run(pass *analysis.Pass, o events.Options) (*events.Events, error) {
	directives := directive.Of(pass)
	ev := &events.Events{Options: o, Directives: directives, Test: inTest(pass.Fset), Generated: inGenerated(pass, ast.IsGenerated), Cgo: inGenerated(pass, byCgo)}
	if Skipped(pass.Pkg.Path()) {
		return ev, nil
	}
	ev.Failures = failures(pass)
	if slices.Contains(o.Without, pass.Pkg.Path()) {
		pass.ExportPackageFact(&Failed{"the analysis ended"})
		return ev, nil
	}
	funcs := functions(pass.ResultOf[source].(*buildssa.SSA))
	program := flow.NewProgram(funcs, func(fn *types.Func) *summary.Summary {
		s := new(summary.Summary)
		if pass.ImportObjectFact(fn, s) {
			return s
		}
		return nil
	})
	for _, f := range infer.Run(program, funcs, directives, o.Budget) {
		ev.GaveUp = append(ev.GaveUp, events.GivenUp{Pos: f.Pos(), Func: f.RelString(pass.Pkg)})
	}
	effects := states.Learn(program, funcs, directives, o.Budget)
	export(pass, program, funcs, directives)
	codes := make([]*track.Code, len(funcs))
	for i, f := range funcs {
		codes[i] = track.New(effects, f, o.Budget)
	}
	exportLent(pass, codes)
	pkg := &scene.Package{
		Pass: pass, Events: ev, Effects: effects, Chans: channels.Listen(codes), Funcs: funcs,
		Shrinks:  make(map[*types.Var]bool),
		LentType: func(t types.Type) (*types.TypeName, bool) { return lentType(pass, t) },
	}
	scene.FindPools(pkg)
	left := stale.Learn(pkg)
	for _, code := range codes {
		observe.Function(pkg, left, code)
	}
	slices.SortStableFunc(ev.Funcs, func(a, b *events.Func) int { return int(a.Pos - b.Pos) })
	return ev, nil
}

// functions returns all functions of a package with code, those in the values of
// package variables too, in source order.
func functions(s *buildssa.SSA) []*ssa.Function {
	var funcs []*ssa.Function
	seen := make(map[*ssa.Function]bool)
	var add func(f *ssa.Function)
	add = func(f *ssa.Function) {
		if seen[f] || len(f.Blocks) == 0 {
			return
		}
		seen[f] = true
		funcs = append(funcs, f)
		for _, anon := range f.AnonFuncs {
			add(anon)
		}
	}
	for _, f := range s.SrcFuncs {
		add(f)
	}
	if init := s.Pkg.Func("init"); init != nil {
		add(init)
	}
	return funcs
}

// export keeps what was learned as facts of the functions that others can call.
func export(pass *analysis.Pass, program *flow.Program, funcs []*ssa.Function, d *directive.Index) {
	for _, f := range funcs {
		obj, ok := f.Object().(*types.Func)
		if !ok || !obj.Exported() || obj.Pkg() != pass.Pkg {
			continue
		}
		if s := program.Own(f); !s.Zero() {
			pass.ExportObjectFact(obj, s)
		}
	}
	// Methods of interfaces have no code: only what a directive says.
	scope := pass.Pkg.Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		i, ok := tn.Type().Underlying().(*types.Interface)
		if !ok {
			continue
		}
		for m := range i.ExplicitMethods() {
			if m.Pkg() != pass.Pkg {
				continue
			}
			if s := declared(m, d); !s.Zero() {
				pass.ExportObjectFact(m, s)
			}
		}
	}
}

// exportLent keeps as facts which types the functions of the package lend objects as.
func exportLent(pass *analysis.Pass, codes []*track.Code) {
	lent := make(map[*types.TypeName]bool)
	for _, code := range codes {
		for _, tn := range states.Lends(code, pass.Pkg) {
			if !lent[tn] {
				lent[tn] = true
				pass.ExportObjectFact(tn, &summary.Borrowed{Lender: code.F.Name()})
			}
		}
	}
}

// declared returns what directives say of a method of an interface.
func declared(m *types.Func, d *directive.Index) *summary.Summary {
	s := new(summary.Summary)
	infer.Declare(s, d, m, func(name string) int {
		for i := range m.Signature().Params().Len() {
			if m.Signature().Params().At(i).Name() == name {
				return i + 1
			}
		}
		return -1
	})
	return s
}

// lentType returns the name of a type whose values are lent to callbacks.
func lentType(pass *analysis.Pass, t types.Type) (*types.TypeName, bool) {
	if elem := ssax.Pointee(t); elem != nil {
		t = elem
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return nil, false
	}
	if pass.ImportObjectFact(named.Origin().Obj(), new(summary.Borrowed)) {
		return named.Obj(), true
	}
	return nil, false
}

func inTest(fset *token.FileSet) func(token.Pos) bool {
	return func(pos token.Pos) bool {
		file := fset.File(pos)
		return file != nil && strings.HasSuffix(file.Name(), "_test.go")
	}
}

func inGenerated(pass *analysis.Pass, is func(*ast.File) bool) func(token.Pos) bool {
	generated := make(map[*token.File]bool)
	for _, f := range pass.Files {
		if is(f) {
			generated[pass.Fset.File(f.FileStart)] = true
		}
	}
	return func(pos token.Pos) bool { return generated[pass.Fset.File(pos)] }
}

// byCgo reports whether a file is what cgo made of one that a person wrote.
func byCgo(f *ast.File) bool {
	for _, group := range f.Comments {
		if group.Pos() > f.Package {
			break
		}
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "// Code generated by cmd/cgo") {
				return true
			}
		}
	}
	return false
}
