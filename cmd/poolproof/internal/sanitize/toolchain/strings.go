package toolchain

import (
	"go/ast"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
)

// runtimeStrings: string data is taken as read-only by the compiler, which
// does not instrument its reads.
func runtimeStrings(s *overlay.Source) error {
	concat := s.Func("concatstrings")
	toBytes, toRunes := s.Func("stringtoslicebyte"), s.Func("stringtoslicerune")
	if concat == nil || toBytes == nil || toRunes == nil {
		return s.Missing("functions concatstrings, stringtoslicebyte and stringtoslicerune")
	}
	for f, want := range map[*ast.FuncDecl]string{concat: "a []string", toBytes: "s string", toRunes: "s string"} {
		list := f.Type.Params.List
		if len(list) != 2 || s.Code(list[1]) != want {
			return s.Missing("function " + f.Name.Name + " of " + want)
		}
	}
	s.Insert(concat.Body.Lbrace+1, " for _, x := range a { msanread(unsafe.Pointer(unsafe.StringData(x)), uintptr(len(x))) };")
	s.Insert(toBytes.Body.Lbrace+1, " msanread(unsafe.Pointer(unsafe.StringData(s)), uintptr(len(s)));")
	s.Insert(toRunes.Body.Lbrace+1, " msanread(unsafe.Pointer(unsafe.StringData(s)), uintptr(len(s)));")
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
	for _, name := range []string{"runtime_mapaccess1_faststr", "runtime_mapaccess2_faststr", "runtime_mapassign_faststr", "runtime_mapdelete_faststr"} {
		f := s.Func(name)
		if f == nil {
			return s.Missing("function " + name)
		}
		list := f.Type.Params.List
		if last := list[len(list)-1]; s.Code(last) != "key string" {
			return s.Missing("function " + name + " of key string")
		}
		s.Insert(f.Body.Lbrace+1, " poolproofKey(key);")
	}
	return nil
}
