package states

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// learnPools learns which pools the results come from and the parameters go to.
func (fn learner) learnPools(s *summary.Summary) {
	s.From, s.To = nil, nil
	for r := range s.Getter.Members() {
		if ref, ok := fn.onlySource(r); ok {
			s.From = append(s.From, ref)
		}
	}
	for i, prm := range fn.code.F.Params {
		if !s.Gives(i) || i >= 64 {
			continue
		}
		var only summary.PoolRef
		known := false
		for j := range fn.code.Puts {
			p := &fn.code.Puts[j]
			if p.Captured || fn.code.Program.Origin(p.Arg) != ssa.Value(prm) {
				continue
			}
			at, ok := fn.code.PoolTo(&p.Call, p.Index)
			ref, named := fn.code.PoolRef(at, i)
			if !ok || !named || known && ref != only {
				known = false
				break
			}
			only, known = ref, true
		}
		if known {
			s.To = append(s.To, only)
		}
	}
}

// onlySource returns the pool that all returns take result r from.
func (fn learner) onlySource(r int) (only summary.PoolRef, known bool) {
	for ret := range ssax.Returns(fn.code.F) {
		if r >= len(ret.Results) || ssax.IsNil(ret.Results[r]) {
			continue
		}
		root := fn.code.Program.Origin(ret.Results[r])
		g := fn.code.GetOf(root)
		if g == nil {
			return only, false
		}
		at, ok := fn.code.PoolFrom(&g.Call, g.Result())
		ref, named := fn.code.PoolRef(at, r)
		if !ok || !named || known && ref != only {
			return only, false
		}
		only, known = ref, true
	}
	return only, known
}
