package core

import "unsafe"

// An Activation is one call of a function that tells when it begins and ends.
type Activation struct {
	Number    uint64 // rises: what is called later has a larger one
	Goroutine uint64
	Func      uint32
	Parent    uint32 // the activation around it on its goroutine, by place; 0: it is the outermost
	Depth     uint32 // how many are around it
	First     uint32 // the length of Lives when it began
	Tested    bool   // the collector runs when it ends, and when those around it do
}

// Activations holds the calls that have not ended, each in a place; place 0 is none. The
// caller holds its lock.
type Activations struct {
	base unsafe.Pointer // [activationsCount]Activation
	mem  Region
	used uint32
	free uint32 // the first place of a list of free ones, by Parent
	last uint64 // number given last
	Lost uint64 // calls that found no place

	outermost uint32                  // calls of this operation that had none around them
	calls     [activationFuncs]uint32 // of each function in the outermost call that began last
}

const (
	activationsCount = 1 << 14
	// activationFuncs is how many functions there can be: of further ones no call is tested.
	activationFuncs = 1 << 10

	ActivationsReserve = activationsCount * unsafe.Sizeof(Activation{})
)

// Init hands a reserved address space.
func (a *Activations) Init(reserve unsafe.Pointer) {
	a.base = reserve
	a.mem.Init(reserve, ActivationsReserve)
	a.used = 1
}

// At returns the activation of a place.
func (a *Activations) At(place uint32) *Activation {
	return (*Activation)(unsafe.Add(a.base, uintptr(place)*unsafe.Sizeof(Activation{})))
}

// Operation begins a new operation: of its calls the first ones are tested again.
func (a *Activations) Operation() { a.outermost = 0 }

// Begin notes a call and returns its place; 0 if there is none left. In an operation of
// which calls are tested, the first outermost calls are, and then ever fewer; in such a call
// the same holds for the calls of each function.
func (a *Activations) Begin(fn, parent uint32, goroutine uint64, lives uint32, tested bool) uint32 {
	place := a.free
	switch {
	case place != 0:
		a.free = a.At(place).Parent
	case a.used < activationsCount && a.mem.Need(uintptr(a.used+1)*unsafe.Sizeof(Activation{})):
		place = a.used
		a.used++
	default:
		a.Lost++
		return 0
	}
	if parent == 0 {
		a.calls = [activationFuncs]uint32{}
		a.outermost++
		tested = tested && Few(a.outermost)
	} else {
		tested = tested && a.At(parent).Tested
	}
	if fn >= activationFuncs {
		tested = false
	} else {
		a.calls[fn]++
		tested = tested && Few(a.calls[fn])
	}
	depth := uint32(0)
	if parent != 0 {
		depth = a.At(parent).Depth + 1
	}
	a.last++
	*a.At(place) = Activation{Number: a.last, Goroutine: goroutine, Func: fn, Parent: parent, Depth: depth, First: lives, Tested: tested}
	return place
}

// End frees the place of a call that has ended, and returns the one around it.
func (a *Activations) End(place uint32) (parent uint32) {
	x := a.At(place)
	parent, x.Parent = x.Parent, a.free
	x.Number = 0
	a.free = place
	return parent
}

// Has reports whether the call with a number is the one at a place, or around it.
func (a *Activations) Has(place uint32, number uint64) bool {
	for ; place != 0; place = a.At(place).Parent {
		if a.At(place).Number == number {
			return true
		}
	}
	return false
}

// Outermost returns the number of the outermost call around the one at a place.
func (a *Activations) Outermost(place uint32) uint64 {
	for a.At(place).Parent != 0 {
		place = a.At(place).Parent
	}
	return a.At(place).Number
}

// OutermostTested reports whether the outermost call around the one at a place is tested.
func (a *Activations) OutermostTested(place uint32) bool {
	for a.At(place).Parent != 0 {
		place = a.At(place).Parent
	}
	return a.At(place).Tested
}

// Few reports whether the n-th of many is one to look at: one of the first, or one of ever
// fewer after them. n counts from 1.
func Few(n uint32) bool { return n <= 4 || n&(n-1) == 0 }
