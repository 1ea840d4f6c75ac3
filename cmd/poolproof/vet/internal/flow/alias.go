package flow

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// Alias is what is known of a value that is, or refers to, the memory of an
// object.
type Alias struct {
	// Must is set if it is so on every path. Only such values accuse; the others
	// excuse.
	Must bool
	// Holder is set if the value is not the memory but refers to it: a struct or
	// a slice with the object in it, a closure that uses it.
	Holder bool
	// Args is set for the arguments of a variadic call: a call with them uses
	// the object, but does not keep it.
	Args bool
	// Reach says how sure it is that the memory is the object's.
	Reach events.Reach
	// Field is the field of the object that refers to the memory, summary.All for
	// the slice behind a pointer to a slice, None for the object itself.
	Field int

	never   bool // may only
	sources []ssa.Value
	place   Var // of a load
	loaded  bool
}

// Aliases are the values that are, or refer to, the memory of an object: in a
// function and the literals in it.
type Aliases struct {
	Root ssa.Value
	Type types.Type // of the object
	// Truncated is set if there are more: too many to follow. Nothing can be said
	// of the object then.
	Truncated bool

	p      *Program
	fam    *family
	values map[ssa.Value]*Alias
	order  []ssa.Value
	places map[Var]*Alias // where the object is stored; nil: a walk knows
	work   []ssa.Value
}

// maxAliases bounds how many values of one object are followed.
const maxAliases = 3000

// AliasesOf returns the aliases of the object that roots are: several values if
// the same object is known by several.
func (p *Program) AliasesOf(roots ...ssa.Value) *Aliases {
	a := &Aliases{Root: roots[0], Type: ObjectType(roots[0]), p: p, values: make(map[ssa.Value]*Alias), places: make(map[Var]*Alias)}
	if f := parent(roots[0]); f != nil {
		a.fam = p.familyOf(f)
	} else {
		a.fam = &family{}
	}
	for _, r := range roots {
		a.add(r, Alias{Must: true, Field: None}, nil)
		if place, ok := a.boxed(r); ok {
			a.variable(place, nil)
		}
	}
	a.spread()
	return a
}

// spread follows what is to be followed.
func (a *Aliases) spread() {
	for len(a.work) > 0 {
		if len(a.order) >= maxAliases {
			a.Truncated = true
			return
		}
		v := a.work[0]
		a.work = a.work[1:]
		a.follow(v, a.values[v])
	}
	a.settle()
}

// AliasesAt returns the aliases of what a place holds at some point of f: what is
// loaded there, as long as a walk knows that it still holds it. There is no root.
func (p *Program) AliasesAt(f *ssa.Function, place Var) *Aliases {
	a := &Aliases{p: p, fam: p.familyOf(f), values: make(map[ssa.Value]*Alias), places: make(map[Var]*Alias)}
	for _, load := range a.fam.loads[place] {
		a.Type = load.Type()
	}
	a.AddPlace(place)
	return a
}

func parent(v ssa.Value) *ssa.Function {
	if v.Parent() != nil {
		return v.Parent()
	}
	return nil
}

// boxed returns the variable that a root is the address of, where the memory
// that the variable refers to belongs to the object: a slice.
func (a *Aliases) boxed(root ssa.Value) (Var, bool) {
	alloc, ok := root.(*ssa.Alloc)
	if !ok || !isSlice(Pointee(alloc.Type())) {
		return Var{}, false
	}
	return Var{Base: alloc}, true
}

// Of returns what is known of a value, nil if it is no alias.
func (a *Aliases) Of(v ssa.Value) *Alias { return a.values[v] }

// Values returns all aliases in the order in which they were found.
func (a *Aliases) Values() []ssa.Value { return a.order }

// Holds reports whether a place stores the object somewhere.
func (a *Aliases) Holds(place Var) bool {
	_, ok := a.places[place]
	return ok
}

// Captured reports whether a variable, or a part of it, stores the object
// somewhere.
func (a *Aliases) Captured(v ssa.Value) bool {
	alloc, ok := v.(*ssa.Alloc)
	return ok && len(a.Based(alloc)) > 0
}

