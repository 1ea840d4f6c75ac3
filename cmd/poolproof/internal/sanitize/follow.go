package sanitize

import (
	"cmp"
	"slices"
	"strings"
)

// Followed says of one field of a pooled type whether what it refers to is followed.
type Followed struct {
	Package string `json:"package"` // under test
	Field   string `json:"field"`   // import/path.Type.field; of rows, with [] after it
	Own     bool   `json:"own"`     // what it refers to is the object's, whoever made it
	Why     string `json:"why"`
	At      string `json:"at,omitempty"` // the store that decides
}

// follow lists the fields of the types that were put into pools.
func (l *ledger) follow(p *plan, seen *observation) {
	var all []Followed
	for path, pools := range p.packages.pools(seen.log) {
		types := map[string]bool{}
		for _, pool := range pools {
			types[bare(pool.Type)] = types[bare(pool.Type)] || pool.Puts > 0
		}
		for name, f := range p.build.Link(path).Fields {
			if types[typeOf(name)] {
				all = append(all, Followed{Package: path, Field: name, Own: f.Own, Why: f.Why, At: f.At})
			}
		}
	}
	slices.SortFunc(all, func(a, b Followed) int {
		return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.Field, b.Field))
	})
	l.result.Followed = append(l.result.Followed, all...)
}

// typeOf is the type of a field's name as binaries call it: the last element of the path
// of its package, and its name.
func typeOf(name string) string {
	parts := strings.SplitN(lastElement(name), ".", 3)
	if len(parts) < 3 {
		return ""
	}
	return parts[0] + "." + parts[1]
}

// lastElement is a name without the folders of its package's path.
func lastElement(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }
