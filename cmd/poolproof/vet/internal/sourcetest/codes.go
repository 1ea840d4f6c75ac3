package sourcetest

import (
	"go/types"
	"reflect"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/buildssa"
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/directive"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/infer"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/states"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// Codes returns the functions of a source of one package, with all that was learned of it, in
// source order.
func Codes(t *testing.T, source string) []*track.Code {
	t.Helper()
	const budget = 20000
	learn := &analysis.Analyzer{Name: "codes", Doc: "learns a package", Requires: []*analysis.Analyzer{buildssa.Analyzer}, ResultType: reflect.TypeFor[[]*track.Code](), Run: func(pass *analysis.Pass) (any, error) {
		funcs := pass.ResultOf[buildssa.Analyzer].(*buildssa.SSA).SrcFuncs
		directives := directive.Of(pass)
		program := flow.NewProgram(funcs, func(*types.Func) *summary.Summary { return nil })
		infer.Run(program, funcs, directives, budget)
		table := states.Learn(program, funcs, directives, budget)
		codes := make([]*track.Code, len(funcs))
		for i, f := range funcs {
			codes[i] = track.New(table, f, budget)
		}
		return codes, nil
	}}
	return Analyze(t, source, learn).Roots[0].Result.([]*track.Code)
}

// Calls returns the calls of a function of the package that has a name, in their order.
func Calls(f *ssa.Function, name string) (calls []*ssa.Call) {
	for _, b := range f.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(*ssa.Call); ok && call.Call.StaticCallee() != nil && call.Call.StaticCallee().Name() == name {
				calls = append(calls, call)
			}
		}
	}
	return calls
}