func (a *Aliases) add(v ssa.Value, info Alias, source ssa.Value) *Alias {
	old, ok := a.values[v]
	if ok {
		if source != nil {
			old.sources = append(old.sources, source)
		}
		if old.Holder && !info.Holder {
			old.Holder, old.Reach = false, info.Reach
			a.work = append(a.work, v)
		}
		return old
	}
	if source != nil {
		info.sources = []ssa.Value{source}
	}
	info.Must = true // until settled
	a.values[v] = &info
	a.order = append(a.order, v)
	a.work = append(a.work, v)
	return &info
}

// derive adds v, which is an alias because from is.
func (a *Aliases) derive(v ssa.Value, from ssa.Value, info *Alias) *Alias {
	next := *info
	next.sources, next.never, next.loaded = nil, false, false
	next.Args = info.Args
	return a.add(v, next, from)
}

// hold adds v, which refers to the memory of from.
func (a *Aliases) hold(v ssa.Value, from ssa.Value, info *Alias) *Alias {
	next := *info
	next.sources, next.never, next.loaded = nil, false, false
	next.Holder, next.Args = true, false
	next.Reach = max(info.Reach, events.Container)
	return a.add(v, next, from)
}

// follow adds what becomes an alias through one use of v.
func (a *Aliases) follow(v ssa.Value, info *Alias) {
	refs := v.Referrers()
	if refs == nil {
		return
	}
	for _, ref := range *refs {
		switch ref := ref.(type) {
		case *ssa.TypeAssert:
			if !ref.CommaOk {
				a.derive(ref, v, info)
				continue
			}
			for _, e := range *ref.Referrers() {
				if e, ok := e.(*ssa.Extract); ok && e.Index == 0 {
					a.derive(e, v, info)
				}
			}
		case *ssa.MakeInterface:
			a.derive(ref, v, info)
		case *ssa.ChangeType:
			a.derive(ref, v, info)
		case *ssa.ChangeInterface:
			a.derive(ref, v, info)
		case *ssa.SliceToArrayPointer:
			a.derive(ref, v, info)
		case *ssa.MultiConvert:
			a.derive(ref, v, info)
		case *ssa.Convert:
			if !copies(ref.X.Type(), ref.Type()) && HasPointers(ref.Type()) {
				a.derive(ref, v, info)
			}
		case *ssa.Slice:
			if ref.X == v && !Emptied(ref) {
				a.derive(ref, v, info)
			}
		case *ssa.Phi:
			a.derive(ref, v, info)
		case *ssa.FieldAddr:
			if !info.Holder {
				a.part(ref, v, info)
			}
		case *ssa.IndexAddr:
			if ref.X == v && !info.Holder {
				a.derive(ref, v, info)
			}
		case *ssa.UnOp:
			a.load(ref, v, info)
		case *ssa.Field:
			a.structField(ref, v, info)
		case *ssa.Store:
			if ref.Val == v {
				a.store(ref, v, info)
			}
		case *ssa.MapUpdate:
			if ref.Value == v || ref.Key == v {
				if local(ref.Map) {
					a.hold(ref.Map, v, info)
				}
			}
		case *ssa.MakeClosure:
			a.closure(ref, v, info)
		case ssa.CallInstruction:
			a.call(ref, v, info)
		}
	}
}

// part follows the address of a field.
func (a *Aliases) part(ref *ssa.FieldAddr, v ssa.Value, info *Alias) {
	next := a.derive(ref, v, info)
	if info.Field == None && v == a.Root || a.isWhole(v) {
		next.Field = ref.Field
	}
}

// isWhole reports whether v is the object itself, not an interior pointer.
func (a *Aliases) isWhole(v ssa.Value) bool {
	info := a.values[v]
	return info != nil && !info.Holder && info.Field == None
}

