package reuse

import (
	"go/ast"
	"go/types"
	"strings"
)

// resultsOf ranges over the types of a call's results.
func resultsOf(info *types.Info, call *ast.CallExpr) func(yield func(types.Type) bool) {
	return func(yield func(types.Type) bool) {
		sig, ok := info.TypeOf(call.Fun).Underlying().(*types.Signature)
		if !ok {
			return
		}
		for v := range sig.Results().Variables() {
			if !yield(v.Type()) {
				return
			}
		}
	}
}

// sharesMemory reports whether a value of the type may lead to the memory of another.
func sharesMemory(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return false
	case *types.Struct:
		for f := range t.Fields() {
			if sharesMemory(f.Type()) {
				return true
			}
		}
		return false
	case *types.Array:
		return sharesMemory(t.Elem())
	}
	return true
}

func errorType(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// isBuffer reports whether a type is bytes.Buffer or strings.Builder, or a pointer to one.
func isBuffer(t types.Type) bool { return bufferName(t) != "" }

// bufferName is "bytes.Buffer" or "strings.Builder"; "" for other types.
func bufferName(t types.Type) string {
	if t == nil {
		return ""
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	switch name := strings.TrimPrefix(types.Unalias(t).String(), "*"); name {
	case "bytes.Buffer", "strings.Builder":
		return name
	}
	return ""
}
