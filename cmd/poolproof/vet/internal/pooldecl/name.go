package pooldecl

import "go/types"

// Name returns how a message calls a pool: by the name of its variable, and a field by
// the type that it is a field of, too: conn.buffers.
func Name(v *types.Var) string {
	if !v.IsField() || v.Pkg() == nil {
		return v.Name()
	}
	scope := v.Pkg().Scope()
	for _, name := range scope.Names() {
		typ, ok := scope.Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		st, ok := typ.Type().Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for f := range st.Fields() {
			if f.Origin() == v.Origin() {
				return name + "." + v.Name()
			}
		}
	}
	return v.Name()
}