// load follows a read through an alias. Only a slice that the object refers to
// is its memory; what a pointer in it points to is another object.
func (a *Aliases) load(ref *ssa.UnOp, v ssa.Value, info *Alias) {
	if !isLoad(ref) {
		return
	}
	if info.Holder {
		if alloc, ok := v.(*ssa.Alloc); ok && !isPointer(ref.Type()) && HasPointers(ref.Type()) && !isSlice(ref.Type()) {
			_, isStruct := ref.Type().Underlying().(*types.Struct)
			if isStruct && alloc.Parent() == ref.Parent() {
				a.hold(ref, v, info)
			}
		}
		return
	}
	if !isMemory(ref.Type()) {
		if st, ok := ref.Type().Underlying().(*types.Struct); ok && a.isWhole(v) {
			a.copied(ref, st, v, info)
		}
		return
	}
	next := a.derive(ref, v, info)
	switch v.(type) {
	case *ssa.FieldAddr:
		next.Reach = max(next.Reach, a.fieldReach())
	case *ssa.IndexAddr:
		next.Reach = max(next.Reach, events.Field)
	default:
		if next.Field == None {
			next.Field = summary.All
		}
		next.Reach = max(next.Reach, events.Memory)
	}
}

// isMemory reports whether what refers to a value of the type shares its memory: a
// slice or a map. What a pointer points to is another object.
func isMemory(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Slice, *types.Map:
		return true
	}
	return false
}

// fieldReach says how sure it is that a slice in a field belongs to the object.
func (a *Aliases) fieldReach() events.Reach {
	if IsBuffer(a.Type) {
		return events.Memory
	}
	return events.Field
}

// structField follows a slice in a pooled struct value.
func (a *Aliases) structField(ref *ssa.Field, v ssa.Value, info *Alias) {
	switch ref.Type().Underlying().(type) {
	case *types.Slice, *types.Pointer, *types.Map:
		if !info.Holder {
			next := a.derive(ref, v, info)
			next.Reach = max(next.Reach, events.Field)
			next.Field = ref.Field
		}
	}
}

// store follows v into a variable.
func (a *Aliases) store(ref *ssa.Store, v ssa.Value, info *Alias) {
	if at := a.values[ref.Addr]; at != nil && !at.Holder && !isVariable(ref.Addr) {
		return // the object in itself
	}
	place, ok := a.p.Place(ref.Addr)
	if ok {
		a.intoResult(place, v, info)
		if base := a.values[place.Base]; base != nil && !base.Holder && !place.Local() {
			return // the object in a field of itself
		}
		a.places[place] = info
		a.variable(place, info)
		a.copyParts(ref, place)
		if alloc, isAlloc := place.Base.(*ssa.Alloc); isAlloc && place.Path == "" {
			a.casts(alloc, v, info)
		}
		if alloc, isAlloc := place.Base.(*ssa.Alloc); isAlloc && place.Local() && (place.Path != "" || !pointsTo(alloc, v)) {
			a.container(alloc, v, info)
		}
		return
	}
	// An element whose index is not a constant.
	if index, isIndex := ref.Addr.(*ssa.IndexAddr); isIndex {
		if local(index.X) {
			a.hold(index.X, v, info)
		}
	}
}

// copyParts follows a struct that holds the object in a field into the variable
// that it is copied to.
func (a *Aliases) copyParts(ref *ssa.Store, to Var) {
	from, ok := a.p.Copied(ref)
	if !ok || from == to {
		return
	}
	for _, part := range a.Parts(from) {
		info := a.places[part]
		at := Var{Base: to.Base, Path: to.Path + strings.TrimPrefix(part.Path, from.Path)}
		if a.Holds(at) || info == nil || info.Holder {
			continue
		}
		a.places[at] = info
		a.variable(at, info)
	}
}

func isVariable(addr ssa.Value) bool {
	_, ok := addr.(*ssa.Alloc)
	return ok
}

// pointsTo reports whether a variable is of v's type: its address then is no
// container but the variable.
func pointsTo(alloc *ssa.Alloc, v ssa.Value) bool {
	if _, isStruct := v.Type().Underlying().(*types.Struct); isStruct {
		return false // the address of a struct refers to what is in it
	}
	return types.Identical(Pointee(alloc.Type()), v.Type()) || types.IsInterface(Pointee(alloc.Type()))
}

