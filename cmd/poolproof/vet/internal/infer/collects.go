package infer

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// collects notes the lists of which v is an element, or which it was made longer by: what
// is stored of them stays.
func (l *learner) collects(v ssa.Value) {
	l.s.Collects |= l.lists(v)
	call, ok := v.(*ssa.Call)
	if !ok {
		return
	}
	if c := l.p.Resolve(call); c.Builtin != "append" || len(c.Args) != 2 {
		return
	}
	added := call.Call.Args[1]
	if array, ok := added.(*ssa.Slice); ok {
		if alloc, ok := array.X.(*ssa.Alloc); ok { // the values that are added, one by one
			for _, s := range l.p.Stores(alloc).Part {
				l.s.Collects |= l.lists(s.Val)
			}
			return
		}
	}
	if ssax.HasPointers(added.Type()) {
		l.s.Collects |= l.whollyOrPart(added)
	}
}
