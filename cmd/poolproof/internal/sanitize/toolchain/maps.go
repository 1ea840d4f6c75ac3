package toolchain

import (
	"go/ast"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
)

// mapFiles are where the operations on maps are found, in one version or another.
var mapFiles = []string{
	"map.go", "table.go", "runtime.go", "runtime_fast32.go", "runtime_fast64.go",
	"runtime_swiss.go", "runtime_fast32_swiss.go", "runtime_fast64_swiss.go", "runtime_faststr.go", "runtime_faststr_swiss.go",
}

// mapOperations tells of each operation on a map: its code is the runtime's own, and
// not instrumented.
func mapOperations(s *overlay.Source) error {
	found := false
	for _, d := range s.File().Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		if hook := mapHook(s, f); hook != "" {
			s.Insert(f.Body.Lbrace+1, " "+hook+";")
			found = true
		}
	}
	if !found {
		return s.Missing("operations on a map")
	}
	return nil
}

// mapHook is the statement that tells of one operation.
func mapHook(s *overlay.Source, f *ast.FuncDecl) string {
	name := f.Name.Name
	if f.Recv == nil {
		if len(f.Type.Params.List) < 2 || s.Code(f.Type.Params.List[1]) != "m *Map" {
			return ""
		}
		switch {
		case strings.HasPrefix(name, "runtime_mapaccess"):
			return "poolproofMapRead(m)"
		case strings.HasPrefix(name, "runtime_mapassign"), strings.HasPrefix(name, "runtime_mapdelete"):
			return "poolproofMapWrite(m)"
		}
		return ""
	}
	switch recv := s.Code(f.Recv.List[0]); {
	case recv == "m *Map" && (name == "Delete" || name == "Clear" || name == "Put"):
		return "poolproofMapWrite(m)"
	case recv == "m *Map" && (name == "Get" || name == "Clone"):
		return "poolproofMapRead(m)"
	case recv == "it *Iter" && name == "Init" && len(f.Type.Params.List) == 2 && s.Code(f.Type.Params.List[1]) == "m *Map":
		return "poolproofMapRead(m)"
	}
	return ""
}

// runtimeStrings: string data is taken as read-only by the compiler, which
// does not instrument its reads.
func runtimeStrings(s *overlay.Source) error {
	all, err := functions(s, "concatstrings", "stringtoslicebyte", "stringtoslicerune")
	if err != nil {
		return err
	}
	for i, f := range all {
		want, hook := "s string", " msanread(unsafe.Pointer(unsafe.StringData(s)), uintptr(len(s)));"
		if i == 0 {
			want, hook = "a []string", " for _, x := range a { msanread(unsafe.Pointer(unsafe.StringData(x)), uintptr(len(x))) };"
		}
		if list := f.Type.Params.List; len(list) != 2 || s.Code(list[1]) != want {
			return s.Missing("function " + f.Name.Name + " of " + want)
		}
		s.Insert(f.Body.Lbrace+1, hook)
	}
	return nil
}

// mapEdits are all edits of a file of package internal/runtime/maps.
func mapEdits(s *overlay.Source) error {
	operations := mapOperations(s)
	if s.Func("runtime_mapaccess1_faststr") == nil {
		return operations
	}
	return mapKeys(s)
}

// mapKeys tells of the keys that are strings.
func mapKeys(s *overlay.Source) error {
	all, err := functions(s, "runtime_mapaccess1_faststr", "runtime_mapaccess2_faststr", "runtime_mapassign_faststr", "runtime_mapdelete_faststr")
	if err != nil {
		return err
	}
	for _, f := range all {
		list := f.Type.Params.List
		if last := list[len(list)-1]; s.Code(last) != "key string" {
			return s.Missing("function " + f.Name.Name + " of key string")
		}
		s.Insert(f.Body.Lbrace+1, " poolproofKey(key);")
	}
	return nil
}
