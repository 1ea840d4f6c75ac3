package unpool

import (
	"cmp"
	"fmt"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/syntax"
)

// notes holds the facts and uses that a reader finds. Variables between which a pool is passed on are one class: the
// classes are a disjoint-set forest over their keys.
type notes struct {
	facts    map[key]*fact
	parent   map[key]key
	uses     []use
	others   []use // of methods that are not taken out
	strays   []stray
	unplaced map[*kind]bool // of which a pool that is not known has a New in its options
}

// fact describes a variable, a field, or the result of a function.
type fact struct {
	decl     mention // where it is declared; without a name for a result, and for one of other code
	makers   []maker
	makes    []key  // it begins as what these make anew
	begun    bool   // a pool is made for it
	bare     bool   // a pool of it begins without a New
	loose    bool   // code that is not followed may give it a pool
	trouble  string // why its pools cannot be taken out
	mentions int    // but for its declaration
}

// of returns the fact of a key, which may be a new one.
func (n *notes) of(k key) *fact {
	f := n.facts[k]
	if f == nil {
		f = &fact{}
		n.facts[k] = f
	}
	return f
}

// doubt notes why pools cannot be taken out; the first reason stays.
func (n *notes) doubt(k key, why string) {
	f := n.of(k)
	f.trouble = cmp.Or(f.trouble, why)
}

// makes notes that a variable begins as what another key stands for.
func (n *notes) makes(k, made key) {
	if f := n.of(k); !slices.Contains(f.makes, made) {
		f.makes = append(f.makes, made)
	}
}

func (n *notes) find(k key) key {
	for n.parent[k] != "" {
		k = n.parent[k]
	}
	return k
}

// join reports whether two keys were apart.
func (n *notes) join(a, b key) bool {
	if a, b = n.find(a), n.find(b); a == b || a == "" || b == "" {
		return false
	}
	n.parent[n.find(a)] = n.find(b)
	return true
}

// joinKept joins what a function returns with the pool that it has made, where that is kept in a
// field or in a variable of the package: it is not made for each call.
func (n *notes) joinKept() {
	for changed := true; changed; { // a function may return what another one does
		changed = false
		kept := map[key]bool{}
		for k, f := range n.facts {
			if d := f.decl; d.ident != nil && (d.v.IsField() || d.v.Parent() == d.pkg.Types.Scope()) {
				kept[n.find(k)] = true
			}
		}
		for result, f := range n.facts {
			for _, k := range f.makes {
				if kept[n.find(k)] && n.join(result, k) {
					changed = true
				}
			}
		}
	}
}

// lends notes an interface through which the Get or the Put of a pool may be called that a struct
// embeds. It is one that the struct's package mentions, or a package that imports it.
func (n *notes) lends(pkgs []*packages.Package) {
	lenders := map[*packages.Package]map[string]*types.Interface{}
	for _, pkg := range pkgs {
		lenders[pkg] = lendersOf(pkg.TypesInfo)
	}
	for k, f := range n.facts {
		d := f.decl
		if d.ident == nil || !d.v.Embedded() {
			continue
		}
		owner := syntax.Owner(d.v)
		for _, pkg := range pkgs {
			if owner == nil || pkg != d.pkg && pkg.Imports[d.pkg.PkgPath] == nil {
				continue
			}
			for _, name := range slices.Sorted(maps.Keys(lenders[pkg])) {
				if types.Implements(types.NewPointer(owner.Type()), lenders[pkg][name]) {
					n.doubt(k, fmt.Sprintf("%s, which embeds it, may be used as %s", owner.Name(), name))
				}
			}
		}
	}
}

// lendersOf are the interfaces with a Get or a Put that a package mentions, also as parameters.
func lendersOf(info *types.Info) map[string]*types.Interface {
	all := map[string]*types.Interface{}
	note := func(t types.Type) {
		i, ok := t.Underlying().(*types.Interface)
		if ok && slices.ContainsFunc(slices.Collect(i.Methods()), func(m *types.Func) bool { return m.Name() == "Get" || m.Name() == "Put" }) {
			all[types.TypeString(t, (*types.Package).Name)] = i
		}
	}
	for _, tv := range info.Types {
		if sig, ok := tv.Type.(*types.Signature); ok {
			for v := range sig.Params().Variables() {
				note(v.Type())
			}
		} else if tv.IsType() {
			note(tv.Type)
		}
	}
	return all
}

// members are the keys of each class, in order.
func (n *notes) members() map[key][]key {
	members := map[key][]key{}
	for _, k := range slices.Sorted(maps.Keys(n.facts)) {
		members[n.find(k)] = append(members[n.find(k)], k)
	}
	return members
}
