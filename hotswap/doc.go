// Package hotswap replaces a large shared value while others read it, and uses
// its memory again once the last reader has left.
//
//	pool := hotswap.NewPool(hotswap.Options[Index]{
//		New:   newIndex,
//		Reset: func(x *Index) bool { x.Clear(); return true },
//	})
//	index := hotswap.New(pool)
//
//	// a writer
//	draft := pool.Get() // an old Index, cleared, or a new one
//	draft.Value().Load(file)
//	err := index.Update(&draft)
//
//	// a reader
//	ref := index.Acquire()
//	defer ref.Release()
//	if ref.Ok() {
//		ref.Value().Find(key)
//	}
//
// Readers take no lock. They are counted in shards, so that readers on different
// processors seldom write the same memory. The values alternate: with one writer
// there are two of them, whatever the garbage collector does, and more only while
// readers hold old ones.
//
// # Memory model
//
// In the terms of the Go memory model, [Container.Update] with a draft synchronizes
// before each [Container.Acquire] and [Reader.Load] that returns its value: the
// reader sees all that the writer wrote. The last [Ref.Release] of a value
// synchronizes before the [Pool.Get] that returns the value to a writer: the writer
// comes after all reads. [Container.RCU], [Delta.Update] and UpdateIf are Updates
// in this sense.
//
// # When not to use it
//
//   - If the old values may be garbage, use atomic.Pointer: a read of it costs
//     one load, which an Acquire and a Release cannot match, and nothing can be
//     released too late. A Reader comes close.
//   - If the value is small (some cache lines) and written in more than a few per
//     cent of the operations, use sync.RWMutex and change it in place. So too if
//     readers may wait for as long as a change takes.
//   - If each value takes long to fill, no container makes the program faster.
//     This one then saves memory, and work of the collector.
//
// A container needs the memory of two values, the current one and the free one,
// and the collector marks both.
//
// # From atomic.Pointer and sync.Pool
//
// This package replaces an atomic.Pointer whose old values go to a sync.Pool: there a
// writer gets a value that readers are still using. Call by call:
//
//	x := current.Load(); use(x)             ref := c.Acquire(); use(ref.Value()); ref.Release()
//	                                        or c.Do(use), or a Reader's Load
//	x := p.Get().(*T)                       draft := pool.Get(); x := draft.Value()
//	old := current.Swap(x); p.Put(old)      c.Update(&draft)
//	current.CompareAndSwap(old, x)          c.UpdateIf(&ref, &draft), or c.RCU for the loop
//	current.Store(nil)                      c.Clear()
//
// A [Pool] here is no sync.Pool: the collector takes nothing from it, and it hands out
// only what has no reader. The proposed sync/v2 (golang/go#71076) has a typed
// sync.Pool and nothing of this kind. The zero Pool and the zero Container cannot be
// used: a value has to come from somewhere, and a container has a pool.
//
// # Reading
//
// Acquire and Release are for a request or a call; Do is the pair in one, and
// cannot be forgotten. A Reader is for a goroutine that reads all the time: it
// keeps its hold, and a Load is one atomic load as long as nothing is published.
// Map turns a hold on the value into one on a part of it. None of them allocates.
//
// # Writing
//
//   - Get, fill, Update: a new value. Of several writers the last one wins.
//   - UpdateIf publishes only in place of the value that the writer has seen.
//   - RCU makes the next value from the current one, and loses no update. It
//     builds again if an Update comes between, and gives up with ErrOvertaken
//     after 32 builds in vain.
//   - Delta makes small changes to a large value, in time that grows with the
//     change.
//
// A draft that turns out wrong is discarded, and readers keep what they have:
//
//	draft := pool.Get()
//	defer draft.Discard() // does nothing after Update
//	if err := draft.Value().Load(file); err != nil {
//		return err
//	}
//	return index.Update(&draft)
//
// # What is kept, and for how long
//
// The pool keeps Options.Keep free values, one if nothing is said, as long as it
// lives: the collector does not take them, as it does from a sync.Pool. The next
// writer drops the free values beyond that, and Trim drops all of them. OnDrop is
// called for each.
// Synchronize waits until what was replaced has no reader; Close of a Container,
// then of the Pool, ends both in order, and returns when all values are dropped.
//
// A Container that is dropped without Close or Clear keeps its current value from
// the pool for ever. A program that makes containers and drops them closes each:
// Stats.Live rises without end if it forgets to. With Options.Trace, and so in the
// checked build, such a container is found once the garbage collector has taken it:
// OnLeak, [Pool.Outstanding] and package pooltest show the stack of its New. One
// that is dropped together with its pool harms nothing, and is not reported.
//
// # Ownership
//
// A Draft is its writer's alone, until Update publishes it or Discard gives it
// back. A Ref is a hold on a published value, which does not change until the Ref
// is released. Pointers, slices and maps that were reached through either must not
// be used after that: the next writer changes them. `poolproof vet` finds such a use
// within a function, `poolproof test` and the race detector while tests run.
//
// Guards (Draft, Ref, Reader) are values that are not allocated and must not be
// copied. go vet reports most copies: assignments, arguments, results, ranges. It
// misses a Ref that is sent on a channel, and one that is overwritten and so
// forgotten. To hand a Ref on, move it into a struct and pass a pointer:
//
//	requests <- &request{config: ref.Move()}
//
// # Forgotten holds
//
// A Ref that is never released keeps its value from being used again. [Pool.Stats]
// tells how many holds there are, and how long the oldest replaced value has been
// waiting. Options.MaxLive bounds the number of values, and makes writers wait
// instead. Options.Trace records all holders: [Pool.Outstanding] lists them with
// their stacks, the errors of calls that wait in vain name them, and Options.OnLeak
// is called for guards, and for containers with a value, that were dropped.
//
// # Misuse
//
//   - Update with a draft that was used before: ErrUsed. With one of another pool:
//     ErrForeign. After Close: ErrClosed.
//   - Release of a released Ref: nothing, if it is the same variable. By a copy:
//     a panic, if the value has been used again or no other hold is counted in the
//     same shard. Else it ends the hold of another reader, whose own Release
//     panics; until then a writer may get the value that this one reads. If it
//     did not yet, the value is never used again. With Trace the second Release
//     panics itself, in any case, with the stacks of all three calls.
//   - A zero or copied Container, Pool or Delta: a panic that says so. The zero
//     Ref holds nothing, the zero Draft is used up; the zero Reader cannot Load.
//   - A panic of Options.New, Reset or OnDrop: the call that it ran in panics, and
//     the pool is sound.
//   - A writer that holds a Ref and waits for a free value may wait for itself:
//     the error of GetContext says so.
//
// # The checked build
//
// With -tags poolproofdebug, Trace is always on, and a value is emptied while it is
// free: its contents are taken aside and put back for its next writer. It is used
// again only when 8 others have become free after it, or when MaxLive leaves no
// other: until then a late reader sees the zero T. So there are up to 8 values more
// in this build, and a [Delta] clones each time. A late write panics in the next Get,
// with the stacks of the last writer's Get, of the call that made the value free, and
// of the call that found the write; package pooltest reports it too. `poolproof test`
// finds a late reader and a late writer where they are, with the same wait. Both
// watch the T itself, its fields and arrays. Under `poolproof test`, slices that Reset
// leaves empty with capacity, x.rows = x.rows[:0], get other memory of that capacity,
// and what they had is free for good: so a late reader of a slice that the next writer
// fills again is found as soon as a writer could have had the value.
//
// The checked build also sums up each value when it is published and when it becomes
// free, with the elements of its slices and maps, and compares. So it finds a value
// that was written while it was current or read: by its writer after Update, by a
// reader, by an RCU whose next value shares a slice with the current one. The next
// Update, Clear, Close or Get panics, with the stacks of the writer's Get and Update.
// It does not look at what a pointer, an interface, a channel or a function leads to,
// nor into a struct with a field of package sync or sync/atomic, which looks after
// itself: so a counter in a published value has a type of sync/atomic. Of a very
// large value it sums up a part. A late reader of a map is not seen by either, nor one
// of a slice that Reset does not leave empty.
//
// # Proof
//
// The protocol is in hotswap/internal/slots, with its invariants and why they
// hold. Its source, this package included, is run through every schedule with up
// to 3 preemptions of a set of scenarios (hotswap/internal/explore), and changed
// in each way that is known to break it, to see that this is noticed. A model of
// it is checked by spin. docs/hotswap.md says more, and what is not shown.
package hotswap
