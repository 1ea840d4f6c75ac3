package pool

import "fmt"

// Options say how a Pool makes, cleans and keeps its objects, and what it counts.
// The zero value asks for nothing: objects are made by new(T) and kept as they
// are put.
//
// All functions must be safe for concurrent use on different objects, and must
// not keep the object that they are given. If one that Put calls panics, the
// object is not put.
type Options[T any] struct {
	// Name is the pool's name in statistics and reports. A pool with a
	// name is listed by [All] for as long as it is in use. Names should be
	// unique; nothing checks it.
	Name string

	// New makes an object when the pool has none. It must not return nil. Nil
	// means new(T). It cannot fail: what can is made by the owner, in an object
	// that New leaves empty; the example Failing shows how.
	New func() *T

	// Reset is called by Put for an object that is kept, once, before another
	// goroutine can see it. It is the place to cut the object's references to other
	// memory, which the pool would otherwise keep alive, and to remove what the
	// next owner must not read. Nil means that objects are kept as they are
	// put.
	Reset func(*T)

	// Keep is asked by Put, before Reset, whether to keep the object. One that
	// is not kept is dropped and counted. Nil means yes.
	Keep func(*T) bool

	// Size returns the bytes that the object keeps alive, such as the capacity
	// of its buffer. MaxSize and DropUnderused need it, and ask before Reset; with
	// Reserve it makes the reserve's bytes known, and is asked after Reset.
	Size func(*T) int

	// MaxSize drops an object whose Size is greater. 0 means no bound.
	MaxSize int

	// Used returns how many bytes of the object its last owner needed, such as
	// the length of its buffer. DropUnderused needs it, and nothing else asks. It is
	// called before Reset.
	Used func(*T) int

	// DropUnderused drops a large object that has used less than a quarter of its
	// Size in 4 uses running, so that one large use does not stay for ever. An
	// object of up to 4 KiB is always kept. (encoding/json v2 treats its
	// buffers in the same way, and lets one use more pass.)
	//
	// The pool remembers the bad uses of up to 256 objects. With more at a time
	// those of some are forgotten, and those of all every 64 collections, so
	// that some stay longer. A bad use is never counted to an object that the
	// pool made but to the one that had it.
	//
	// The cost: each Put asks Size, and of an object above 4 KiB also Used, and then
	// looks at four words of a table that all processors share. It writes there
	// only after a bad use, and after a good one that follows a bad one. With more
	// than 256 objects in flight the cost of a Put stays the same, but their bad
	// uses take each other's places, so that few of them are dropped.
	// BenchmarkDropUnderused prints the cost by the number in flight.
	DropUnderused bool

	// Reserve is how many objects are kept across garbage collections. An
	// object gets into the reserve when it is put after a Get that found
	// nothing, and is dropped when 8 collections pass in which it is not taken.
	// 0 means that two collections drop what no Get took, as with
	// sync.Pool.
	Reserve int

	// Stats is how much the pool counts.
	Stats StatsLevel
}

// check panics if r contradicts itself.
func (r *Options[T]) check() {
	switch {
	case r.MaxSize < 0:
		panic(fmt.Sprintf("pool: Options.MaxSize is %d; it must be a number of bytes, or 0 for no bound", r.MaxSize))
	case r.MaxSize > 0 && r.Size == nil:
		panic("pool: Options.MaxSize needs Options.Size, which is nil")
	case r.DropUnderused && r.Size == nil:
		panic("pool: Options.DropUnderused needs Options.Size, which is nil")
	case r.DropUnderused && r.Used == nil:
		panic("pool: Options.DropUnderused needs Options.Used, which is nil")
	case r.Reserve < 0:
		panic(fmt.Sprintf("pool: Options.Reserve is %d; it must be a number of objects, or 0 for none", r.Reserve))
	case r.Stats > Leaks:
		panic(fmt.Sprintf("pool: Options.Stats is %d; it must be Misses, Uses or Leaks", r.Stats))
	}
}