// container makes a local struct or array one that holds the object.
func (a *Aliases) container(alloc *ssa.Alloc, v ssa.Value, info *Alias) {
	if a.isWhole(alloc) {
		return
	}
	if anyArray(alloc) {
		next := a.hold(alloc, v, info)
		next.Args, next.Reach = true, info.Reach
		return
	}
	next := a.hold(alloc, v, info)
	if _, isStruct := Pointee(alloc.Type()).Underlying().(*types.Struct); isStruct && !info.Holder {
		next.Reach = info.Reach // made here, of the object itself: as sure as that
	}
}

// variable adds all loads of a place. info is of what is stored there; nil for
// what a root's own variable holds.
func (a *Aliases) variable(place Var, info *Alias) {
	for _, load := range a.fam.loads[place] {
		next := Alias{Field: None}
		if info != nil {
			next = *info
			next.sources, next.never = nil, false
		} else {
			next.Field, next.Reach = summary.All, events.Memory
		}
		added := a.add(load, next, nil)
		added.place, added.loaded = place, true
	}
	if alloc, ok := place.Base.(*ssa.Alloc); ok && place.Path == "" && info != nil && !info.Holder {
		a.literals(alloc, info)
	}
}

// literals adds the literals that capture a variable and read it.
func (a *Aliases) literals(alloc *ssa.Alloc, info *Alias) {
	for _, made := range a.p.Stores(alloc).Closure {
		for _, load := range a.fam.loads[Var{Base: alloc}] {
			if load.Parent() == made.Fn {
				next := *info
				next.sources, next.never, next.loaded, next.Holder = nil, false, false, true
				next.Reach = max(info.Reach, events.Container)
				a.add(made, next, load)
				break
			}
		}
	}
}

// closure follows a captured variable, or the receiver of a method value.
func (a *Aliases) closure(ref *ssa.MakeClosure, v ssa.Value, info *Alias) {
	fn := ref.Fn.(*ssa.Function)
	for i, b := range ref.Bindings {
		if b != v || i >= len(fn.FreeVars) {
			continue
		}
		if _, captured := v.(*ssa.Alloc); captured && info.Holder {
			a.hold(ref, v, info)
			continue
		}
		if fn.Synthetic != "" || len(fn.Blocks) > 0 {
			a.hold(ref, v, info)
		}
	}
}

// call follows an argument into the results of a call, and into its other
// arguments.
func (a *Aliases) call(ref ssa.CallInstruction, v ssa.Value, info *Alias) {
	c := a.p.Resolve(ref)
	result, isCall := ref.(*ssa.Call)
	switch c.Builtin {
	case "append":
		if !isCall {
			return
		}
		if c.Args[0] == v {
			a.derive(result, v, info)
		}
		if len(c.Args) > 1 && c.Args[1] == v && info.Holder && elemHasPointers(c.Args[0].Type()) {
			next := a.hold(result, v, info)
			next.Args = false
		}
		return
	case "String", "StringData", "Slice", "SliceData", "Add":
		if isCall && c.Args[0] == v && !info.Holder {
			next := a.derive(result, v, info)
			next.Reach = max(next.Reach, events.Memory)
		}
		return
	case "":
	default:
		return
	}
	if isCall && result.Call.Value == v {
		a.called(&c, result, v)
	}
	for i, arg := range c.Args {
		if arg != v || i >= c.Captures {
			continue
		}
		if isCall {
			a.results(&c, result, i, v, info, v.Type())
		}
		for _, into := range c.Summary.Into {
			if !(into.From | into.May).Has(i) || into.To >= len(c.Args) || into.To == i {
				continue
			}
			target := strip(c.Args[into.To])
			if local(target) {
				next := a.hold(target, v, info)
				next.never = next.never || !into.From.Has(i)
			}
		}
	}
}

// called follows a variable that a literal captures into the results of a call
// of it.
func (a *Aliases) called(c *Call, result *ssa.Call, literal ssa.Value) {
	for i := c.Captures; i < len(c.Args); i++ {
		alloc, ok := c.Args[i].(*ssa.Alloc)
		if !ok {
			continue
		}
		if info := a.places[Var{Base: alloc}]; info != nil {
			a.results(c, result, i, literal, info, Pointee(alloc.Type()))
		}
	}
}

