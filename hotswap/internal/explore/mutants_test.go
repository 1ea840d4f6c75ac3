package explore_test

import "github.com/poolproof/poolproof/internal/mutate"

const (
	slot   = "internal/slots/slot.go"
	cell   = "internal/slots/cell.go"
	gate   = "internal/slots/gate.go"
	table  = "internal/slots/table.go"
	place  = "internal/slots/place.go"
	shared = "internal/slots/anyshard.go"
	compat = "poolswap/poolswap.go"
)

// in returns the edits of one file, from pairs of old and new text.
var in = mutate.In

// The scenarios that kill most.
const (
	twoReaders = "two readers and two updates"
	oneReader  = "one reader and two updates"
	waiting    = "two writers, twice, wait for one free value"
	late       = "a late claim meets a later generation"
	anywhere   = "releases in any shard"

	threeReaders = "three readers and an update"
	twoPlaces    = "two places in a shard"
)

// mutants are the errors that were made, or could be, in such a protocol.
var mutants = []mutant{
	// Readers.
	{"Enter does not look again", oneReader, 2, in(cell,
		"\tif c.cur.Load() != s {\n\t\ts, n", "\tif s == nil {\n\t\ts, n")},
	{"Enter looks again, and counts after that", oneReader, 2, in(cell,
		"\tif n.Load() != 0 || !n.CompareAndSwap(0, s.one) { // a load is less than a swap in vain\n\t\tn = s.join(n)\n\t}\n\tif c.cur.Load() != s {\n\t\ts, n = c.again(s, n)\n\t}\n", "\tif c.cur.Load() != s {\n\t\ts = c.cur.Load()\n\t}\n\tif !n.CompareAndSwap(0, s.one) {\n\t\tn = s.join(n)\n\t}\n")},
	{"Enter again does not look again", oneReader, 3, in(cell,
		"\t\tif c.cur.Load() == s {\n\t\t\treturn s, n", "\t\tif s != nil {\n\t\t\treturn s, n")},
	{"the value is read before the hold", oneReader, 1, in(cell,
		"\ts = c.cur.Load()\n\tif n", "\ts = c.cur.Load()\n\tvalue = s.Value\n\tif n",
		"return s.Value, s, n, gen", "return value, s, n, gen")},
	{"the generation is read before the hold", oneReader, 1, in(cell,
		"\ts = c.cur.Load()\n\tif n", "\ts = c.cur.Load()\n\tgen = s.Word().Gen()\n\tif n",
		"\tgen = s.Word().Gen()\n\tif c.Traced", "\tif c.Traced")},
	{"an undo does not look", oneReader, 1, in(place,
		"\tif s.lower(n, s.Word().Gen()) {\n\t\ts.look()\n\t}\n", "\ts.lower(n, s.Word().Gen())\n")},
	{"an undo is counted in another place", twoReaders, 1, in(cell,
		"s.undo(n)", "s.undo(c.near())")},
	{"a release does not look", oneReader, 1, in(slot,
		"\tif w := s.Word(); w.State() == Retired { // look\n\t\ts.reclaim(w)\n\t}\n", "")},
	{"a release reads the state before it counts", oneReader, 1, in(slot,
		"\tif (n.Load() != s.one || !n.CompareAndSwap(s.one, 0)) && !s.lower(n, gen) {\n\t\treturn\n\t}\n\tif w := s.Word(); w.State()", "\tw := s.Word()\n\tif (n.Load() != s.one || !n.CompareAndSwap(s.one, 0)) && !s.lower(n, gen) {\n\t\treturn\n\t}\n\tif w.State()")},
	{"a release compares the generation after it has counted", oneReader, 1, in(slot,
		"\tif s.Word().Gen() != gen {\n\t\ts.leaveOther(n, gen)\n\t\treturn\n\t}\n", "",
		"\tif w := s.Word(); w.State() == Retired { // look", "\tif s.Word().Gen() != gen {\n\t\ts.leaveOther(n, gen)\n\t\treturn\n\t}\n\tif w := s.Word(); w.State() == Retired { // look")},
	{"a release ends what is not counted", "TestASecondReleaseWhileOthersReadIsFoundByTheirRelease", 0, in(place,
		"\t\tif !s.counted(k) {\n\t\t\ts.overdrawn(gen)\n\t\t}\n\t\tnext := k - 1", "\t\tnext := k - 1")},
	{"a release is a load and a store", twoReaders, 2, in(slot,
		"!n.CompareAndSwap(s.one, 0)", "!stored(n)",
		"// leaveOther ends", "func stored(n *Place) bool {\n\tn.Store(0)\n\treturn true\n}\n\n// leaveOther ends")},
	{"a release of one of several is a load and a store", threeReaders, 2, in(place,
		"\t\tif n.CompareAndSwap(k, next) {\n\t\t\treturn next == 0\n\t\t}", "\t\tn.Store(next)\n\t\treturn next == 0")},
	{"a release of one of several ends all", twoReaders, 1, in(place,
		"\t\tnext := k - 1\n\t\tif k == s.one {\n\t\t\tnext = 0\n\t\t}\n", "\t\tnext := uint64(0)\n")},
	{"a place keeps the mark of its last hold", twoReaders, 1, in(place,
		"\t\tif k == s.one {\n\t\t\tnext = 0\n\t\t}\n", "")},
	{"a hold is counted for another slot", twoReaders, 1, in(place,
		"\t\tcase !s.counted(k):\n\t\t\treturn false\n", "")},
	{"a hold beside another is a load and a store", twoReaders, 2, in(place,
		"\t\tif n.CompareAndSwap(k, next) {\n\t\t\treturn true\n\t\t}", "\t\tn.Store(next)\n\t\treturn true")},
	{"a hold that finds no place is not counted", twoReaders, 1, in(place,
		"\ts.raise(&s.over)\n\treturn &s.over\n", "\ts.over.Load()\n\treturn &s.over\n")},
	{"a value that was released too often is used again", "TestASecondReleaseWhileOthersReadIsFoundByTheirRelease", 0, in(slot,
		"if s.condemned.Load() == w.Gen() {", "if false {")},
	{"a clone is counted in another place", "a clone outlives its original", 3, append(in(place,
		"func (s *Slot) Again(n *Place, gen uint64) {", "func (s *Slot) Again(n *Place, gen uint64) *Place {\n\treturn s.join(&s.table.lines[atom.Hint()>>hintShift&(s.table.shards-1)].places[0])\n}\n\nfunc (s *Slot) again(n *Place, gen uint64) {"),
		in("ref.go", "r.slot.Again(r.count, r.gen.n)\n\treturn Ref[T]{value: r.value, slot: r.slot, count: r.count", "n := r.slot.Again(r.count, r.gen.n)\n\treturn Ref[T]{value: r.value, slot: r.slot, count: n")...)},
	{"a clone does not ask whether its original is counted", "TestASecondReleaseByACopyPanicsWhenNobodyElseReads", 0, in(place,
		"\t\tif !s.counted(k) {\n\t\t\ts.overdrawn(gen)\n\t\t}\n\t\tif n.CompareAndSwap(k, k+1) {", "\t\tif n.CompareAndSwap(k, k+1) {")},
	{"an undo ends what is not counted", "a second release beside a reader", 1, in(place,
		"\tif s.lower(n, s.Word().Gen()) {\n\t\ts.look()\n\t}\n", "\tif n.Add(^uint64(0)); !s.counted(n.Load()) || n.Load()+1 == s.one {\n\t\tn.Store(0)\n\t}\n\ts.look()\n")},
	{"a Ref keeps its slot after Release", "TestReleaseIsIdempotentForOneVariable", 0, in("ref.go",
		"r.value, r.slot = nil, nil\n\ts.Leave", "r.value = nil\n\ts.Leave")},
	{"a Reader keeps its slot after Release", "TestAReaderKeepsItsValueUntilItLoadsAnother", 0, in("reader.go",
		"r.value, r.slot, r.count = nil, nil, nil", "r.value, r.count = nil, nil")},

	// Reclaiming.
	{"the scan is one shard short", oneReader, 1, in(slot,
		"for i := range s.table.lines {", "for i := range len(s.table.lines) - 1 {")},
	{"the scan is one place short", twoPlaces, 3, in(slot,
		"for j := range deep {", "for j := range max(1, deep-1) {")},
	{"a scan never learns of a second place", twoPlaces, 3, in(place,
		"\t\t\tdeep.CompareAndSwap(int64(i), int64(i)+1) // before a hold is there\n", "\t\t\t_ = deep\n")},
	{"the scan does not look for holds that found no place", twoReaders, 3, in(slot,
		"return s.over.Load() == 0", "return true")},
	{"a claim does not compare the generation", late, 3, in(slot,
		"if !s.word.CompareAndSwap(uint64(w), uint64(w.claimed())) {", "if w = s.Word(); w.State() != Retired || !s.word.CompareAndSwap(uint64(w), uint64(w.claimed())) {")},
	{"a claim is a load and a store", oneReader, 3, in(slot,
		"if !s.word.CompareAndSwap(uint64(w), uint64(w.claimed())) {\n\t\treturn\n\t}", "if s.Word() != w {\n\t\treturn\n\t}\n\ts.word.Store(uint64(w.claimed()))")},
	{"a claim resets the counts", twoReaders, 3, in(slot,
		"\tif s.condemned.Load() == w.Gen() {", "\tfor i := range s.table.lines {\n\t\tif n := &s.table.lines[i].places[0]; s.counted(n.Load()) {\n\t\t\tn.Store(0)\n\t\t}\n\t}\n\tif s.condemned.Load() == w.Gen() {")},
	{"a claim does not raise the generation", "TestACopyOfADraftIsUselessAfterDiscard", 0, in(slot,
		"return (w + 1<<stateBits).with(Owned)", "return w.with(Owned)")},

	// Publishing.
	{"the retirer does not scan", oneReader, 0, in(cell,
		"\told.scan(w)\n\treturn Published", "\t_, _ = old, w\n\treturn Published")},
	{"the retirer scans before it retires", oneReader, 2, in(cell,
		"\told.word.Store(uint64(retired))\n\treturn old, retired", "\tquiet := old.unheld(retired)\n\told.word.Store(uint64(retired))\n\tif !quiet {\n\t\treturn old, 0\n\t}\n\treturn old, retired")},
	{"a slot is retired before the swap", twoReaders, 2, in(cell,
		"\told = c.cur.Load()\n\tc.cur.Store(s)\n\tif old.fixed {\n\t\treturn old, 0", "\told = c.cur.Load()\n\tif old.fixed {\n\t\tc.cur.Store(s)\n\t\treturn old, 0",
		"\told.word.Store(uint64(retired))\n", "\told.word.Store(uint64(retired))\n\tc.cur.Store(s)\n")},
	{"writers do not exclude each other", "two writers", 1, in(cell,
		"\tmu      atom.Mutex\n", "\tmu      none\n",
		"// hold names", "type none struct{}\n\nfunc (none) Lock()   {}\nfunc (none) Unlock() {}\n\n// hold names")},
	{"a publication is a load and a store", "one draft in two containers", 1, in(cell,
		"case !s.word.CompareAndSwap(uint64(owned), uint64(owned.with(Live))):", "case s.Word() != owned:",
		"\tc.number++\n\ts.Number", "\ts.word.Store(uint64(owned.with(Live)))\n\tc.number++\n\ts.Number")},
	{"Synchronize does not wait", "Synchronize", 1, in(cell,
		"return Pending(slices.Clone(c.retired))", "return nil")},
	{"Clear opens what was closed", "TestClose", 0, in(cell,
		"\tif c.closed {\n\t\tc.mu.Unlock()\n\t\treturn false\n\t}\n", "")},
	{"Close does not retire", "TestClose", 0, in(cell,
		"old, w := c.swap(c.table.Never())", "old, w := c.cur.Load(), Word(0)\n\tc.cur.Store(c.table.Never())")},

	// Waiting.
	{"a waiter does not try again after Raise", waiting, 1, in(gate,
		"if done() || other != nil && other.Happened() {\n\t\t\treturn nil\n\t\t}\n\t\tif err := change.Wait(ctx, other); err != nil {\n\t\t\treturn err\n\t\t}", "if err := change.Wait(ctx, other); err != nil {\n\t\t\treturn err\n\t\t}\n\t\tif done() || other != nil && other.Happened() {\n\t\t\treturn nil\n\t\t}")},
	{"the flag is raised before there is an event", waiting, 3, in(gate,
		"\tg.mu.Lock()\n\tdefer g.mu.Unlock()\n\tif g.change == nil {\n\t\tg.change = atom.NewEvent()\n\t\tg.raised.Store(true)\n\t}\n", "\tg.raised.Store(true)\n\tg.mu.Lock()\n\tdefer g.mu.Unlock()\n\tif g.change == nil {\n\t\tg.change = atom.NewEvent()\n\t}\n",
		"\tif g.change != nil {\n\t\tg.raised.Store(false)\n", "\tg.raised.Store(false)\n\tif g.change != nil {\n")},
	{"a reclaimer reads the flag before its store", waiting, 1, in(slot,
		"\ts.word.Store(uint64(s.Word().with(state)))\n\ts.table.Gate.Pass()", "\ts.table.Gate.Pass()\n\ts.word.Store(uint64(s.Word().with(state)))")},
	{"Get does not look again whether the pool was closed", "Close of a Pool", 1, in("pool.go",
		"if p.closed.Load() { // Close may have looked before the claim", "if false {")},
	{"a Get that finds the pool closed keeps the slot", "Close of a Pool", 1, in("pool.go",
		"\t\ts.Give(s.Idle())\n\t\treturn nil, ErrClosed", "\t\treturn nil, ErrClosed")},
	{"the end of an RCU wakes no waiter", "RCU", 1, in("rcu.go",
		"\tc.pool.table.Gate.Pass()\n", "")},
	{"RCU holds the current value while it waits for a free one", "TestRCUHoldsNothingWhileItWaitsForAFreeValue", 0, in("rcu.go",
		"\ts, err := c.pool.take(ctx, c.cell.Closing(), \"RCU\")\n", "\tcur := c.Acquire()\n\tdefer cur.Release()\n\ts, err := c.pool.take(ctx, c.cell.Closing(), \"RCU\")\n",
		"\tdefer next.Discard()\n\tcur := c.Acquire()\n\tdefer cur.Release()\n", "\tdefer next.Discard()\n")},

	// What is made of it.
	{"a Discard does not compare the generation", "TestACopyOfADraftIsUselessAfterDiscard", 0, in("draft.go",
		"\td.end()\n\tif s.Recall(gen) {\n\t\tp.discard(s)", "\td.end()\n\tif s.Recall(gen) || s.Recall(s.Word().Gen()) {\n\t\tp.discard(s)")},
	{"RCU publishes whatever is current", "RCU and an update", 1, in("rcu.go",
		"return c.UpdateIf(&cur, &next)", "return true, c.Update(&next)")},
	{"RCU does not exclude other builds", "TestRCUWaitsForItsTurnUntilItsContextEndsOrTheContainerCloses", 0, in("rcu.go",
		"\tif busy.CompareAndSwap(false, true) {\n", "\tif busy.Store(true); true {\n")},
	{"RCU does not ask its context between two builds", "TestRCUEndsWithItsContextBetweenBuilds", 0, in("rcu.go",
		"if err := ctx.Err(); err != nil {", "if err := ctx.Err(); false {")},
	{"RCU builds without end", "TestRCUGivesUpWhenItIsOvertakenAgainAndAgain", 0, in("rcu.go",
		"for range maxBuilds {", "for range maxBuilds + 1 {")},
	{"a Delta does not exclude other Updates", "TestADeltaWaitsForItsTurnUntilItsContextEnds", 0, in("delta.go",
		"if err := x.container.enter(ctx, &x.updating, op, \"for another one\"); err != nil {", "if err := ctx.Err(); false {")},
	{"a Delta publishes whatever is current", "Delta and another writer", 1, in("delta.go",
		"if published, err := c.UpdateIf(&cur, &next); !published {", "if published, err := true, c.Update(&next); !published {")},
	{"a Delta takes a value of any generation for its own", "TestADeltaClonesWhenSomebodyElseHasUpdated", 0, in("delta.go",
		"!v.slot.ClaimAt(v.gen+1)", "!v.slot.ClaimAt(v.slot.Word().Gen())")},
	{"a Delta takes any publication in its last slot for its own", "TestADeltaForgetsItsVersionsWhenItsSlotWasPublishedByOthers", 0, in("delta.go",
		"return cur.slot == x.last && cur.slot.Word().Gen() == x.gen", "return cur.slot == x.last")},
	{"a Delta replays on the oldest free value", "TestADeltaBringsTheNewestFreeValueUpToDate", 0, in("delta.go",
		"for i := len(x.known) - 1; i >= 0; i-- {", "for i := range x.known {")},
	{"a Delta forgets the values that are free", "TestADeltaBringsTheNewestFreeValueUpToDate", 0, in("delta.go",
		"if w.Gen() == v.gen || w.Gen() == v.gen+1 && w.State() != slots.Empty {", "if w.Gen() == v.gen {")},
	{"the log of a Delta is trimmed one early", "TestADeltaReplaysWhatAFreeValueMissed", 0, in("delta.go",
		"need := int(x.now - oldest)", "need := min(max(int(x.now-oldest)-1, 0), maxLog)")},

	{"the log of a Delta has no bound", "TestTheLogOfADeltaIsBoundedAndForgets", 0, in("delta.go",
		"if x.now-v.n > maxLog {", "if false {")},
	{"the log of a Delta keeps alive what it has dropped", "TestTheLogOfADeltaIsBoundedAndForgets", 0, in("delta.go",
		"\t\tclear(x.log[need:])\n", "")},
	{"a draft that was refused with ErrUsed keeps its value", "TestACopyOfADraftIsUselessAfterDiscard", 0, in("container.go",
		"\tcase slots.NotOwned:\n\t\td.end()\n", "\tcase slots.NotOwned:\n")},

	// Releases in any shard.
	{"any shard: the scan wants zeros", anywhere, 0, in(shared,
		"\tsum := s.SumAny()\n", "\tfor shard := range s.table.shards {\n\t\tif s.counter(shard).Load() != 0 {\n\t\t\treturn false\n\t\t}\n\t}\n\tsum := 0\n")},
	{"any shard: only a release that reaches 0 looks", anywhere, 1, in(shared,
		"\ts.anyNear().Add(-1)\n\ts.look()", "\tif s.anyNear().Add(-1) == 0 {\n\t\ts.look()\n\t}")},
	{"any shard: an undo does not look", anywhere, 1, in(shared,
		"\t\tn.Add(-1)\n\t\ts.look()\n", "\t\tn.Add(-1)\n")},
	{"any shard: EnterAny does not look again", anywhere, 3, in(shared,
		"\t\tif c.cur.Load() == s {", "\t\tif s != nil {")},
	{"any shard: the scan is one shard short", anywhere, 0, in(shared,
		"for shard := range s.table.shards {\n\t\tn +=", "for shard := range s.table.shards - 1 {\n\t\tn +=")},

	// How many shards, and what is kept.
	{"any number of shards", "internal/slots.TestShardsAreAPowerOfTwoUpTo512", 0, in(table,
		"for s < n && s < MaxShards {", "for s < n {")},
	{"more shards than the hint can tell apart", "internal/slots.TestTheHintReachesEachShard", 0, in(table,
		"const MaxShards = 512", "const MaxShards = 1024")},
	{"half as many shards for a processor", "internal/slots.TestShardsAreAPowerOfTwoUpTo512", 0, in(table,
		"n = 8 * runtime.GOMAXPROCS(0)", "n = 4 * runtime.GOMAXPROCS(0)")},
	{"Close of a Pool wakes no waiter", "TestCloseOfAPoolWakesAllThatWaitForAValue", 0, in("pool.go",
		"\tp.closed.Store(true)\n\tp.table.Gate.Pass()\n", "\tp.closed.Store(true)\n")},
	{"a value whose OnDrop panicked is kept", "TestAValueWhoseOnDropPanicsIsNotUsedAgain", 0, in("pool.go",
		"\ts.Value, s.Todo = nil, clean\n\ts.Dropped.Store(s.Dropped.Load() + 1)\n\tif p.options.OnDrop != nil {\n\t\tp.options.OnDrop(x)\n\t}\n", "\tif p.options.OnDrop != nil {\n\t\tp.options.OnDrop(x)\n\t}\n\ts.Value, s.Todo = nil, clean\n\ts.Dropped.Store(s.Dropped.Load() + 1)\n")},
	{"a cell never forgets what was reclaimed", "internal/slots.TestACellForgetsWhatWasReclaimed", 0, in(cell,
		"\tc.prune()\n\tc.retired = append", "\tc.retired = append")},
	{"a container that was dropped is not reported", "TestAContainerThatIsDroppedWithAValueIsReported", 0, in("container.go",
		"\tc.watch()\n", "")},
	{"a container that was dropped empty is reported", "TestAContainerThatIsDroppedWithoutAValueIsNotReported", 0, in("dropped.go",
		"if tr == nil || !w.full.Load() {", "if tr == nil {")},
	{"a container is full for ever", "TestAContainerThatIsDroppedWithoutAValueIsNotReported", 0, in(cell,
		"c.Full.Store(!s.fixed)", "c.Full.Store(true)")},
	{"a container that was emptied once is empty for ever", "TestAContainerThatIsFilledAgainAfterClearIsReported", 0, in(cell,
		"if c.Full != nil {", "if c.Full != nil && c.number < 3 {")},
	{"a dropped container keeps its pool", "TestAContainerThatIsDroppedWithItsPoolIsNotReported", 0, in("dropped.go",
		"\ttracer weak.Pointer[tracer]\n", "\ttracer *tracer\n", "weak.Make(c.pool.tracer)", "c.pool.tracer",
		"tr := w.tracer.Value()", "tr := w.tracer", "\t\"weak\"\n", "")},
	{"a Pool does not ask its options for its shards", "TestAPoolHasTheShardsThatItsOptionsSay", 0, in("pool.go",
		"slots.Shards(o.Shards)", "slots.Shards(0)")},
	{"poolswap has one shard", "poolswap.TestAPoolHasEightShardsForEachProcessor", 0, in(compat,
		"slots.NewAnyShard(slots.Shards(0), 0)", "slots.NewAnyShard(1, 0)")},
	{"poolswap keeps all free objects", "poolswap.TestFreeObjectsBeyondOneForEachProcessorAreDropped", 0, in(compat,
		"if c.pool.table.Len() > c.pool.keep+1 {", "if false {")},
	{"poolswap looks for free objects too late", "poolswap.TestFreeObjectsBeyondOneForEachProcessorAreDropped", 0, in(compat,
		"if c.pool.table.Len() > c.pool.keep+1 {", "if c.pool.table.Len() > c.pool.keep+2 {")},
	{"poolswap keeps one free object too few", "poolswap.TestFreeObjectsBeyondOneForEachProcessorAreDropped", 0, in(compat,
		"c.pool.table.Tidy(c.pool.keep, c.pool.drop)", "c.pool.table.Tidy(c.pool.keep-1, c.pool.drop)")},
	{"poolswap knows an object that it has dropped", "poolswap.TestFreeObjectsBeyondOneForEachProcessorAreDropped", 0, in(compat,
		"\tPT(s.Value).ref().slot = nil\n", "")},
	{"poolswap keeps what Get returns", "poolswap.TestAnObjectThatGetReturnedAndNobodyKeptIsCollected", 0, in(compat,
		"\ts.Value = nil // if the caller forgets the object, it can be collected\n", "")},
}
