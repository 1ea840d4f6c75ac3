package states

import (
	"go/types"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/infer"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// takes reads what directives say of fields of the function's parameters: that it takes
// over what they hold.
func takes(f *ssa.Function, d infer.Directives) (taken []summary.FieldEffect, fields map[*types.Var]bool) {
	fields = make(map[*types.Var]bool)
	obj, ok := f.Object().(*types.Func)
	if !ok {
		return nil, fields
	}
	for _, o := range d.Owns(obj) {
		if len(o.Fields) == 0 {
			continue
		}
		for i, prm := range f.Params {
			path, ok := pathOf(prm.Type(), o.Fields)
			if prm.Name() != o.Param || !ok || i >= 64 {
				continue
			}
			fields[o.Fields[len(o.Fields)-1].Origin()] = true
			taken = append(taken, summary.FieldEffect{
				Param: i, Path: path, Puts: o.Told < 0, MayPut: true, Taken: true, Told: o.Told + 1,
			})
		}
	}
	return taken, fields
}

// pathOf returns the path, as of a FieldEffect, from what a parameter points to.
func pathOf(t types.Type, fields []*types.Var) (path string, ok bool) {
	if t = ssax.Pointee(t); t == nil {
		return "", false // a copy: what it holds is its caller's too
	}
	for i, field := range fields {
		if elem := ssax.Pointee(t); i > 0 && elem != nil {
			path, t = path+"*", elem
		}
		st, ok := t.Underlying().(*types.Struct)
		if !ok {
			return "", false
		}
		at := slices.IndexFunc(slices.Collect(st.Fields()), func(v *types.Var) bool { return v.Origin() == field.Origin() })
		if at < 0 {
			return "", false
		}
		path, t = path+"."+strconv.Itoa(at), st.Field(at).Type()
	}
	return path, true
}

// declared puts what directives say of fields in the place of what was learned of them.
func declared(list, taken []summary.FieldEffect, sets func(summary.FieldEffect) bool) []summary.FieldEffect {
	for _, e := range taken {
		e.Sets = sets(e)
		list = append(slices.DeleteFunc(list, func(old summary.FieldEffect) bool { return old.Param == e.Param && old.Path == e.Path }), e)
	}
	return list
}
