package ssax

import "golang.org/x/tools/go/ssa"

// Element returns the list of which a value is an element, a slice, an array or a map, and what says which.
func Element(v ssa.Value) (list, at ssa.Value, ok bool) {
	if load := Load(v); load != nil {
		index, ok := load.X.(*ssa.IndexAddr)
		if !ok {
			return nil, nil, false
		}
		return index.X, index.Index, true
	}
	switch v := v.(type) {
	case *ssa.Extract:
		switch tuple := v.Tuple.(type) {
		case *ssa.Next:
			if r, ok := tuple.Iter.(*ssa.Range); ok && v.Index == 2 {
				return r.X, tuple, true
			}
		case *ssa.Lookup:
			return tuple.X, tuple.Index, v.Index == 0
		}
	case *ssa.Lookup:
		return v.X, v.Index, !v.CommaOk
	}
	return nil, nil, false
}
