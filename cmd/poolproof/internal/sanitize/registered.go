package sanitize

import (
	"maps"
	"slices"
)

// registered says which pooled objects are kept by other code from when they are made. Their
// Puts are watched, and what is done with them between is not.
func (l *ledger) registered(p *plan, seen *observation) {
	for path, types := range putTypes(p, seen) {
		kept := p.build.Link(path).Registered
		for _, name := range slices.Sorted(maps.Keys(kept)) {
			if short := lastElement(name); types[short] {
				l.result.note("%s: each new object is given to code that keeps it (%s), which may use it at any time: "+
					"reads and writes after its Put are not reported, a second Put is", short, kept[name])
			}
		}
	}
}
