package vet_test

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/mutate"
)

// mutant is a small error, and the package whose tests must notice it.
type mutant struct{ name, file, old, new, tests string }

var mutants = []mutant{
	// Paths.
	{"a condition contradicts nothing", "internal/paths/walk.go", "known && value != taken", "known && value != taken && false", "./internal/paths"},
	{"a condition forbids the edge that it allows", "internal/paths/walk.go", "known && value != taken", "known && value == taken", "./internal/paths"},
	{"the second edge of an if is not walked", "internal/paths/walk.go", "range []bool{false, true}", "range []bool{true}", "./internal/paths"},
	{"the branches of an if change places", "internal/paths/walk.go", "\tif !taken {\n\t\tsucc = cond", "\tif taken {\n\t\tsucc = cond", "./internal/paths"},
	{"a block is entered once", "internal/paths/walk.go", "key := fmt.Sprintf(\"%d|%s\", to.Index, next.text(w.Program))", "key := fmt.Sprint(to.Index)", "./internal/paths"},
	{"nothing is known where a walk begins", "internal/paths/walk.go", "len(succ.Preds) == 1 && succ.Dominates(b)", "false && succ.Dominates(b)", "./internal/paths"},
	{"the opposite is known where a walk begins", "internal/paths/walk.go", "w.Assume(cond.Cond, i == 0, s)", "w.Assume(cond.Cond, i != 0, s)", "./internal/paths"},
	{"a store changes nothing that is known", "internal/paths/walk.go", "\ts.written(place)\n", "", "./internal/paths"},
	{"what is stored is not known", "internal/paths/walk.go", "case isBool(c):\n\t\t\tk.value = c.Value.ExactString() == \"true\"", "case isBool(c):\n\t\t\treturn", "./internal/paths"},
	{"what is stored is known wrongly", "internal/paths/walk.go", "k.value = c.Value.ExactString() == \"true\"", "k.value = c.Value.ExactString() == \"false\"", "./internal/paths"},
	{"a walk begins at its instruction", "internal/paths/walk.go", "w.dominating(start.Block(), s)\n\tw.from(start.Block(), index(start)+1, s, v)", "w.dominating(start.Block(), s)\n\tw.from(start.Block(), index(start), s, v)", "./internal/observe"},
	{"a budget of nothing is enough", "internal/paths/walk.go", "if w.Budget <= 0 {", "if false {", "./internal/paths"},
	{"a panic ends like a return", "internal/paths/walk.go", "case *ssa.Panic:\n\t\t\treturn stack", "case *ssa.Panic:\n\t\t\tv.Visit(&ssa.Return{}, s)\n\t\t\treturn stack", "./internal/paths"},
	{"a store to a part leaves the whole known", "internal/paths/state.go", "return v.Within(place) || place.Within(v)", "return v.Within(place)", "./internal/paths"},
	{"a store to the whole leaves its parts known", "internal/paths/state.go", "return v.Within(place) || place.Within(v)", "return v == place", "./internal/paths"},
	{"what a loop computes anew stays known", "internal/paths/state.go", "return b.Parent() == to.Parent() && (b == to || !b.Dominates(to))", "return false && b != nil", "./internal/paths"},
	{"what is known in the function around a literal is forgotten there", "internal/paths/state.go", "return b.Parent() == to.Parent() && (b == to || !b.Dominates(to))", "return b.Parent() != to.Parent() || b == to || !b.Dominates(to)", "./internal/observe"},
	{"paths with different notes are one", "internal/paths/state.go", "parts = append(parts, fmt.Sprintf(\"l%v=%t\", what, live))", "parts = append(parts[:0:0], parts...)", "./internal/paths"},
	{"unequal is equal", "internal/paths/condition.go", "op, negate = token.EQL, true\n\tcase token.GEQ", "op, negate = token.EQL, false\n\tcase token.GEQ", "./internal/paths"},
	{"the opposite of less is greater", "internal/paths/condition.go", "case token.GEQ:\n\t\top, negate = token.LSS, true\n", "case token.GEQ:\n\t\top, x, y = token.LSS, y, x\n", "./internal/paths"},
	{"a value that equals one constant may equal another", "internal/paths/condition.go", "return false, true // it equals another constant", "return false, false", "./internal/paths"},
	{"an error that was made may be nil", "internal/paths/condition.go", "case \"errors.New\", \"fmt.Errorf\":", "case \"fmt.Errorf\":", "./internal/paths"},
	{"not is nothing", "internal/paths/condition.go", "return !value, known", "return value, known", "./internal/paths"},
	{"a condition that is asked twice is asked once", "internal/paths/questions.go", "q.count[text] > 1", "q.count[text] > 2", "./internal/paths"},
	// What a value is.
	{"fields of one struct are one", "internal/memory/place.go", "strconv.Itoa(addr.Field)", "strconv.Itoa(0*addr.Field)", "./internal/flow"},
	{"a slice expression has other memory", "internal/alias/follow.go", "if ref.X == v && !ssax.Emptied(ref) {", "if ref.X == v && ssax.Emptied(ref) {", "./internal/flow"},
	{"append to it has other memory", "internal/alias/results.go", "if c.Args[0] == v {\n\t\t\ta.derive(result, v, info)", "if false {\n\t\t\ta.derive(result, v, info)", "./internal/flow"},
	{"what a pointer in it points to is its memory", "internal/ssax/types.go", "case *types.Slice, *types.Map:\n\t\treturn true", "case *types.Slice, *types.Map, *types.Pointer:\n\t\treturn true", "./internal/flow"},
	{"text of it shares its memory", "internal/alias/follow.go", "if !ssax.Copies(ref) && ssax.HasPointers(ref.Type()) {", "if ssax.HasPointers(ref.Type()) {", "./internal/flow"},
	{"a merged value is an alias on every path", "internal/alias/must.go", "if edge == nil || !edge.Must || edge.Holder != info.Holder {", "if edge == nil && edge != nil {", "./internal/flow"},
	{"memory in a field is as sure as the object", "internal/alias/follow.go", "next.Reach = max(next.Reach, a.fieldReach())", "", "./internal/flow"},
	{"a container is as sure as the object", "internal/alias/alias.go", "next.Reach = max(info.Reach, events.Container)\n\treturn a.add(v, next, from)", "return a.add(v, next, from)", "./internal/flow"},
	{"a slice without capacity has its memory", "internal/ssax/values.go", "return ok && c.Value != nil && c.Int64() == 0", "return false && ok && c.Value != nil", "./internal/flow"},
	{"one of two values is both", "internal/flow/trace.go", "o.May = o.May || t.mixed(v)", "_ = t.mixed", "./internal/flow"},
	{"the address of a variable is what it holds", "internal/flow/trace.go", "inside.Holds = !isBox", "inside.Holds = !isBox && false", "./internal/flow"},
	{"a condition on anything is about the object", "internal/flow/about.go", "return p.about(cond, object, 0, &found) && found", "return p.about(cond, object, 0, &found)", "./internal/flow"},
	{"an error is about the object", "internal/flow/about.go", "tuple || ssax.IsError(x.Type())", "tuple", "./internal/flow"},
	{"an exported variable keeps its function", "internal/assigned/table.go", "if token.IsExported(g.Name()) {", "if false && token.IsExported(g.Name()) {", "./internal/observe"},
	// What functions do.
	{"a put on one path is a put on all", "internal/infer/release.go", "if v.without == 0 {\n\t\tl.s.MustPut |= bit", "if true {\n\t\tl.s.MustPut |= bit", "./internal/infer"},
	{"no put is certain", "internal/infer/release.go", "if p.certain {\n", "if false {\n", "./internal/infer"},
	{"a count of references is none", "internal/infer/release.go", "if p.counted {", "if false {", "./internal/infer"},
	{"any comparison is a count", "internal/flow/counted.go", "return zeroOrOne(y) && IsCount(p, x, depth+1)", "return (true || zeroOrOne(y)) && IsCount(p, x, depth+1)", "./internal/infer"},
	{"the paths on which it is nil count", "internal/infer/release.go", "if v.isNil(cond.Cond, taken) {\n\t\treturn false", "if v.isNil(cond.Cond, taken) {\n\t\treturn true", "./internal/infer"},
	{"what is not fit is not left out", "internal/infer/release.go", "return v.reach[succ] || !v.reach[other] || !v.ofObject(cond.Cond)", "return true", "./internal/infer"},
	{"what another is not fit for is left out", "internal/infer/release.go", "return v.reach[succ] || !v.reach[other] || !v.ofObject(cond.Cond)", "return v.reach[succ] || !v.reach[other]", "./internal/infer"},
	{"a getter may keep what it got", "internal/infer/result.go", "if o.Field == flow.None {\n\t\treturn !l.kept[o.Root]", "if o.Field == flow.None {\n\t\treturn true", "./internal/infer"},
	{"a field of what was got is the caller's", "internal/infer/result.go", "if o.Field == flow.None {\n\t\treturn !l.kept[o.Root]", "if true {\n\t\treturn !l.kept[o.Root]", "./internal/infer"},
	{"the last return tells what results are", "internal/infer/result.go", "always &= must", "always = must", "./internal/infer"},
	{"the first return tells what results are", "internal/infer/result.go", "always &= must", "_ = must", "./internal/infer"},
	{"what is sent is not kept", "internal/infer/learn.go", "case *ssa.Send:\n\t\t\t\tl.retain(instr.X)", "case *ssa.Send:", "./internal/infer"},
	{"what a goroutine puts is put now", "internal/infer/call.go", "if c.Started() {\n\t\tl.s.Retains |= own // what the goroutine puts, it puts later\n\t\treturn", "if false {\n\t\treturn", "./internal/infer"},
	{"a directive does not stop what the code says", "internal/infer/learn.go", "l.s.Retains &^= l.s.Borrows", "", "./internal/infer"},
	{"functions are looked at once", "internal/infer/fixpoint.go", "const maxRounds = 5", "const maxRounds = 1", "./internal/infer"},
	{"callers are not looked at again", "internal/infer/fixpoint.go", "for _, caller := range r.callers[f] {", "for _, caller := range r.callers[f][:0] {", "./internal/infer"},
	{"an inner call of itself puts nothing", "internal/infer/fixpoint.go", "if r.assume(cycle) {", "if false {", "./internal/infer"},
	{"a put on the way to an error is one on each way", "internal/infer/got.go", "if b == ret.Block() {", "if true {", "./internal/infer"},
	{"a put is followed into the next round", "internal/infer/got.go", "if !seen[next] && next != limit {", "if _ = limit; !seen[next] {", "./internal/infer"},
	{"what may be put by a defer is not the caller's", "internal/infer/call.go", "s.MayPut&bit != 0 && !c.Deferred()) {", "s.MayPut&bit != 0) {", "./internal/infer"},
	{"what is let go of is still its memory", "internal/infer/result.go", "if !ok || taken(l.function, o, t, ret) {", "if !ok {", "./internal/infer"},
	{"what was let go of is not read again", "internal/infer/detach.go", "if let != read && mayPrecede(let, read) {", "if false && mayPrecede(let, read) {", "./internal/infer"},
	{"what is let go of on one path is so on all", "internal/infer/detach.go", "if !b.Dominates(ret.Block()) {", "if false {", "./internal/infer"},
	{"a field of a field is the outer one", "internal/memory/overwrite.go", "len(fields) != 1 || fields[0] != field {", "len(fields) == 0 {", "./internal/infer"},
	{"what is lent to a box is put with it", "internal/infer/release.go", "if emptied(l.function, b, instr) {", "if false {", "./internal/infer"},
	{"a variable that others may set is nil", "internal/flow/trace.go", "place.Path == \"\" && !s.Unknown // a variable", "place.Path == \"\" // a variable", "./internal/flow"},
	{"what an object keeps of itself is kept", "internal/infer/stored.go", "stays(l.function, at) && !inside(l.function, p, at) {", "stays(l.function, at) {", "./internal/infer"},
	{"what a callee keeps is the caller's to put", "internal/infer/call.go", "case (s.Retains|s.Keeps)&bit != 0:", "case false:", "./internal/infer"},
	// What happens to objects.
	{"deferred calls run first in, first out", "internal/observe/late/deferred.go", "d == p.Call.Instr || !ssax.Before(d, p.Call.Instr)", "d == p.Call.Instr || ssax.Before(d, p.Call.Instr)", "./internal/observe"},
	{"deferred calls do not run after a direct put", "internal/observe/late/after.go", "if t := view.Call(d); t.Kind != 0 {", "if t := view.Call(d); false && t.Kind != 0 {", "./internal/observe"},
	{"what was let go of is still the object's", "internal/track/live.go", "(w.Detached[info.Field] || w.takenOut(v, 0)) {", "w.takenOut(v, 0) {", "./internal/observe"},
	{"letting go of one field is letting go of all", "internal/track/detached.go", "fields[addr.Field] = true", "for i := range 64 {\n\t\t\t\t\t\t\tfields[i] = true\n\t\t\t\t\t\t}", "./internal/observe"},
	{"an alias on some paths accuses", "internal/track/live.go", "\tif !info.Must {\n", "\tif false {\n", "./internal/observe"},
	{"values of other rounds accuse", "internal/track/live.go", "return root.Block().Dominates(instr.Block())\n}", "return true\n}", "./internal/observe"},
	{"an object that is nil is used", "internal/track/follower.go", "return !isNil || !w.Live(x, s, 0)", "return true || isNil", "./internal/observe"},
	{"only the other edge of a nil test is walked", "internal/track/follower.go", "return !isNil || !w.Live(x, s, 0)", "return isNil || !w.Live(x, s, 0)", "./internal/observe"},
	{"a merged value is what it was before", "internal/track/follower.go", "s.Note(ssa.Value(phi), w.Live(edge, s, 0))", "_ = edge", "./internal/observe"},
	{"the object of the next round is the old one", "internal/track/follower.go", "if !w.carried(s) {\n\t\t\t\treturn false", "if !w.carried(s) {\n\t\t\t\treturn true", "./internal/observe"},
	{"a call that may put is a use", "internal/track/calls.go", "case c.Summary.RefPut.Has(i):\n", "case false:\n", "./internal/observe"},
	{"the length of a slice is its memory", "internal/track/calls.go", "case \"copy\", \"print\", \"println\"", "case \"len\", \"cap\", \"copy\", \"print\", \"println\"", "./internal/observe"},
	{"a path ends at the first block", "internal/observe/lost/keeper.go", "if w.ends[instr] != goesOn {\n\t\treturn false", "if w.ends[instr] == goesOn {\n\t\treturn false", "./internal/observe"},
	{"a return of an error loses nothing", "internal/observe/lost/keeper.go", "e.How = events.ErrorReturn\n\t\t}", "return true\n\t\t}", "./internal/observe"},
	{"what is handed over is lost", "internal/observe/lost/keeper.go", "case handedOver:\n\t\t\t\tw.ends[instr] = e", "case handedOver:", "./internal/observe"},
	{"the next round of a loop loses nothing", "internal/observe/lost/keeper.go", "e.How = events.NextRound\n\t\tw.lost(e)", "e.How = events.NextRound", "./internal/observe"},
	{"an object that is not there is lost", "internal/observe/lost/keeper.go", "if w.absent(cond.Cond, taken) || w.selected(cond.Cond, taken) {", "if w.selected(cond.Cond, taken) {", "./internal/observe"},
	{"a select that sends it loses it", "internal/observe/lost/keeper.go", "if w.absent(cond.Cond, taken) || w.selected(cond.Cond, taken) {", "if w.absent(cond.Cond, taken) {", "./internal/observe"},
	{"what is not fit is lost", "internal/observe/lost/keeper.go", "if !w.reach[succ] && w.reach[other] && w.fn.Program.About(cond.Cond, w.isObject) {", "if false {", "./internal/observe"},
	{"tests must put", "internal/observe/lost/lost.go", "if fn.Out.Test || ", "if ", "./internal/observe"},
	{"nobody waits for a goroutine", "internal/observe/outlive/wait.go", "if v.joins && names.IsJoin(c.Name()) {", "if false && names.IsJoin(c.Name()) {", "./internal/observe"},
	{"a receive is no wait", "internal/observe/outlive/wait.go", "if v.joins && instr.Op == token.ARROW {", "if false && instr.Op == token.ARROW {", "./internal/observe"},
	{"one path with a put is enough for an escape", "internal/observe/outlive/wait.go", "return v.puts > 0 && v.others == 0", "return v.puts > 0", "./internal/observe"},
	{"what is lent for a time escapes", "internal/observe/outlive/stored.go", "for _, other := range fn.Program.StoresTo(fn.F, place) {\n\t\tif other != s {", "for _, other := range fn.Program.StoresTo(fn.F, place) {\n\t\tif false && other != s {", "./internal/observe"},
	{"a field that is set anew dangles", "internal/observe/fit/field.go", "if !once || s.Addr != place.Base {", "if false && (once || s != nil) {", "./danglingfield"},
	{"an element that is set anew dangles", "internal/observe/fit/field.go", "if elem, ok := instr.Addr.(*ssa.IndexAddr); ok && isList(elem.X) {", "if elem, ok := instr.Addr.(*ssa.IndexAddr); false && ok && isList(elem.X) {", "./danglingfield"},
	{"a list that is cleared dangles", "internal/observe/fit/field.go", "slices.ContainsFunc(c.Args, isList) ||", "slices.ContainsFunc(c.Args[:0], isList) ||", "./danglingfield"},
	{"a callee empties no list", "internal/observe/fit/field.go", "c.Lit != nil && depth < 2", "c.Lit != nil && depth < 0", "./danglingfield"},
	{"what a scanner keeps is kept by what it reads from", "internal/observe/outlive/stored.go", "if o.Holds {\n\t\t\t\town = true", "if false {\n\t\t\t\town = true", "./internal/observe"},
	{"a function that a getter returned puts what the caller has", "internal/observe/fit/growth.go", "|| len(p.Call.Instr.Common().Args) == 0 {", "{", "./internal/observe"},
	{"growth that is stored back is lost", "internal/observe/fit/growth.go", "if grown == nil || storedBack(fn.Code, al) || ssax.IsAlloc(p.Roots[0]) {", "if grown == nil || ssax.IsAlloc(p.Roots[0]) {", "./internal/observe"},
	{"what a constructor forgets where it fails is handed over", "internal/observe/lost/failure.go", "if !v.fails(instr, s) {", "if true {", "./internal/observe"},
	{"a constructor that succeeds loses what it returns", "internal/observe/lost/failure.go", "return is && known\n", "return is || !known\n", "./internal/observe"},
	{"who is lent an object gets it for good", "internal/observe/lost/ends.go", "if i < c.Captures && w.whole(arg) && !c.Invoke && !c.Summary.Borrows.Has(i) &&", "if true || i < c.Captures && w.whole(arg) &&", "./internal/observe"},
	{"a method that ends an object does not", "internal/observe/lost/failure.go", "if v.mayEnd(instr) {", "if false {", "./internal/observe"},
	{"callees wait for their goroutines", "internal/infer/linger.go", "v.returns = append(v.returns, instr)", "_ = instr", "./internal/observe"},
	{"no callee waits for its goroutines", "internal/infer/linger.go", "return c.Deferred() || !names.IsJoin(c.Name())", "return true || c.Deferred()", "./internal/observe"},
	{"a result that tells of a goroutine tells nothing", "internal/infer/linger.go", "if seen.one() {", "if false {", "./internal/observe"},
	{"a variable that is only compared is used", "internal/infer/linger.go", "case *ssa.BinOp, *ssa.DebugRef:\n\t\t\t\treturn false", "case *ssa.DebugRef:\n\t\t\t\treturn false", "./internal/observe"},
	{"what is taken out of a field is a view of it", "internal/states/views.go", "|| fn.MovedBetween(load, ret, place) ||", "||", "./internal/observe"},
	{"a view outlives another object in the field", "internal/track/aliases.go", "&& !fn.MovedBetween(call, p.Instr(), place) &&", "&&", "./internal/observe"},
	{"a struct that is in a list is the caller's", "internal/states/holders.go", "|| !fn.onlyReturned(alloc) {", "{", "./internal/observe"},
	{"a literal that is kept is only called", "internal/observe/lost/literal.go", "(i >= c.Captures || keepsFunction(&c, i))", "i >= c.Captures", "./internal/observe"},
	{"a literal that puts is only lent", "internal/observe/lost/literal.go", "(s.MayPut | s.RefPut |", "(s.RefPut |", "./internal/observe"},
	{"who gets an object and what puts it does nothing", "internal/observe/lost/literal.go", "return gets && puts", "return gets && !puts && puts", "./internal/observe"},
	// Everyday code.
	{"a list of earlier rounds is this round's", "internal/track/live.go", "return false // it was merged before", "return true // it was merged before", "./internal/observe"},
	{"an object that is got again is the one that was sent", "internal/observe/outlive/wait.go", "made == v.root && ", "false && ", "./internal/observe"},
	{"a variable that outlives a round loses", "internal/observe/lost/keeper.go", "if w.carried(s) || w.exchanged() {", "if w.exchanged() {", "./internal/observe"},
	{"a variable that is overwritten outlives a round", "internal/observe/lost/keeper.go", "if ref.Block() == get.Block() && ssax.Before(get, ref) || ssax.Passes(", "if true || ssax.Passes(", "./internal/observe"},
	{"a map loses", "internal/observe/lost/ends.go", "if w.out(instr.Value) || w.out(instr.Key) {", "if false {", "./internal/observe"},
	{"an object that works on memory only carries it", "internal/infer/box.go", "!c.Summary.Gives(i) && !c.Summary.Fills.Has(i) {", "!c.Summary.Gives(i) && false {", "./internal/observe"},
	{"a setter carries nothing", "internal/infer/box.go", "l.s.Fills |= summary.Bit(i)", "_ = summary.Bit(i)", "./internal/observe"},
	{"no result tells whether it was got", "internal/infer/got.go", "if pooled.one() && other.one() && pooled != other {", "if false {", "./internal/observe"},
	{"a result tells the opposite", "internal/observe/lost/absent.go", "return value != told.Value", "return value == told.Value", "./internal/observe"},
	{"a call that failed has got an object", "internal/observe/late/after.go", "|| failedToGet(fn.Code, p) {", "{", "./internal/observe"},
	{"a call that succeeded has got none", "internal/observe/late/after.go", "failed := b.Idom().Succs[0]", "failed := b", "./internal/observe"},
	{"a select hands over in each case", "internal/observe/lost/keeper.go", "w.offers++", "w.transfers++", "./internal/observe"},
	{"a pool without New has objects of its own", "internal/observe/fit/foreign.go", "fn.Fed(from) == fn.Fed(to) &&", "", "./internal/observe"},
	{"all flags exclude each other", "internal/assigned/exclusive.go", "slices.Contains(fields, a) && slices.Contains(fields, b)", "slices.Contains(fields, a) && false", "./internal/paths"},
	{"a flag that is set later excludes", "internal/assigned/exclusive.go", "isConst && fresh && !field.Exported()", "!field.Exported()", "./internal/paths"},
	{"what a method reads is not read", "internal/flow/key.go", "\tk.Places = append(k.Places, read...)\n", "", "./internal/paths"},
	{"a method that writes only reads", "internal/flow/key.go", "\t\t\tdefault:\n\t\t\t\treturn nil, false", "", "./internal/paths"},
	{"a variable that a function fills is a literal", "internal/pooldecl/reader.go", "|| r.elsewhere(id, path)", "", "./internal/pooldecl"},
	{"what is taken out on one path is still the object's", "internal/track/live.go", "|| w.takenOut(v, 0)) {", ") {", "./internal/observe"},
	{"the next element of a list is this one", "internal/track/follower.go", "s.Note(place, false) // of another struct: the next one of a list", "_ = place", "./internal/observe"},
	// What is reported.
	{"what a field refers to is as sure as the object", "internal/check/words.go", "if h.Reach >= events.Field || obj.Custom {", "if obj.Custom {", "./internal/check"},
	{"what looks like a pool is as sure as one", "internal/check/words.go", "if h.Reach >= events.Field || obj.Custom {", "if h.Reach >= events.Field {", "./internal/check"},
	{"a tier above is not asked for", "internal/check/check.go", "return tier <= o.Tier &&", "return tier < o.Tier &&", "./internal/check"},
	{"a directive of another check ignores", "internal/check/check.go", "if p.Ignored(r.Pos) ||", "if p.Ignored(r.Pos) && false ||", "./internal/check"},
	{"several findings a line", "internal/check/check.go", "if _, twice := p.result.found[at]; twice ||", "if", "./internal/check"},
	{"a finding that another one explains is reported", "internal/check/explains.go", "return ok && found <= tier", "return ok && found < 0", "./internal/check"},
	{"a remark explains an error", "internal/check/explains.go", "return ok && found <= tier", "return ok && found <= tier+2", "./internal/check"},
	{"a check that is not asked for is reported", "internal/check/check.go", "checks != nil && !checks(p.check.Code)", "checks != nil && false", "./internal/check"},
	{"fixes in generated files", "internal/check/check.go", "if p.Events.Generated(r.Pos) {", "if false {", "./internal/check"},
	{"a use that a later defer makes is returned", "returnalias/returnalias.go", "!put.Deferred || ret", "put.Deferred || ret", "./returnalias"},
	{"escapes are audits", "escape/escape.go", "check.Demoted(check.Error", "check.Demoted(check.Audit", "./internal/observe"},
	{"a field is forgotten that is named again", "danglingfield/danglingfield.go", "if mentioned(p, sel, first) {", "if mentioned(p, sel, first) && false {", "./danglingfield"},
	{"a field is tested after it was used", "danglingfield/danglingfield.go", "n.Pos() < first && !harmless[n]", "n.Pos() < first && false", "./danglingfield"},
	{"a field is tested twice", "danglingfield/danglingfield.go", "if !tested(p, s, object) {", "if true {", "./danglingfield"},
	{"a slice of whoever is put late", "lostgrowth/late.go", "|| !w.grows(slice)", "|| slice == nil", "./lostgrowth"},
	{"a result is put late", "lostgrowth/late.go", "|| w.isResult(v) {", "{", "./lostgrowth"},
	{"a call that is another one by then", "lostgrowth/late.go", "!w.constant(call.Fun) ||", "", "./lostgrowth"},
	{"comma-ok is no test", "nilassert/nilassert.go", "get.Asserted == nil || get.CommaOK || get.NilCheck", "get.Asserted == nil || get.NilCheck", "./nilassert"},
	{"New may return nil", "nilassert/nilassert.go", "if ret.Nil && (", "if false && (", "./nilassert"},
	{"elements that are put leave the list full", "internal/infer/call.go", "l.s.MayEmpty |= l.lists(arg)", "l.s.MayEmpty |= 0 & l.lists(arg)", "./internal/observe"},
	{"a list that a callee may empty is full", "internal/observe/lost/ends.go", "case s.MayPut.Has(i), s.MayEmpty.Has(i):", "case s.MayPut.Has(i):", "./internal/observe"},
	{"an array holds nothing", "internal/alias/follow.go", "case *types.Struct, *types.Array:", "case *types.Struct:", "./internal/observe"},
	{"a count that is set by CompareAndSwap counts nothing", "internal/infer/result.go", "|| swappedIn(l.function, ret.Results[0])", "", "./internal/observe"},
	{"any sum is the count", "internal/infer/result.go", "same(set.X, sum.X) && same(set.Y, sum.Y)", "true", "./internal/observe"},
	{"equal constants differ", "internal/infer/result.go", "constant.Compare(x.Value, token.EQL, y.Value)", "!constant.Compare(x.Value, token.EQL, y.Value)", "./internal/observe"},
	{"a put of the next round is one of this", "internal/observe/lost/keeper.go", "\t\tif b == get.Block() {\n\t\t\treturn\n\t\t}\n", "", "./internal/observe"},
	{"a variable that was emptied is put", "internal/observe/outlive/wait.go", "v.others++ // the literal", "v.puts++ // the literal", "./internal/observe"},
	{"a list in its own place is a second owner", "internal/observe/outlive/stored.go", "if inItsPlace(fn.Program, s.Val, place) {", "if false {", "./internal/observe"},
	{"any place is the list's own", "internal/observe/outlive/stored.go", "return ok && from == place", "return ok || from == place", "./internal/observe"},
	{"a New of a test may return nil to the shipped code", "nilassert/nilassert.go", "(inTest || !p.Events.Test(ret.Pos))", "true", "./internal/observe"},
	{"what is taken over is put", "internal/scene/event.go", "e.How = events.Taken", "e.How = events.Released", "./doubleput"},
	// What follows a select, what an object ends itself, what a pool is made of.
	{"another case of the select has sent it too", "internal/observe/outlive/wait.go", "return sends(chosen)", "return true", "./internal/observe"},
	{"a case that is not chosen has sent it", "internal/observe/outlive/wait.go", "if s != chosen && sends(s) {", "if sends(s) {", "./internal/observe"},
	{"a list of what a function makes is a list of literals", "internal/pooldecl/reader.go", "if r.isMade(value) {", "if r.isMade(value) || isSet {", "./internal/pooldecl"},
	{"what a function makes by a literal is unknown", "internal/pooldecl/reader.go", "return ok || isLiteral(e)", "return ok && isLiteral(e)", "./internal/pooldecl"},
	{"a function of the object ends nothing", "internal/observe/lost/ends.go", " || w.givesOwnEnd(instr)", "", "./internal/observe"},
	{"any function of the object ends it", "internal/observe/lost/own.go", " && names.IsRelease(f.Name())", "", "./internal/observe"},
	{"what a deferred put empties keeps its memory", "internal/observe/late/deferred.go", " && !forgotten(fn.Code, p, al, r)", "", "./internal/observe"},
	{"an array of it is lent", "internal/observe/late/forgotten.go", " && !hasArray(al.Type)", "", "./internal/observe"},
	{"each round defers", "internal/observe/late/deferred.go", " || onlyFirst(b)", "", "./internal/observe"},
	{"a flag that is taken back stays", "internal/observe/late/first.go", "return !types.Identical(value.Type().Underlying(), types.Typ[types.Bool])", "return true", "./internal/observe"},
	{"a pool that lives on ends with the function", "internal/observe/lost/local.go", "return ok && staysInside(fn, made, map[ssa.Value]bool{})", "return ok && made != nil", "./internal/observe"},
	{"a pool that ends excuses a loss in each round", "internal/observe/lost/lost.go", "if pool && e.How != events.NextRound {", "if pool {", "./internal/observe"},
	{"an object that the getter exchanges is lost", "internal/observe/lost/keeper.go", " || w.exchanged()", "", "./internal/observe"},
	{"no status denies an object", "internal/observe/lost/absent.go", "return equal != (with.Int64() == at.Value)", "return false && equal", "./internal/observe"},
	{"a status that is always there tells something", "internal/infer/got.go", "if same && empty && at != nil {", "if same && (empty || true) && at != nil {", "./internal/infer"},
}

// list is mutants as package mutate takes them.
func list() (all []mutate.Mutant) {
	for _, m := range mutants {
		all = append(all, mutate.Mutant{Name: m.name, File: m.file, Old: m.old, New: m.new, Tests: m.tests})
	}
	return all
}

// TestMutantsAreKilled runs the tests on each mutant. Those of one package stand
// together: what they have in common is compiled once.
func TestMutantsAreKilled(t *testing.T) { mutate.Kill(t, list()) }

// TestMutantsFitTheCode keeps the list in step with the code.
func TestMutantsFitTheCode(t *testing.T) {
	mutate.Fit(t, list())
	names := make(map[string]bool)
	for _, m := range mutants {
		if names[m.name] || !strings.HasPrefix(m.tests, "./") {
			t.Errorf("%q is there twice, or nobody looks at it", m.name)
		}
		names[m.name] = true
	}
}
