package late

import (
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// members returns the objects that are certainly in the list of which e puts each
// element, because they were given to what has the list as its elements:
// newMerged(a, b).
func members(fn *track.Code, e *track.Emptying) (list []ssa.Value) {
	made, ok := e.List.Base.(ssa.Instruction)
	elem := elemType(e.List)
	if !ok || elem == nil || made.Parent() != fn.F {
		return nil
	}
	for instr := range ssax.Instrs(fn.F) {
		s, ok := instr.(*ssa.Store)
		if !ok || !types.Identical(s.Val.Type(), elem) || !inLiteral(s.Addr) || !ssax.Before(s, e.Start()) {
			continue
		}
		root := fn.Program.Origin(s.Val)
		if at, ok := root.(ssa.Instruction); ok && at.Block() != nil && ssax.Reaches(at.Block(), at.Block()) {
			continue // several, of which this is one
		}
		al := fn.AliasesOf(root)
		if al == nil {
			continue
		}
		if info := al.Of(e.List.Base); info != nil && info.Holder && info.Must {
			list = append(list, root)
		}
	}
	return list
}

// inLiteral reports whether an address is of an element of a list that is written down,
// or of the arguments of a variadic call.
func inLiteral(addr ssa.Value) bool {
	index, ok := addr.(*ssa.IndexAddr)
	if !ok {
		return false
	}
	array, ok := index.X.(*ssa.Alloc)
	return ok && (array.Comment == "varargs" || array.Comment == "slicelit")
}

// elemType returns the type of the elements of the list at a place, nil if it is not
// known.
func elemType(list memory.Var) types.Type {
	if !strings.HasSuffix(list.Path, "*") {
		return nil
	}
	t := ssax.Pointee(list.Base.Type())
	for _, step := range strings.Split(strings.TrimSuffix(strings.TrimPrefix(list.Path, "."), "*"), ".") {
		if t == nil {
			return nil
		}
		st, ok := t.Underlying().(*types.Struct)
		i, err := strconv.Atoi(step)
		if !ok || err != nil || i >= st.NumFields() {
			return nil
		}
		t = st.Field(i).Type()
	}
	if s, ok := t.Underlying().(*types.Slice); ok {
		return s.Elem()
	}
	return nil
}
