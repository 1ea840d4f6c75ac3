package core

import "unsafe"

// A Life holds the facts that a run shows of one object: who allocated it, until when it could be reached,
// and where it was touched last.
type Life struct {
	Addr, Size uintptr
	Born       uint64 // number of the Activation that allocated it
	Outermost  uint64 // number of the outermost Activation then, on that goroutine
	Goroutine  uint64 // that allocated it
	Site       uint32
	Test       uint32 // that was running then
	Run        uint32 // of that test: it may run several times
	Operation  uint32 // of that run

	Died     uint32 // function after whose return it could not be reached; 0: none is known
	Depth    uint32 // of Died: how many calls are around it
	Outlived uint32 // function that has returned last while it could be reached; 0: none
	Touch    uint32 // stack of the last access; 0: none
	Other    uint32 // stack of the first access by another goroutine; 0: none

	Zone       Zone // of the last access
	Wrote      bool // the last access was a write
	OtherWrote bool // so was the first one by another goroutine
	Tested     bool // the collector runs after the outermost call that it may outlive, and after those in it that are tested
	Partial    bool // it was made in a call that is not tested
	Light      bool // it is known when it is freed, and nothing of accesses
	Dead       bool // the collector has freed it
	Out        bool // it could be reached when the outermost Activation had returned
	Fate       Fate

	next uint32 // in the hash chain
}

// Zone says when an access to an object happens.
type Zone uint8

// The zones.
const (
	InFunction  Zone = iota // the function that has allocated it has not returned
	InCall                  // it has, and the outermost Activation has not
	InOperation             // both have
	After                   // the operation has ended
)

// Fate says what the end of its operation has shown of an object.
type Fate uint8

// The fates.
const (
	NoFate  Fate = iota // the collector did not run then
	Gone                // it could not be reached any more
	Present             // it could
)

// Lives remembers objects: by address as long as they are alive, and by number, light ones as
// long as they are alive, others for ever. The caller holds its lock.
type Lives struct {
	index *[livesIndex]uint32 // number of a Life, plus one; 0 ends a chain
	base  unsafe.Pointer      // [livesCount]Life
	mem   Region
	used  uint32
	free  uint32 // number of a place that no Life has, plus one: a list by next; 0 ends it
	Lost  uint64 // objects that found no place
}

// The size of Lives.
const (
	livesCount = 1 << 19
	livesIndex = 1 << 18

	LivesReserve = livesCount * unsafe.Sizeof(Life{})
	LivesMemory  = livesIndex * 4
)

// Init hands l reserved address space for its lives, and usable zeroed memory for its index.
func (l *Lives) Init(reserve, memory unsafe.Pointer) {
	l.base, l.index = reserve, (*[livesIndex]uint32)(memory)
	l.mem.Init(reserve, LivesReserve)
}

func (l *Lives) bucket(addr uintptr) *uint32 {
	return &l.index[mix(uint64(addr)>>3)%livesIndex]
}

// Find returns the object alive that starts at addr, or nil.
func (l *Lives) Find(addr uintptr) *Life {
	for n := *l.bucket(addr); n != 0; {
		x := l.At(n - 1)
		if x.Addr == addr {
			return x
		}
		n = x.next
	}
	return nil
}

// Add remembers an object that starts at addr, where none does. It returns nil when there is
// no more room, and counts that. One that is not light has a larger number than all before.
func (l *Lives) Add(addr, size uintptr, light bool) *Life {
	n := l.free
	switch {
	case light && n != 0:
		l.free = l.At(n - 1).next
	case l.used < livesCount && l.mem.Need(uintptr(l.used+1)*unsafe.Sizeof(Life{})):
		l.used++
		n = l.used
	default:
		l.Lost++
		return nil
	}
	x, bucket := l.At(n-1), l.bucket(addr)
	*x = Life{Addr: addr, Size: size, Light: light, next: *bucket}
	*bucket = n
	return x
}

// Freed notes that the collector has freed x: its address may be another object's now.
func (l *Lives) Freed(x *Life) {
	for at := l.bucket(x.Addr); *at != 0; at = &l.At(*at - 1).next {
		if n := *at; l.At(n-1) == x {
			*at = x.next
			x.Dead = true
			if x.Light {
				x.next, l.free = l.free, n
			}
			return
		}
	}
}

// Len returns how many places there are; At returns what one of them has, in the order of
// births but for light ones.
func (l *Lives) Len() uint32 { return l.used }

func (l *Lives) At(n uint32) *Life {
	return (*Life)(unsafe.Add(l.base, uintptr(n)*unsafe.Sizeof(Life{})))
}
