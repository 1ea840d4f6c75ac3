package fields

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// local reports whether a variable belongs to the function that the value lives in.
func (s *spread) local(v *types.Var) bool {
	return s.maker.Pos() <= v.Pos() && v.Pos() <= s.maker.End()
}

// parameter is the number of a parameter of the function that the value lives in.
func (s *spread) parameter(v *types.Var) (n int, ok bool) {
	lit, ok := s.maker.(*ast.FuncLit)
	if !ok {
		n, ok = s.body.params[v]
		return n, ok
	}
	sig, ok := under(s.body.typeOf(lit)).(*types.Signature)
	if !ok {
		return 0, false
	}
	n = slices.Index(slices.Collect(sig.Params().Variables()), v)
	return n, n >= 0
}

// holder says what memory an expression is in, or refers to. What a call of unknown code
// returns is no memory that is shown to outlive the call.
func (s *spread) holder(e ast.Expr, depth int) Holder {
	if depth > 8 {
		return Holder{Lives: true}
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := s.body.objectOf(e).(*types.Var)
		switch {
		case !ok:
			return Holder{}
		case !s.local(v):
			return Holder{Lives: true}
		}
		return s.variableHolder(v, depth)
	case *ast.SelectorExpr:
		if s.body.info.Selections[e] == nil && syntax.Package(s.body.info, e) != nil {
			return Holder{Lives: true}
		}
	case *ast.CallExpr:
		return s.resultHolder(e, depth)
	}
	if x := operand(e); x != nil {
		return s.holder(x, depth+1)
	}
	return Holder{}
}

func (s *spread) variableHolder(v *types.Var, depth int) Holder {
	if n, ok := s.parameter(v); ok {
		return Holder{Param: 1 + n}
	}
	if s.body.literals[v] {
		if x := s.body.ranged[v]; x != nil {
			return s.holder(x, depth+1)
		}
		return Holder{Lives: true}
	}
	for _, d := range s.body.defs[v] {
		if h := s.holder(d.value, depth+1); h != (Holder{}) {
			return h
		}
	}
	return Holder{}
}

func (s *spread) resultHolder(call *ast.CallExpr, depth int) Holder {
	if s.body.info.Types[call.Fun].IsType() && len(call.Args) == 1 || s.body.builtin(call) == "append" && len(call.Args) > 0 {
		return s.holder(call.Args[0], depth+1)
	}
	if fn := s.body.callee(call); fn != nil && !dynamic(fn) && !s.body.stdFunc(fn) {
		return Holder{Of: fn.FullName()}
	}
	return Holder{}
}
