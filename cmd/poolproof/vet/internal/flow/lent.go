package flow

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// OnlyLent reports whether a function value is passed only to functions that keep
// it no longer than they run.
func (p *Program) OnlyLent(v ssa.Value) bool {
	return ssax.Only(v, func(use ssa.Instruction) bool {
		switch use := use.(type) {
		case *ssa.ChangeType:
			return p.OnlyLent(use)
		case *ssa.Call:
			c := p.Resolve(use)
			if c.Fn == nil || c.Invoke || c.Fn.Pkg() == nil || unknown(c.Fn.Pkg().Path()) {
				return false
			}
			for i, arg := range c.Args {
				if arg == v && !c.Summary.Borrows.Has(i) && (i >= c.Captures || keepsFunction(&c, i)) {
					return false
				}
			}
			return true
		}
		return false
	})
}

// keepsFunction reports whether a callee does more with a function that it gets
// than to call it.
func keepsFunction(c *Call, i int) bool {
	s := c.Summary
	return (s.Retains | s.Keeps | s.Starts | s.Lends | s.Owns).Has(i) || len(summary.With(s.Into, i))+len(summary.With(s.Returns, i)) > 0
}

// unknown reports whether nothing is learned of the functions of a package.
func unknown(path string) bool {
	switch path {
	case "runtime", "sync", "sync/atomic", "unsafe", "reflect":
		return true
	}
	return false
}
