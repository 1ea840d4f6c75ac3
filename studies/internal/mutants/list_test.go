package mutants

import "github.com/poolproof/poolproof/internal/mutate"

// mutant is an arm that is no longer what its study says.
type mutant struct {
	study  string // its folder
	name   string
	killer string // the test of the study that notices it
	edits  []mutate.Edit
}

// of returns the mutants of one study, each with its name, the test
// that notices it, the file in the study's folder, and the change.
func of(study string, ms ...mutant) []mutant {
	for i := range ms {
		ms[i].study = study
		for j := range ms[i].edits {
			ms[i].edits[j].File = study + "/" + ms[i].edits[j].File
		}
	}
	return ms
}

func change(name, killer, file string, texts ...string) mutant {
	return mutant{name: name, killer: killer, edits: mutate.In(file, texts...)}
}

// mutants are at least one of each arm.
var mutants = concat(
	of("flatmap-slices",
		change("make: slices come from a frame", "TestPipelineCountersAreExact", "make.go", "newSlice[Result[OUT]](len(values))", "inFrame(make([]Result[OUT], Frame), len(values))"),
		change("pool: never hit", "TestPipelineCountersAreExact", "pool.go", "slices.Put(results)", "_ = slices"),
		change("pool: keeps what the items refer to", "TestNoArmKeepsWhatItHasSent", "slices.go", "clear(*s)", "_ = s"),
		change("syncpool: never hit", "TestPipelineCountersAreExact", "syncpool.go", "slices.Put(results)", "_ = slices"),
		change("syncpool: keeps what the items refer to", "TestNoArmKeepsWhatItHasSent", "syncpool.go", "empty(results)", "*results = (*results)[:0]"),
		change("iterslice: the loop does not note that it was left", "TestPipelineCountersAreExact", "iterslice.go", "cancelled = true\n", ""),
		change("iterslice: sends nothing after the first", "TestAllArmsSendWhatAPlainLoopMakes", "iterslice.go", "if !yield(Ok(v)) {\n\t\t\treturn\n\t\t}", "yield(Ok(v))\n\t\treturn"),
		change("flowslice: the user's slice is cut", "TestStreamsSendWhatAPlainLoopMakes", "flow.go", "return flow.FlatMapSlice(in, f)\n}", "return flow.FlatMapSlice(in, func(x IN) ([]OUT, error) { s, err := f(x); return s[:min(len(s), 1)], err })\n}"),
		change("flowasync: no boundary", "TestOnlyTheAsyncArmHasGoroutinesOfItsOwn", "flow.go", "flow.FlatMap(in.Async(asyncDepth), f).Async(asyncDepth)", "flow.FlatMap(in, f)"),
		change("flowmapper: an empty result is an error", "TestStreamsSendWhatAPlainLoopMakes", "flow.go", "return results.FlatMap(f).Apply(in)", "return results.FlatMap(func(x IN) ([]OUT, error) { s, err := f(x); return s[len(s)/2:], err }).Apply(in)"),
		change("flow: sentinels are errors", "TestStreamsSendWhatAPlainLoopMakes", "flow.go", "if r.sentinel {", "if r.sentinel && r.err == nil {"),
		change("flow: a slice for each input", "TestStreamCountersAreExact", "flow.go", "return flow.FlatMap(in, f)\n", "return flow.FlatMapSlice(in, func(x IN) ([]OUT, error) { return f(nil, x) })\n"),
		change("scratch: a new slice each time", "TestPipelineCountersAreExact", "scratch.go", "scratch = values", "scratch = nil"),
		change("stack: the frame is too small", "TestIsolatedCountersAreExact", "slices.go", "n <= len(frame)", "n < len(frame)"),
		change("direct: makes results", "TestPipelineCountersAreExact", "direct.go", "out.sendValues(values)", "results := newSlice[Result[OUT]](len(values))\n\t\t\tfor i, v := range values {\n\t\t\t\tresults[i] = Ok(v)\n\t\t\t}\n\t\t\tout.sendAll(results)"),
		change("iter: sends nothing after the first", "TestAllArmsSendWhatAPlainLoopMakes", "iter.go", "if !o.send(Ok(v)) {\n\t\t\tbreak\n\t\t}", "o.send(Ok(v))\n\t\tbreak"),
		change("iterlib: an error is lost", "TestAllArmsSendWhatAPlainLoopMakes", "iterlib.go", "yield(Err[OUT](in.err))", "_ = in.err"),
	),
	of("ordered-json",
		change("grow: presized", "TestCountersAreExact", "grow.go", "var out bytes.Buffer\n\tif err := writeOrdered", "var out bytes.Buffer\n\tout.Grow(d.source)\n\tif err := writeOrdered"),
		change("pool: never hit", "TestThePoolKeepsSmallBuffersOnly", "pool.go", "b.Cap() <= keptSize", "b.Cap() < 0"),
		change("pool: large buffers are kept", "TestThePoolKeepsSmallBuffersOnly", "pool.go", "b.Cap() <= keptSize", "b.Cap() > 0"),
		change("pool: the copy is left out", "TestArmsAgree", "pool.go", "writeOrdered(out, d.root, d.values); err != nil {\n\t\treturn nil, err\n\t}\n\treturn bytes.Clone(out.Bytes()), nil", "writeOrdered(out, d.root, d.values); err != nil {\n\t\treturn nil, err\n\t}\n\tdefer bytes.Clone(nil)\n\treturn out.Bytes(), nil"),
		change("pool: the indented copy is left out", "TestResultsAreTheCallers", "pool.go", "json.Indent(out, compact, \"\", indent); err != nil {\n\t\treturn nil, err\n\t}\n\treturn bytes.Clone(out.Bytes()), nil", "json.Indent(out, compact, \"\", indent); err != nil {\n\t\treturn nil, err\n\t}\n\treturn out.Bytes(), nil"),
		change("presized: not presized", "TestCountersAreExact", "presized.go", "out.Grow(d.source)", "_ = d.source"),
		change("presized: the indented form is not", "TestCountersAreExact", "presized.go", "out.Grow(indentedShare * len(compact))", "_ = indentedShare"),
		change("lease: a new buffer each time", "TestALeaseEndsWithTheNextCall", "lease.go", "l.compact.Reset()", "l.compact = bytes.Buffer{}"),
		change("lean: not presized", "TestCountersAreExact", "lean.go", "make([]byte, 0, d.source)", "[]byte(nil)"),
		change("sorted: in the order of the source", "TestSortedHasTheSameValuesInAnotherOrder", "sorted.go", "return json.Marshal(d.values)", "b, err := Grow(d); _, _ = json.Marshal(nil); return b, err"),
	),
	of("ordered-json-encoder",
		change("marshal: pooled", "TestOnlyThePoolMakesABufferAfterCollections", "encoding.go", "return json.Marshal(v)", "return Pool{}.Encode(v)"),
		change("pool: never hit", "TestThePoolKeepsSmallBuffersOnly", "encoding.go", "b.Cap() <= keptSize", "b.Cap() < 0"),
		change("pool: the copy is left out", "TestResultsAreTheCallers", "encoding.go", "return bytes.Clone(bytes.TrimSuffix(b.Bytes(), []byte(\"\\n\"))), nil", "return bytes.TrimSuffix(b.Bytes(), []byte(\"\\n\")), nil"),
	),
	of("ordered-json-walker",
		change("new: one context for all", "TestAKeptContextIsRightUnlessItIsPooled", "new.go", "func newContext(c Context) *Context { return &c }", "var one Context\n\nfunc newContext(c Context) *Context { one = c; return &one }"),
		change("pool: never hit", "TestAKeptContextIsRightUnlessItIsPooled", "pool.go", "contexts.Put(lent)", "_ = contexts"),
		change("pool: a context is not reset", "TestThePoolHoldsEmptyContextsOnly", "pool.go", "*c = Context{}", "c.Method = \"\""),
		change("value: leaves on the heap", "TestCountersAreExact", "value.go", "func Value(", "var last *Context\n\nfunc Value(", "func(c Context) Context { return c }", "func(c Context) Context { last = newContext(c); return *last }"),
	),
	of("ordered-json-templates",
		change("new: presized", "TestCountersAreExact", "new.go", "var out bytes.Buffer", "var out bytes.Buffer\n\tout.Grow(mediumSize)"),
		change("pool: never hit", "TestThePoolsKeepWhatTheBuffersHaveGrownTo", "pool.go", "b.Cap() <= keptSize", "b.Cap() < 0"),
		change("pool: the copy is left out", "TestTheSourceIsNobodyElsesWhileItIsFinished", "pool.go", "return bytes.Clone(out.Bytes()), nil", "return out.Bytes(), nil"),
		change("lend: copies", "TestCountersAreExact", "lend.go", "return finish(out.Bytes())", "return finish(append([]byte(nil), out.Bytes()...))"),
		change("split: the client takes its buffer from the pool, too", "TestCountersAreExact", "split.go", "if p != Types {", "if p == Server {"),
		change("tiers: one tier", "TestTheTierIsThatOfTheNumberOfOperations", "tiers.go", "operations < 10", "operations < 1000"),
	),
	of("hot-swap",
		change("counted: the pool is never hit", "TestTablesMadeForFiftyUpdates", "counted.go", "c.free.Put(t)", "_ = t"),
		change("counted: a table is not emptied", "TestFillGetsAnEmptyTable", "counted.go", "t.Reset()", "t.Version = 0"),
		change("counted: a reader does not count", "TestReadersSeeWhatWasFilledLast", "counted.go", "t.count.Add(1)", "t.count.Add(0)"),
		change("atomic: one table for ever", "TestReadersSeeWhatWasFilledLast", "atomic.go", "t := &Table{}", "t := a.current.Load()\n\tif t == nil {\n\t\tt = &Table{}\n\t}"),
		change("rwmutex: one table for ever", "TestReadersSeeWhatWasFilledLast", "rwmutex.go", "t := &Table{}", "t := r.current\n\tif t == nil {\n\t\tt = &Table{}\n\t}"),
		change("inplace: a new table", "TestAReplacementAllocatesATableOrNothing", "inplace.go", "p.table.Reset()", "p.table = Table{}"),
		change("inplace: what was there stays", "TestReadersSeeWhatWasFilledLast", "inplace.go", "p.table.Reset()", "p.table.Version = 0"),
		change("hotswap: a table is not emptied", "TestFillGetsAnEmptyTable", "hotswap.go", "{ t.Reset(); return true }", "{ return true }"),
		change("hotswap: tables are thrown away", "TestTablesMadeForFiftyUpdates", "hotswap.go", "{ t.Reset(); return true }", "{ t.Reset(); return false }"),
	),
	of("mdns-receive",
		change("make: one buffer", "TestOwnedPacketsDoNotChangeAfterDelivery", "make.go", "buf := newBuffer()\n\tn, src", "buf := one\n\tn, src", "func newBuffer() []byte { return make([]byte, BufferSize) }", "func newBuffer() []byte { return make([]byte, BufferSize) }\n\nvar one = newBuffer()"),
		change("pool: never hit", "TestDrainCountersAreExact", "pool.go", "p.buffers.Put(buf)", "_ = buf"),
		change("pool: the copy is left out", "TestArmsAgree", "pool.go", "data := bytes.Clone((*buf)[:n])", "data := (*buf)[:n]\n\t_ = bytes.Clone(nil)"),
		change("pool: nothing is cleared", "TestPooledBuffersAreCleanedAsTheArmSays", "pool.go", "func clearAll(buf []byte, _ int) { clear(buf) }", "func clearAll(buf []byte, _ int) {}"),
		change("noclear: clears", "TestPooledBuffersAreCleanedAsTheArmSays", "pool.go", "func clearNothing([]byte, int) {}", "func clearNothing(buf []byte, _ int) { clear(buf) }"),
		change("used: clears what was not used", "TestCleaningTouchesNoMoreThanTheArmSays", "pool.go", "clear(buf[:used])", "clear(buf)"),
		change("used: clears nothing", "TestPooledBuffersAreCleanedAsTheArmSays", "pool.go", "clear(buf[:used])", "clear(buf[:0])"),
		change("fixed: a buffer a packet", "TestLentPacketsAreOverwrittenByLaterOnes", "fixed.go", "n, src, ifIndex, err := f.c.ReadFrom(f.buf)", "f.buf = newBuffer()\n\tn, src, ifIndex, err := f.c.ReadFrom(f.buf)"),
		change("locked: no lock", "TestManyReceiversGetEveryPacketIntact", "fixed.go", "l.mu.Lock()\n\tdefer l.mu.Unlock()\n", ""),
		change("msg: copies", "TestLentPacketsAreOverwrittenByLaterOnes", "msg.go", "return Packet{Data: m.buf[:n], Src: src, IfIndex: ifIndex}, err", "return Packet{Data: bytes.Clone(m.buf[:n]), Src: src, IfIndex: ifIndex}, err"),
		change("copy: the copy is left out", "TestOwnedPacketsDoNotChangeAfterDelivery", "msg.go", "p.Data = bytes.Clone(p.Data)", "_ = bytes.Clone(nil)"),
		change("counted: the pool is never hit", "TestLentPacketsAreOverwrittenByLaterOnes", "counted.go", "owned.Put(o)", "_ = owned"),
		change("counted: released at once", "TestCountedPacketsAreValidUntilTheLastRelease", "counted.go", "if o.owners.Add(1) < 2 {", "if o.owners.Add(0) < 1 {"),
		change("docmake: one buffer", "TestOwnedPacketsDoNotChangeAfterDelivery", "document.go", "buf := newBuffer()\n", "buf := one\n", "type DocMake struct", "type DocMake struct", "// DocPool is", "var one = newBuffer()\n\n// DocPool is"),
		change("docpool: never hit", "TestDrainCountersAreExact", "document.go", "data := bytes.Clone((*buf)[:n])\n\tcleared.put(buf, n)", "data := bytes.Clone((*buf)[:n])"),
		change("docpool: the copy is left out", "TestOwnedPacketsDoNotChangeAfterDelivery", "document.go", "data := bytes.Clone((*buf)[:n])", "data := bytes.TrimPrefix((*buf)[:n:n], nil)"),
		change("transport: a packet is never released", "TestDrainCountersAreExact", "transport.go", "defer o.Release()", "_ = o.Release"),
		change("transport: released at once", "TestArmsAgree", "transport.go", "defer o.Release()", "o.Release()"),
		change("recvmmsg: the room is not told anew", "TestRecvmmsgTellsTheKernelItsRoomAnew", "recvmmsg_linux.go", "r.data[i*BufferSize:][:m.Len]", "r.data[0*BufferSize:][:m.Len]"),
		change("querier: no context of its own", "TestDrainCountersAreExact", "pool.go", "\tctx, cancel := context.WithTimeout(ctx, poll)\n\tdefer cancel()\n", "\t_ = poll\n"),
		change("readbatch: one packet at a time", "TestABatchReceivesManyPacketsInOneCall", "readbatch.go", "min(batch, n-took)", "min(1, n-took)"),
	),
	of("ordered-json-lent",
		change("fresh: starts empty", "TestCountersAreExact", "forms.go", "b := bytes.NewBuffer(make([]byte, 0, size))\n\twrite(b)", "b := new(bytes.Buffer)\n\twrite(b)"),
		change("pool: never hit", "TestCountersAreExact", "forms.go", "buffers.Put(b)", "_ = b"),
		change("pool: every other time a new buffer", "TestCountersAreExact", "forms.go", "\tbuffers.Put(b)", "\tif odd = !odd; odd {\n\t\tbuffers.Put(b)\n\t}", "var buffers = pool.New", "var odd bool\n\nvar buffers = pool.New"),
		change("pool: a buffer is not emptied", "TestFormsAgree", "forms.go", "Reset: (*bytes.Buffer).Reset", "Reset: func(*bytes.Buffer) {}"),
		change("zero: starts with 4 KiB", "TestCountersAreExact", "forms.go", "var b bytes.Buffer\n", "var b bytes.Buffer\n\tb.Grow(size)\n"),
	),
	of("ordered-json-published",
		change("fresh: allocates", "TestThePublishedFormDoesNotAllocate", "forms.go", "b := bytes.NewBuffer(make([]byte, 0, size))\n\tb.WriteString", "b := escape(bytes.NewBuffer(make([]byte, 0, size)))\n\tb.WriteString", "var buffers = pool.New", "var kept *bytes.Buffer\n\nfunc escape(b *bytes.Buffer) *bytes.Buffer { kept = b; return b }\n\nvar buffers = pool.New"),
		change("pool: never hit", "TestThePoolGivesTheSameBufferAgain", "forms.go", "buffers.Put(b)", "_ = b"),
		change("pool: a buffer is not emptied", "TestFormsAgree", "forms.go", "Reset: (*bytes.Buffer).Reset", "Reset: func(*bytes.Buffer) {}"),
		change("zero: starts with 4 KiB", "TestThePublishedFormDoesNotAllocate", "forms.go", "var b bytes.Buffer\n", "var b bytes.Buffer\n\tb.Grow(size)\n"),
	),
	of("ordered-json-library",
		change("grow: presized", "TestCountersAreExact", "arms.go", "var out bytes.Buffer\n", "var out bytes.Buffer\n\tout.Grow(pooledSize)\n"),
		change("pool: never hit", "TestCountersAreExact", "arms.go", "b.Cap() <= keptSize", "b.Cap() < 0"),
		change("pool: the copy is left out", "TestResultsAreTheCallers", "arms.go", "return bytes.Clone(out.Bytes())", "return bytes.TrimSpace(out.Bytes())"),
		change("exact: copies", "TestCountersAreExact", "arms.go", "{ return d.JSON() }", "{ return bytes.Clone(d.JSON()) }"),
		change("lease: a new slice each time", "TestCountersAreExact", "arms.go", "d.AppendJSON(l.out[:0])", "d.AppendJSON(nil)"),
		change("lease: what was there stays", "TestArmsAgree", "arms.go", "d.AppendJSON(l.out[:0])", "d.AppendJSON(l.out)"),
	),
	of("flatmap-published",
		change("make: leaves for the heap", "TestNoFormAllocatesForAnInput", "forms.go", "results := make([]result, fan)\n", "results := make([]result, fan, fan+x%2)\n"),
		change("pool: never hit", "TestNoFormAllocatesForAnInput", "forms.go", "kept.Put(results)", "_ = results"),
		change("direct: makes results", "TestNoFormAllocatesForAnInput", "forms.go", "for i := range fan {\n\t\tout <- flatmapslices.Ok(x*fan + i)", "results := make([]result, x%2+4096)\n\tfor i := range fan {\n\t\tresults[i%len(results)] = flatmapslices.Ok(0)\n\t\tout <- flatmapslices.Ok(x*fan + i)"),
		change("iter: sends nothing after the first", "TestAllFormsSendTheSameResults", "forms.go", "for r := range expand(x) {\n\t\tout <- r\n", "for r := range expand(x) {\n\t\tout <- r\n\t\tbreak\n"),
	),
	of("mdns-published",
		change("make: a packet is cut", "TestBothArmsReceivePackets", "transport.go", "Data: buf[:n], Src", "Data: buf[:n/2], Src"),
		change("pool: a buffer goes back as it is", "TestPooledBuffersGoBackOnceAndCleared", "transport.go", "\tclear(*buf)\n", ""),
		change("pool: never hit", "TestPooledBuffersGoBackOnceAndCleared", "transport.go", "\tbuffers.Put(buf)\n", ""),
	),
	of("hot-swap/practice",
		change("delta: an edit is lost", "TestAllWaysOfChangingEndWithTheSameTable", "change.go", "func(t *hotswap.Table, e Edit) { e.apply(t, keys) }", "func(t *hotswap.Table, e Edit) { e.apply(t, keys[1:]) }"),
		change("reader: no reader of its own", "TestASleepingReaderCostsOneTable", "arm.go", "return reader.Lookup, reader.Release", "return r.Lookup, func() { _ = reader }"),
	),
	of("pool-threshold",
		change("make: a block that stays leaves", "TestABlockThatStaysInItsFunctionIsOnTheStackUpToALimit", "make.go", "m.constant = m.size", "m.constant = 0"),
		change("pool: never hit", "TestAHotUseAllocatesItsBlockOrNothing", "pool.go", "p.blocks.Put(block)", "_ = block"),
		change("syncpool: never hit", "TestAHotUseAllocatesItsBlockOrNothing", "syncpool.go", "p.blocks.Put(block)", "_ = block"),
		change("all: the block is not filled", "TestSizesHaveSumsOfTheirOwn", "block.go", "copy(block, data)", "copy(block, data[:1])"),
	),
	of("buffer-classes",
		change("make: counts no growth", "TestMadeCountsWhatTheRuntimeAllocates", "make.go", "if len(b)+len(p) > cap(b) {\n\t\tm.count++\n\t}\n\treturn append", "return append"),
		change("single: never hit", "TestAWarmPoolAllocatesNothingUnlessItDrops", "single.go", "s.buffers.Put(b)", "_ = b"),
		change("drop64k: drops nothing", "TestDropAbove64KiBMakesEachLargeBufferAgain", "single.go", "newSingle(flight, 64<<10)", "newSingle(flight, 0)"),
		change("classes: never released", "TestAWarmPoolAllocatesNothingUnlessItDrops", "classes.go", "{ b.Release() }", "{ _ = b }"),
		change("reserve: none", "TestOnlyAReserveKeepsBuffersForRareUses", "classes.go", "buffer.Options{Reserve: reserve}", "buffer.Options{Reserve: reserve * 0}"),
	),
	of("arrow-allocators",
		change("recycle: never hit", "TestTheHeapCountersOfAnOperation", "lists.go", "c.free = append(c.free, block)", "_ = c.free"),
		change("recycle: what comes again is not cleared", "TestMemoryIsZeroAlsoWhenItWasUsedBefore", "recycler.go", "if dirty {\n\t\tclear(b)\n\t}", "_ = dirty"),
		change("recycle: grown memory is not cleared", "TestMemoryIsZeroAlsoWhenItWasUsedBefore", "recycler.go", "clear(b[len(b):size])", "_ = b"),
		change("recycle: keeps all", "TestListsKeepNoMoreThanTheirLimit", "lists.go", "> maxHeld", "> 1<<62"),
		change("syncpool: never hit", "TestTheHeapCountersOfAnOperation", "syncpool.go", "p[class].Put(unsafe.SliceData(block))", "_ = unsafe.SliceData(block)"),
		change("offheap: a block is never used again", "TestTheHeapCountersOfAnOperation", "offheap_mmap.go", "s.free[class] = append(s.free[class], b)", "_ = b"),
		change("offheap: on the heap", "TestTheHeapCountersOfAnOperation", "offheap_mmap.go", "m, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)", "m, err := make([]byte, size), error(nil)"),
		change("codec: an encoder a page", "TestOneEncoderServesAllPagesOfAFile", "codec.go", "len(c.free[level]) < maxEncoders", "false"),
	),
)

func concat(lists ...[]mutant) (all []mutant) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}
