package stale

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// What is written to a buffer, a builder or a hash comes after what is there already. One
// that nothing empties gives each user what all users before wrote: for these types that is
// certain, because all that can be done with them is known.

// role classifies a method by its effect on the content of such an object.
type role uint8

const (
	unknown role = iota // it may empty the object
	neutral
	writes
	reads
	drains // WriteTo: what it cannot write stays
)

var roles = map[string]role{
	"Write": writes, "WriteByte": writes, "WriteRune": writes, "WriteString": writes, "ReadFrom": writes,
	"Bytes": reads, "String": reads, "Sum": reads, "Sum32": reads, "Sum64": reads, "WriteTo": drains,
	"Len": neutral, "Cap": neutral, "Grow": neutral, "Available": neutral, "Size": neutral, "BlockSize": neutral,
}

// accumulates reports whether values of a type are such objects.
func accumulates(t types.Type) bool {
	switch types.TypeString(t, nil) {
	case "*bytes.Buffer", "*strings.Builder", "hash.Hash", "hash.Hash32", "hash.Hash64":
		return true
	}
	return false
}

// Content finds such an object that a function gets and puts, writes to and reads, and that no code
// empties. A deferred put runs where the function fails too.
func Content(fn *scene.Function, g track.Get) []scene.Found {
	obj := fn.Made[g.Value]
	if fn.Out.Test || obj.Type == nil || !accumulates(obj.Type) || len(obj.Puts) == 0 {
		return nil
	}
	if pool, _ := poolOf(fn, obj); pool != nil && pool.Kind == events.LocalPool || pool == nil && (g.Call.Lit == nil || cleans(fn.Program, g.Call.Lit, obj.Type, 1)) {
		return nil
	}
	al := fn.AliasesOf(g.Value)
	if al == nil {
		return nil
	}
	does := content{p: fn.Program, paths: fn.Paths}
	does.look(al, 0)
	deferred := false
	for _, put := range obj.Puts {
		deferred = deferred || put.Deferred
	}
	switch {
	case does.did[unknown] || !does.did[writes]:
	case does.did[drains] && (deferred || !does.failed):
		return found(obj, events.Drained)
	case !does.did[drains] && does.did[reads]:
		return found(obj, events.Content)
	}
	return nil
}

// content collects what code does with the content of an object.
type content struct {
	p      *flow.Program
	paths  *paths.Walker
	did    [drains + 1]bool
	failed bool // an error of WriteTo is looked at: the object may be left out then
}

// look notes what is done with each value that is the object, not only its memory. What is it on some paths
// only excuses.
func (c *content) look(al *alias.Set, depth int) {
	for _, v := range al.Values() {
		if refs := v.Referrers(); refs != nil && al.IsWhole(v) && (accumulates(v.Type()) || types.IsInterface(v.Type())) {
			for _, ref := range *refs {
				if does := c.use(v, ref, depth); does == unknown || al.Of(v).Must && c.paths.Reached(ref.Block()) {
					c.did[does] = true
				}
			}
		}
	}
}

// use returns what an instruction does with the object.
func (c *content) use(v ssa.Value, ref ssa.Instruction, depth int) role {
	switch ref := ref.(type) {
	case *ssa.DebugRef, *ssa.BinOp, *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.ChangeType, *ssa.Phi, *ssa.TypeAssert, *ssa.Extract:
		return neutral // what it makes is the object too, and looked at
	case *ssa.Store:
		field, ok := ref.Addr.(*ssa.FieldAddr)
		if ssax.Is[*ssa.Alloc](ref.Addr) || ok && ownStruct(field.X) {
			return neutral // what is loaded there is looked at
		}
	case ssa.CallInstruction:
		call := c.p.Resolve(ref)
		if call.IsPoolPut() {
			return neutral
		}
		if !flow.IsMethod(&call) || call.Args[0] != v {
			return c.passed(&call, v, depth)
		}
		does := roles[call.Name()]
		if does == drains {
			result := call.Instr.Value()
			c.failed = c.failed || result != nil && len(*result.Referrers()) > 0
			if cannotFail(ssax.Strip(call.Args[1])) {
				return unknown // it leaves nothing
			}
		}
		return does
	}
	return unknown
}

// ownStruct reports whether a value is a struct that the function makes, and of which no other code has the
// address.
func ownStruct(v ssa.Value) bool {
	return ssax.Is[*ssa.Alloc](v) && ssax.Only(v, func(use ssa.Instruction) bool {
		field, ok := use.(*ssa.FieldAddr)
		return ok && ssax.Only(field, func(use ssa.Instruction) bool {
			store, ok := use.(*ssa.Store)
			return ok && store.Addr == ssa.Value(field) || ssax.Is[*ssa.UnOp](use)
		})
	})
}

// cannotFail reports whether a writer takes all that it is given.
func cannotFail(w ssa.Value) bool {
	load := ssax.Load(w)
	if load != nil && ssax.Is[*ssa.Global](load.X) {
		return load.X.Name() == "Discard"
	}
	return accumulates(w.Type())
}

// passed returns what a call does with the object, one of its arguments.
func (c *content) passed(call *flow.Call, v ssa.Value, depth int) role {
	prms := call.Instr.Common().Signature().Params()
	for i, arg := range call.Args[:call.Captures] {
		at := i - (call.Captures - prms.Len())
		if arg != v || at < 0 {
			continue
		}
		t := prms.At(at).Type()
		if iface, ok := t.Underlying().(*types.Interface); ok && !accumulates(t) {
			if iface.NumMethods() == 1 && iface.Method(0).Name() == "Write" {
				return writes
			}
			return unknown
		}
		if call.Lit == nil || i >= len(call.Lit.Params) || depth > 3 {
			return unknown
		}
		c.look(alias.Of(c.p, call.Lit.Params[i]), depth+1)
		return neutral
	}
	return unknown
}

// poolOf returns the sync.Pool that an object was got from, and the type that it was asserted to be, nil
// if the function got it otherwise.
func poolOf(fn *scene.Function, obj *events.Object) (*events.Pool, types.Type) {
	for _, pool := range fn.Events.Pools {
		for _, get := range pool.Gets {
			if obj.Get.Node == get.Call {
				return pool, get.Asserted
			}
		}
	}
	return nil, nil
}

// found is that an object is used as its last users left it.
func found(obj *events.Object, how events.How) []scene.Found {
	e := *obj.Get
	e.Kind, e.How = events.Use, how
	return []scene.Found{{Of: obj, History: events.History{Events: []events.Event{e}}}}
}
