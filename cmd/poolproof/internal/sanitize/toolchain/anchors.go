package toolchain

import (
	"fmt"
	"go/ast"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
)

// structFields returns the fields of a struct type; nil if there is none of that name.
func structFields(s *overlay.Source, name string) (fields *ast.FieldList) {
	ast.Inspect(s.File(), func(n ast.Node) bool {
		if t, ok := n.(*ast.TypeSpec); ok && t.Name.Name == name {
			if st, ok := t.Type.(*ast.StructType); ok {
				fields = st.Fields
			}
		}
		return fields == nil
	})
	return fields
}

func goroutineFields(s *overlay.Source) error {
	fields := structFields(s, "g")
	if fields == nil {
		return s.Missing("struct g")
	}
	s.Insert(fields.Closing, "poolproofTest, poolproofNil, poolproofLife uint32; poolproofBirth, poolproofNilPool, poolproofAddr, poolproofSize uintptr; poolproofFrom poolproofFrame; poolproofKind uint8; ")
	return nil
}

// only returns the one statement below a function with that text.
func only(s *overlay.Source, function, code string) (ast.Stmt, error) {
	f := s.Func(function)
	if f == nil {
		return nil, s.Missing("function " + function)
	}
	found := s.Statements(f.Body, code)
	if len(found) != 1 {
		return nil, s.Missing(fmt.Sprintf("function %s with one %q", function, code))
	}
	return found[0], nil
}

func runtimeProc(s *overlay.Source) error {
	born, err := only(s, "newproc1", "newg.startpc = fn.fn")
	if err != nil {
		return err
	}
	s.Insert(born.End(), "; poolproofNewG(newg, callergp)")
	armed, err := only(s, "main", "gcenable()")
	if err != nil {
		return err
	}
	s.Insert(armed.End(), "; poolproofStart()")
	f := s.Func("runExitHooks")
	if f == nil {
		return s.Missing("function runExitHooks")
	}
	s.Insert(f.Body.Lbrace+1, " poolproofExit();")
	return nil
}

func syncPool(s *overlay.Source) error {
	put, get := s.Method("Pool", "Put"), s.Method("Pool", "Get")
	if put == nil || len(put.Type.Params.List) != 1 || len(put.Type.Params.List[0].Names) != 1 ||
		put.Recv.List[0].Names == nil || put.Recv.List[0].Names[0].Name != "p" {
		return s.Missing("method (p *Pool) Put with one parameter")
	}
	if get == nil || get.Recv.List[0].Names == nil || get.Recv.List[0].Names[0].Name != "p" {
		return s.Missing("method (p *Pool) Get")
	}
	x := put.Type.Params.List[0].Names[0].Name
	s.Insert(put.Body.Lbrace+1, " if poolproofOn && p.poolproofPut("+x+") { return };")
	s.Insert(get.Body.Lbrace+1, " if poolproofOn { if x, done := p.poolproofGet(); done { return x } };")
	clean := s.Func("poolCleanup")
	if clean == nil {
		return s.Missing("function poolCleanup")
	}
	s.Insert(clean.Body.Lbrace+1, " if poolproofKeepPools { return };")
	return nil
}
