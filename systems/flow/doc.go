// Package flow runs a stream of values, and of the errors among them, through
// stages: a pipeline with the cost of a loop.
//
//	lines := flow.FromLines(file)
//	events := flow.Map(lines, parse)                   // func(string) (Event, error)
//	slow := events.Filter(Event.Slow)
//	named := flow.MapOrdered(slow, 8, lookup)          // func(context.Context, Event) (Row, error)
//
//	err := named.Each(ctx, func(r Row, err error) error {
//		if err != nil {
//			log.Print(err) // one item failed, here, between its neighbours
//			return nil     // and the stream goes on
//		}
//		return store(r) // an error ends the stream
//	})
//
// # What holds for every stream
//
//   - The end of the context, a break, or an error of the sink is seen within the item
//     that a function works on, or within a millisecond of work, whichever is later: by
//     sources, by all stages, by workers and by sinks. The sink then returns the cause of
//     the context's end. What the stages still hold is dropped.
//   - A value waits for others at most a millisecond: at a source that falls silent and in
//     a stage that becomes slow. Batches are large where values come fast and small where
//     they come slowly; there is nothing to tune.
//   - A fatal error of a source comes after everything that the source had before it, also
//     what a [Batch] or a [Window] holds.
//   - Values that a stage or a sink hands over are the receiver's, unless the source's name
//     ends in Lent ([FromReaderLent]).
//   - When a sink returns, all goroutines of its run have ended.
//
// The millisecond is that of the Go scheduler: where functions keep all processors of the
// program busy, it may come up to ten milliseconds late. No function can be interrupted:
// one that waits for an hour without its context holds up the end for that hour.
//
// # What a Stream is
//
// A [Stream] is a description. Nothing runs until a sink is called: [Stream.Each],
// [Stream.EachParallel], [Stream.All], [Stream.Collect], [Stream.First],
// [Stream.SendTo], [Stream.WriteTo], [Reduce] or [MapReduce]. A sink returns when the stream has ended and all
// goroutines of the run with it, whether the stream ended by itself, by an error,
// by a break, by a panic, or by its context. A Stream may be shared and run any
// number of times, also at once, if its source may; sources say so.
//
// # Errors
//
// There are two kinds. An item error concerns one item: a user's function
// returned it, or panicked ([PanicError]), or the source had it in this place. It
// travels in the place of the item that failed, in order with the values, until a
// sink or [Stream.Recover] gets it; the stream goes on. A fatal error ends the
// stream: the context ended, the source cannot go on, or the sink's own function
// returned an error. The sink returns it.
//
// [Stream.Each] and [Stream.All] hand over item errors and go on. The sinks with
// nowhere to put them ([Stream.Collect], [Stream.First], [Stream.SendTo],
// [Stream.WriteTo], [Reduce]) stop at the first one and return it, as a loop would.
// A user's function that returns [Drop] leaves its item out.
//
// # Goroutines
//
// Stages are fused: all run on the goroutine of the sink, a batch of values at a
// time. Goroutines begin where the program says so:
//
//   - [Stream.Async] lets what comes before it run ahead, by a bounded number of
//     batches.
//   - [MapOrdered], [FilterOrdered], [FlatMapOrdered], their unordered forms,
//     [Stream.EachParallel] and [MapReduce] call a slow function on several goroutines.
//   - [Merge], [Zip], [Tee], [Split], [Window], [WindowBy] and [Sessions] need them.
//   - [FromSeq], [FromSeq2] and [FromFunc] run their function on one, so that what it has
//     yielded is passed on while it waits.
//
// So a function given to a stage is called by one goroutine at a time in each
// run, except those that several workers call. [Describe] shows what runs
// where:
//
//	1: lines of *os.File
//	   map main.parse
//	   filter main.Event.Slow
//	   → 2
//	2: map in order, 8 goroutines, main.lookup
//	   → the sink
//
// # Batches
//
// A source sends batches of up to 256 values ([DefaultSize]; [Stream.Size] sets another).
// What a batch leads to is sent before the next batch is asked for. A source that can tell
// when it would block ([FromChan], [FromReader], [FromLines]) sends what it has before it
// does. The others send what was yielded when there is a batch, or after a millisecond;
// while values come slowly each is sent at once.
//
// A stage whose function takes long sends what it has each millisecond, within an item. So
// [Stream.First] and [Stream.Take] call a function that takes a millisecond or more no
// oftener than a loop would; of a function that takes microseconds they may call up to a
// millisecond's worth in advance. Size(1) calls none in advance.
//
// # Memory
//
// A stage writes to a batch of its own, which it uses again when the stages after
// it have returned; batches that cross to another goroutine are recycled through a
// bounded list. So a run allocates when it starts, and then nothing for an item
// but what the user's functions allocate. Batches are cleared before they are used
// again if their values hold pointers: no value is kept alive by a batch that has
// been through.
//
// Values that sinks hand over are the caller's. The exception is [FromReaderLent], whose
// tokens are slices of a buffer that is read into again. Its stream knows that, through Map
// and FlatMap too: stages and sinks that keep values copy them, or panic when the pipeline
// is made if they cannot. The dst of [FlatMap] must not be kept.
//
// With -tags poolproofdebug batches are filled with 0xDD, or cleared if their
// values hold pointers, as soon as they may be used again, and none is used again:
// a function that kept one reads 0xDD or zero values.
//
// # When not to use it
//
//   - One loop over one slice is a loop. A filter and a map over values that cannot
//     fail are an iter.Seq.
//   - A fixed number of tasks with one error for all is an errgroup.
//   - Values one at a time with the lowest latency are a channel.
//
// The package pays for a program with two or more of these: errors that must not end
// the stream, a second goroutine, a limit, a window, a retry.
//
// Left out are sources and sinks for formats and protocols: a csv.Reader, a
// sql.Rows or an http.Response is five lines of [FromFunc] (the examples show an
// HTTP API). Nor does it distribute work over machines: use a queue and run a flow
// at each end.
package flow
