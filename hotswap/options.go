package hotswap

import "fmt"

// ResetTime is when a used value is reset.
type ResetTime uint8

const (
	// OnGet resets a value when a writer gets it: the writer pays, and readers
	// never do. Until then the value keeps alive what it refers to.
	OnGet ResetTime = iota
	// OnRelease resets a value as soon as its last reader leaves, in that
	// reader's Release, or in the Update that found none. It is for values that
	// hold secrets, or keep much else alive.
	OnRelease
)

// Options say how a Pool makes, cleans and keeps its values.
type Options[T any] struct {
	// Name, if it is not empty, puts the pool on the list of [All], and is how
	// statistics and package pooltest call it. Names need not differ.
	Name string

	// New makes a value when there is no free one. It is required and must not
	// return nil. What it returns is not reset before its first use.
	New func() *T

	// Reset makes a used value ready for a writer, and returns whether it is fit
	// for that: false drops it. Nil keeps the contents: the writer gets them as
	// they were published last. If Reset panics, so does the call that it ran
	// in, and the value is dropped.
	Reset func(*T) bool

	// ResetOn is when Reset runs.
	ResetOn ResetTime

	// Keep is how many free values are kept for writers, whatever the garbage
	// collector does: 0 means 1, and -1 none. With several concurrent writers,
	// one each saves making new values.
	Keep int

	// MaxLive bounds the number of values that exist: drafts, current ones, those
	// that readers still hold, and free ones. Get waits when it is reached. It
	// must be greater than the number of Containers: each has a current
	// value while another is written. 0 means no bound; 1 would never allow an
	// update and is refused.
	MaxLive int

	// Shards is over how many cache lines the counts of readers are spread. It
	// is rounded up to a power of 2, at most 512; 0 means 8 for each processor
	// that GOMAXPROCS allows when the pool is made. Each takes 128 bytes for 16
	// values, and each update reads all.
	Shards int

	// OnDrop is called with each value that the Pool gives up, to close what it
	// holds. It runs in a writer's call (Get, Update, Trim, Close), never in a
	// reader's. A value that was released too often is not passed: it may
	// still be in use.
	OnDrop func(*T)

	// Trace records each holder, with its stack, for Outstanding, the
	// errors of waiting calls, and the report of a second Release. Each Acquire
	// then allocates, and takes a lock that all share. Without it, it costs one
	// branch. In the checked build (-tags poolproofdebug) it is always on.
	Trace bool
	// OnLeak is told, with Trace, of each Ref, Reader and Draft that was dropped
	// without a Release or Discard, and of each Container that was dropped with a
	// current value while its Pool is still in use. The value stays held: the
	// goroutine that dropped the Ref may still be using what it got from it. OnLeak
	// runs on a goroutine of the runtime that must not be kept waiting.
	OnLeak func(Holder)
}

// maxKeep is more values than there can be.
const maxKeep = 1 << 30

// check panics if o makes no sense.
func (o *Options[T]) check() {
	switch {
	case o.New == nil:
		panic("hotswap: Options.New is nil; it must be a function that makes a value")
	case o.ResetOn > OnRelease:
		panic(fmt.Sprintf("hotswap: Options.ResetOn is %d; it must be OnGet or OnRelease", o.ResetOn))
	case o.Keep < -1:
		panic(fmt.Sprintf("hotswap: Options.Keep is %d; it must be a number of values, 0 for 1, or -1 for none", o.Keep))
	case o.MaxLive < 0:
		panic(fmt.Sprintf("hotswap: Options.MaxLive is %d; it must be at least 2, or 0 for no bound", o.MaxLive))
	case o.MaxLive == 1:
		panic("hotswap: Options.MaxLive is 1; it must be at least 2, as an update needs a value beside the current one, or 0 for no bound")
	case o.Shards < 0:
		panic(fmt.Sprintf("hotswap: Options.Shards is %d; it must be at least 1, or 0 for 8 for each processor", o.Shards))
	case o.OnLeak != nil && !o.Trace:
		panic("hotswap: Options.OnLeak needs Options.Trace, which is false")
	}
}