// results follows argument i, which is of type t, into the results of a call.
func (a *Aliases) results(c *Call, result *ssa.Call, i int, v ssa.Value, info *Alias, t types.Type) {
	if c.Summary.Borrows.Has(i) {
		return
	}
	for _, flow := range c.Summary.Returns {
		if !(flow.From | flow.May).Has(i) {
			continue
		}
		r := c.Result(flow.To)
		if r == nil || !HasPointers(r.Type()) || isError(r.Type()) {
			continue
		}
		var next *Alias
		if flow.Holds.Has(i) {
			next = a.hold(r, v, info)
		} else {
			next = a.derive(r, v, info)
			switch {
			case info.Holder:
			case IsBuffer(t) || isSlice(t):
				next.Reach = max(next.Reach, events.Memory)
			case !types.Identical(r.Type(), t):
				next.Reach = max(next.Reach, events.Field)
			}
		}
		if !flow.From.Has(i) && len(next.sources) == 1 {
			next.never = true
		}
	}
}

// local reports whether a value is memory that the function has made itself.
func local(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.MakeSlice, *ssa.MakeMap:
		return true
	case *ssa.Slice:
		return local(v.X)
	case *ssa.Call:
		return true // fresh, or known as an alias by itself
	case *ssa.Extract:
		_, ok := v.Tuple.(*ssa.Call)
		return ok
	case *ssa.Phi:
		for _, e := range v.Edges {
			if c, ok := e.(*ssa.Const); ok && c.IsNil() {
				continue
			}
			if _, isPhi := e.(*ssa.Phi); !isPhi && !local(e) {
				return false
			}
		}
		return true
	case *ssa.UnOp:
		a, ok := v.X.(*ssa.Alloc)
		if !ok || !isLoad(v) {
			return false
		}
		for _, ref := range *a.Referrers() {
			if s, ok := ref.(*ssa.Store); ok && s.Addr == a && (s.Val == v || !fresh(s.Val)) {
				return false
			}
		}
		return true
	}
	return false
}

