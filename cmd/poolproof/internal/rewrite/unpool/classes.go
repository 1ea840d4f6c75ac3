package unpool

import (
	"cmp"
	"fmt"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"
)

// joinKept joins what a function returns with the pool that it has made, where that is kept in a
// field or in a variable of the package: it is not made for each call.
func (f *finder) joinKept() {
	for changed := true; changed; { // a function may return what another one does
		changed = false
		kept := map[key]bool{}
		for k, m := range f.vars {
			if m.ident != nil && (m.v.IsField() || m.v.Parent() == m.pkg.Types.Scope()) {
				kept[f.find(k)] = true
			}
		}
		for result, made := range f.makes {
			for _, k := range made {
				if kept[f.find(k)] && f.join(result, k) {
					changed = true
				}
			}
		}
	}
}

// lends notes an interface through which the Get or the Put of a pool may be called that a struct
// embeds. It is one that the struct's package mentions, or a package that imports it.
func (f *finder) lends() {
	lenders := map[*packages.Package]map[string]*types.Interface{}
	for _, pkg := range f.pkgs {
		lenders[pkg] = lendersOf(pkg.TypesInfo)
	}
	for k, m := range f.vars {
		if m.ident == nil || !m.v.Embedded() {
			continue
		}
		owner, ok := m.pkg.Types.Scope().Lookup(ownerOf(m.v)).(*types.TypeName)
		for _, pkg := range f.pkgs {
			if !ok || pkg != m.pkg && pkg.Imports[m.pkg.PkgPath] == nil {
				continue
			}
			for _, name := range slices.Sorted(maps.Keys(lenders[pkg])) {
				if types.Implements(types.NewPointer(owner.Type()), lenders[pkg][name]) && f.trouble[k] == "" {
					f.trouble[k] = fmt.Sprintf("%s, which embeds it, may be used as %s", owner.Name(), name)
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

// pools are the classes of variables that have a Get.
func (f *finder) pools() []*Pool {
	byRoot := map[key]*Pool{}
	members := f.members()
	describe := func(u use) *Pool {
		root := f.find(u.root)
		pool := byRoot[root]
		if pool == nil {
			pool = &Pool{}
			byRoot[root] = pool
			f.describe(pool, root, members, map[key]bool{})
			slices.SortFunc(pool.decls, func(a, b mention) int { return compare(f.at(a.ident), f.at(b.ident)) })
			f.name(pool, u)
		}
		return pool
	}
	for _, u := range f.uses {
		pool := describe(u)
		pool.uses = append(pool.uses, u)
	}
	var all []*Pool
	for _, u := range f.others {
		if pool := describe(u); len(pool.uses) == 0 && !slices.Contains(all, pool) && pool.Trouble != "" {
			all = append(all, pool)
		}
	}
	for _, pool := range byRoot {
		slices.SortFunc(pool.uses, func(a, b use) int { return compare(f.at(a.sel), f.at(b.sel)) })
		pool.uses = slices.CompactFunc(pool.uses, func(a, b use) bool { return f.at(a.sel) == f.at(b.sel) })
		if len(pool.uses) == 0 {
			continue
		}
		f.places(pool)
		if len(pool.Gets) > 0 {
			all = append(all, pool)
		}
	}
	for _, s := range f.strays {
		p := &Pool{Name: types.TypeString(s.pkg.TypesInfo.TypeOf(s.lit), (*types.Package).Name), Package: s.pkg.PkgPath, Pos: f.at(s.lit), Trouble: "it is handed on as an interface, or to code that is not followed"}
		p.ID = f.id(p.Pos)
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b *Pool) int { return compare(a.Pos, b.Pos) })
	for i, pool := range all { // two in one line
		if i > 0 && all[i-1].Pos.Filename == pool.Pos.Filename && all[i-1].Pos.Line == pool.Pos.Line {
			pool.ID += fmt.Sprintf(":%d", pool.Pos.Column)
		}
	}
	return all
}

// members are the keys of each class, in order.
func (f *finder) members() map[key][]key {
	all := map[key]bool{}
	for k := range f.vars {
		all[k] = true
	}
	for k := range f.makers {
		all[k] = true
	}
	for k := range f.makes {
		all[k] = true
	}
	for k := range f.trouble {
		all[k] = true
	}
	for _, some := range []map[key]bool{f.begun, f.bare, f.loose} {
		maps.Copy(all, some)
	}
	members := map[key][]key{}
	for _, k := range slices.Sorted(maps.Keys(all)) {
		members[f.find(k)] = append(members[f.find(k)], k)
	}
	return members
}

// describe adds to a pool what is known of the variables of a class, and of those whose pools
// functions give them.
func (f *finder) describe(pool *Pool, root key, members map[key][]key, seen map[key]bool) {
	own := len(seen) == 0
	seen[root] = true
	known := own
	for _, k := range members[root] {
		m := f.vars[k]
		if own && m.ident != nil {
			pool.decls = append(pool.decls, m)
		}
		if own {
			pool.mentions += f.mentions[k]
		}
		known = known || m.ident != nil || f.begun[k] || len(f.makes[k]) > 0
		pool.makers = append(pool.makers, f.makers[k]...)
		pool.bare = pool.bare || f.bare[k]
		pool.loose = pool.loose || f.loose[k]
		pool.Trouble = cmp.Or(pool.Trouble, f.trouble[k])
		for _, made := range f.makes[k] {
			if made = f.find(made); !seen[made] {
				f.describe(pool, made, members, seen)
			}
		}
	}
	pool.loose = pool.loose || !known
}
