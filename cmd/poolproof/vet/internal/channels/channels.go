package channels

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// Channels knows which channels of a package have receivers that put what they
// receive: who sends there gives the object up.
type Channels struct {
	receivers map[any][]receiver
	links     map[any][]any // a channel that is passed to a function, and its parameter
	open      map[any]bool  // code that is not seen may receive
}

// receiver is one place where a channel is received from.
type receiver struct {
	puts []string // the paths from what is received to what is put on every path; "" is itself
}

// inParameter is a channel as a function knows it that gets it.
type inParameter struct {
	f     *ssa.Function
	index int
}

// Key returns what a channel value is known as: a field or a package variable
// that others cannot see, a parameter, or the instruction that makes it. Nil is
// not known.
func Key(p *flow.Program, v ssa.Value) any {
	for range 8 {
		switch x := v.(type) {
		case *ssa.ChangeType:
			v = x.X
			continue
		case *ssa.MakeChan:
			return x
		case *ssa.Parameter:
			return inParameter{x.Parent(), slices.Index(x.Parent().Params, x)}
		case *ssa.UnOp:
			if ssax.Load(x) == nil {
				return nil
			}
			if field := ssax.FieldVar(x.X); field != nil {
				if field.Exported() {
					return nil
				}
				return field
			}
			if global, ok := x.X.(*ssa.Global); ok && !token.IsExported(global.Name()) {
				return global
			}
			if v = p.Only(x); v != nil {
				continue
			}
		}
		return nil
	}
	return nil
}

// Given returns the paths of what is sent to a channel that all its receivers
// put.
func (c *Channels) Given(key any) []string {
	if key == nil {
		return nil
	}
	seen := make(map[any]bool)
	var all []receiver
	open := false
	var visit func(key any)
	visit = func(key any) {
		if seen[key] {
			return
		}
		seen[key] = true
		open = open || c.open[key]
		all = append(all, c.receivers[key]...)
		for _, next := range c.links[key] {
			visit(next)
		}
	}
	visit(key)
	if open || len(all) == 0 {
		return nil
	}
	var paths []string
	for _, path := range all[0].puts {
		if !slices.ContainsFunc(all[1:], func(r receiver) bool { return !slices.Contains(r.puts, path) }) {
			paths = append(paths, path)
		}
	}
	return paths
}