// fresh is local, but does not look behind variables.
func fresh(v ssa.Value) bool {
	switch v.(type) {
	case *ssa.Alloc, *ssa.MakeSlice, *ssa.MakeMap, *ssa.Call, *ssa.Const, *ssa.Slice:
		return true
	}
	return false
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// settle decides which aliases are so on every path: all are taken to be, and
// those that cannot be are removed until nothing changes.
func (a *Aliases) settle() {
	for changed := true; changed; {
		changed = false
		for _, v := range a.order {
			info := a.values[v]
			if info.Must && !a.must(v, info) {
				info.Must = false
				changed = true
			}
		}
	}
}

func (a *Aliases) must(v ssa.Value, info *Alias) bool {
	if info.never {
		return false
	}
	if phi, ok := v.(*ssa.Phi); ok && len(info.sources) > 0 {
		for _, e := range phi.Edges {
			if c, isConst := e.(*ssa.Const); isConst && c.IsNil() {
				continue
			}
			edge := a.values[e]
			if edge == nil || !edge.Must || edge.Holder != info.Holder {
				return false
			}
		}
		return true
	}
	if info.loaded {
		return a.mustLoad(v.(*ssa.UnOp), info.place)
	}
	if len(info.sources) == 0 {
		return true // a root
	}
	for _, s := range info.sources {
		if a.values[s].Must {
			return true
		}
	}
	return false
}

// mustLoad reports whether a load of a place sees an alias on every path.
func (a *Aliases) mustLoad(load *ssa.UnOp, place Var) bool {
	if alloc, ok := place.Base.(*ssa.Alloc); ok && place.Local() {
		if s := lastStore(a.p, load, place); s != nil {
			info := a.values[s.Val]
			return info != nil && info.Must
		}
		if a.p.Stores(alloc).Unknown && a.values[alloc] == nil {
			return false
		}
	}
	found := false
	for _, s := range a.fam.bases[place.Base] {
		at, ok := a.p.Place(s.Addr)
		if !ok || !place.Within(at) {
			continue
		}
		if c, isConst := s.Val.(*ssa.Const); isConst && c.IsNil() {
			continue
		}
		if at != place {
			from, copied := a.p.Copied(s)
			if !copied || !a.MustHold(s, Var{Base: from.Base, Path: from.Path + strings.TrimPrefix(place.Path, at.Path)}) {
				return false
			}
			found = true
			continue
		}
		info := a.values[s.Val]
		if info == nil || !info.Must {
			return false
		}
		found = true
	}
	return found || a.values[place.Base] != nil
}

// ObjectType returns the type of an object: that to which it is asserted, if it
// is got as an interface.
func ObjectType(v ssa.Value) types.Type {
	if types.IsInterface(v.Type()) && v.Referrers() != nil {
		for _, ref := range *v.Referrers() {
			if a, ok := ref.(*ssa.TypeAssert); ok {
				return a.AssertedType
			}
		}
	}
	return v.Type()
}

// IsBuffer reports whether a type is a buffer, all of whose memory is its own: a
// slice of what has no pointers, a pointer to one, an array of bytes, or a
// buffer of the standard library.
func IsBuffer(t types.Type) bool {
	if t == nil {
		return false
	}
	if elem := Pointee(t); elem != nil {
		t = elem
	}
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil {
		switch named.Obj().Pkg().Path() + "." + named.Obj().Name() {
		case "bytes.Buffer", "strings.Builder":
			return true
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return !HasPointers(u.Elem())
	case *types.Array:
		return !HasPointers(u.Elem())
	}
	return false
}

// Sources returns the values because of which v is an alias.
func (a *Aliases) Sources(v ssa.Value) []ssa.Value { return a.values[v].sources }

// Loaded returns the place that v is loaded from, if that is why it is an alias.
func (a *Aliases) Loaded(v ssa.Value) (Var, bool) {
	info := a.values[v]
	return info.place, info.loaded
}

// Never reports whether v is an alias on some paths only, by itself.
func (a *Aliases) Never(v ssa.Value) bool { return a.values[v].never }

// IsWhole reports whether v is the object itself, not a part of it.
func (a *Aliases) IsWhole(v ssa.Value) bool { return a.isWhole(v) }

// Parts returns the places that hold the object and are parts of another place.
func (a *Aliases) Parts(of Var) []Var {
	var places []Var
	for place := range a.places {
		if place.Within(of) {
			places = append(places, place)
		}
	}
	return places
}

// Based returns the places that hold the object and are parts of what a value
// points to, or of the variable that it is.
func (a *Aliases) Based(v ssa.Value) []Var {
	var places []Var
	for place := range a.places {
		if place.Base == v {
			places = append(places, place)
		}
	}
	return places
}

// AddPlace adds what is loaded from a place: it is an alias as long as a walk
// knows that the place holds the object.
func (a *Aliases) AddPlace(place Var) {
	a.places[place] = nil
	for _, load := range a.fam.loads[place] {
		if a.values[load] != nil {
			continue
		}
		added := a.add(load, Alias{Field: None}, nil)
		added.place, added.loaded = place, true
	}
	a.spread()
}

// MustHold reports whether a place certainly holds the object before an
// instruction is reached.
func (a *Aliases) MustHold(at ssa.Instruction, place Var) bool {
	if alloc, ok := place.Base.(*ssa.Alloc); ok && place.Local() {
		if s := lastStore(a.p, at, place); s != nil {
			info := a.values[s.Val]
			return info != nil && info.Must
		}
		if a.p.Stores(alloc).Unknown && a.values[alloc] == nil {
			return false
		}
	}
	found := false
	for _, s := range a.fam.bases[place.Base] {
		v, ok := a.p.Place(s.Addr)
		if !ok || !place.Within(v) {
			continue
		}
		if c, isConst := s.Val.(*ssa.Const); isConst && c.IsNil() && s.Parent() != at.Parent() {
			return false // a literal lets go of it
		}
		info := a.values[s.Val]
		if v != place || info == nil || !info.Must {
			return false
		}
		found = found || s.Parent() != at.Parent() || s.Block().Dominates(at.Block())
	}
	return found
}
