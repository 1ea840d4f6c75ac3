package scene

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// nameOf returns how the source calls a value: the variable that it is assigned
// to.
func (fn *Function) nameOf(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.Parameter:
		return v.Name()
	case *ssa.FreeVar:
		return v.Name()
	case *ssa.FieldAddr:
		if base := fn.nameOf(v.X); base != "" {
			return base + "." + ssax.FieldName(v)
		}
		return "the field " + ssax.FieldName(v)
	case *ssa.Alloc:
		if !strings.Contains(v.Comment, " ") && v.Comment != "complit" && v.Comment != "new" {
			return v.Comment
		}
	case *ssa.Extract:
		switch tuple := v.Tuple.(type) {
		case *ssa.Call:
			return fn.Syntax().result(tuple.Pos(), v.Index)
		case *ssa.UnOp:
			return fn.Syntax().assigned(tuple.Pos())
		case *ssa.Select:
			if state := ssax.Receives(v); state != nil {
				return fn.Syntax().assigned(state.Pos)
			}
		}
	}
	return fn.Syntax().assigned(v.Pos())
}

// PlaceName is a place as the source calls it: "c.buf".
func (fn *Function) PlaceName(place memory.Var) string {
	for at := range ssax.Of[*ssa.FieldAddr](fn.F) {
		if v, ok := fn.Program.Place(at); ok && v == place {
			if base := fn.BaseName(place); base != "" {
				return base + "." + ssax.FieldName(at)
			}
			return "the field " + ssax.FieldName(at)
		}
	}
	if name := fn.BaseName(place); name != "" {
		return "the object in " + name
	}
	return ""
}

// BaseName is how the source calls what a place is a part of, "" if it has no name.
func (fn *Function) BaseName(place memory.Var) string { return fn.nameOf(place.Base) }

// PoolName returns how the source calls a pool, "" if it has no name: a package
// variable, with its package if that is another one, or a field.
func (fn *Function) PoolName(p track.Pool) string {
	switch {
	case p.Name != "":
		variable := strings.TrimSuffix(p.Name, "*") // a pointer to a pool
		name := variable[strings.LastIndexByte(variable, '/')+1:]
		if strings.Count(name, ".") != 1 {
			if p.Decl != nil && p.Decl.IsField() {
				return syntax.Name(p.Decl)
			}
			return ""
		}
		if own := fn.Pass.Pkg.Path() + "."; strings.HasPrefix(variable, own) {
			return strings.TrimPrefix(variable, own)
		}
		return name
	case p.Decl != nil:
		return syntax.Name(p.Decl)
	}
	return ""
}
