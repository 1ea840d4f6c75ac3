package sanitize

import (
	"cmp"
	"fmt"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/fields"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
)

// Unwatched is a pooled type whose objects code outside keeps from when they are made: that
// code may use them while they are in a pool, so that an access after the Put says nothing.
type Unwatched struct {
	Type string `json:"type"`
	At   string `json:"at"`   // where an object is given to that code, as file:line
	Puts int64  `json:"puts"` // of such objects
	All  int64  `json:"all"`  // of all objects in the test binaries that have the type, without the standard library's

	Memory bool `json:"memory,omitempty"` // code keeps only what a field refers to
}

// String is a sentence.
func (u Unwatched) String() string {
	if u.Memory {
		return fmt.Sprintf("memory of %s, %d of %d Puts (%.1f%%): code outside keeps what a field of each new object refers to (%s) "+
			"and may use it while it is in the pool; only the object itself is watched",
			u.Type, u.Puts, u.All, 100*float64(u.Puts)/float64(max(u.All, 1)), u.At)
	}
	return fmt.Sprintf("%s, %d of %d Puts (%.1f%%): code outside keeps each new object (%s) and may use it while it is in the pool; "+
		"a second Put is an error, a write after Put only a warning, and reads are not reported",
		u.Type, u.Puts, u.All, 100*float64(u.Puts)/float64(max(u.All, 1)), u.At)
}

// typeName is the name that the runtime gives to a type, which is that of its package and not that
// of its folder: ants.goWorker of github.com/panjf2000/ants/v2.goWorker.
func (p *plan) typeName(name string) string {
	dot := strings.LastIndexByte(name, '.')
	for _, one := range p.packages.scan {
		if dot < 0 || one.Path != name[:dot] || len(one.Files) == 0 {
			continue
		}
		if f, err := parser.ParseFile(token.NewFileSet(), p.actual(one.Files[0]), nil, parser.PackageClauseOnly); err == nil {
			return f.Name.Name + name[dot:]
		}
	}
	return lastElement(name)
}

// pools are those that the tests of each package used, by its import path.
func (p *packages) pools(l *record.Log) map[string][]record.Pool {
	all := map[string][]record.Pool{}
	dirs := l.Dirs()
	for _, process := range l.Processes {
		if path := p.tested[dirs[process]]; path != "" {
			all[path] = append(all[path], process.Pools...)
		}
	}
	return all
}

// bare is the type that a pooled pointer points to, without its type arguments.
func bare(typ string) string {
	typ, _, _ = strings.Cut(strings.TrimPrefix(typ, "*"), "[")
	return typ
}

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

// registered enters which pooled types are not watched, and how many Puts that is.
func (l *ledger) registered(p *plan, seen *observation) {
	for path, pools := range p.packages.pools(seen.log) {
		for name, is := range p.build.Link(path).Registered {
			u := Unwatched{Type: p.typeName(name), At: is.At, Memory: is.Kept == fields.Memory}
			for _, pool := range pools {
				if !l.result.Printer.Sites.OfProgram(pool) {
					continue
				}
				u.All += pool.Puts
				if bare(pool.Type) == u.Type && pool.Kept > 0 {
					u.Puts += pool.Puts
				}
			}
			if u.Puts > 0 {
				l.unwatchedType(u)
			}
		}
	}
}

// unwatchedType adds what one test binary says to what others said of the same type.
func (l *ledger) unwatchedType(u Unwatched) {
	all := &l.result.Unwatched
	for i := range *all {
		if same := &(*all)[i]; same.Type == u.Type && same.At == u.At {
			same.Puts, same.All = same.Puts+u.Puts, same.All+u.All
			return
		}
	}
	*all = append(*all, u)
	slices.SortFunc(*all, func(a, b Unwatched) int { return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.At, b.At)) })
}
