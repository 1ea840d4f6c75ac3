package toolchain

import (
	"fmt"
	"go/ast"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
)

// addFields adds fields to a struct type.
func addFields(s *overlay.Source, name, text string) error {
	var fields *ast.FieldList
	ast.Inspect(s.File(), func(n ast.Node) bool {
		if t, ok := n.(*ast.TypeSpec); ok && t.Name.Name == name {
			if st, ok := t.Type.(*ast.StructType); ok {
				fields = st.Fields
			}
		}
		return fields == nil
	})
	if fields == nil {
		return s.Missing("struct " + name)
	}
	s.Insert(fields.Closing, text)
	return nil
}

func goroutineFields(s *overlay.Source) error {
	return addFields(s, "g", "poolproofTest, poolproofNil, poolproofLife uint32; poolproofBirth, poolproofNilPool, poolproofAddr, poolproofSize uintptr; poolproofFrom poolproofFrame; poolproofKind uint8; ")
}

// method returns a method whose receiver has that name; nil if there is none.
func method(s *overlay.Source, typ, name, receiver string) *ast.FuncDecl {
	m := s.Method(typ, name)
	if m == nil || len(m.Recv.List[0].Names) != 1 || m.Recv.List[0].Names[0].Name != receiver {
		return nil
	}
	return m
}

// only returns the one statement below a function, which the error calls what, with that text.
func only(s *overlay.Source, what string, f *ast.FuncDecl, code string) (ast.Stmt, error) {
	if f == nil {
		return nil, s.Missing(what)
	}
	found := s.Statements(f.Body, code)
	if len(found) != 1 {
		return nil, s.Missing(fmt.Sprintf("%s with one %q", what, code))
	}
	return found[0], nil
}

func runtimeProc(s *overlay.Source) error {
	born, err := only(s, "function newproc1", s.Func("newproc1"), "newg.startpc = fn.fn")
	if err != nil {
		return err
	}
	s.Insert(born.End(), "; poolproofNewG(newg, callergp)")
	armed, err := only(s, "function main", s.Func("main"), "gcenable()")
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
	return editPool(s, " if poolproofOn && p.poolproofPut(%s) { return };", " if poolproofOn { if x, done := p.poolproofGet(); done { return x } };", " if poolproofKeepPools { return };")
}

// reusingPool edits the pool of the second pass.
func reusingPool(s *overlay.Source) error {
	err := addFields(s, "Pool", "poolproofTop, poolproofOld, poolproofSpare *poolproofNode; poolproofSelf *Pool; poolproofLock Mutex; poolproofIs bool; poolproofCrowded atomic.Bool; ")
	if err != nil {
		return err
	}
	return editPool(s, " if p.poolproofPut(%s) { return };", " if x, done := p.poolproofGet(); done { return x };", " poolproofClean();")
}

// editPool inserts statements at the beginning of the methods of sync.Pool, the first with
// Put's parameter, and of what the collector calls.
func editPool(s *overlay.Source, put, get, clean string) error {
	putting, getting, cleaning := method(s, "Pool", "Put", "p"), method(s, "Pool", "Get", "p"), s.Func("poolCleanup")
	switch {
	case putting == nil || len(putting.Type.Params.List) != 1 || len(putting.Type.Params.List[0].Names) != 1:
		return s.Missing("method (p *Pool) Put with one parameter")
	case getting == nil:
		return s.Missing("method (p *Pool) Get")
	case cleaning == nil:
		return s.Missing("function poolCleanup")
	}
	s.Insert(putting.Body.Lbrace+1, fmt.Sprintf(put, putting.Type.Params.List[0].Names[0].Name))
	s.Insert(getting.Body.Lbrace+1, get)
	s.Insert(cleaning.Body.Lbrace+1, clean)
	return nil
}
