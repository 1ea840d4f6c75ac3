package buffer_test

import (
	"bytes"
	"fmt"
	"slices"
	"sync"
	"testing"
	"unsafe"

	"github.com/poolproof/poolproof/buffer"
)

// The pair that programs publish around a pool of receive buffers: 9000 bytes
// are enough for a datagram on a link with jumbo frames.
const datagram = 9000

var receive = buffer.New(buffer.Options{Zero: buffer.ZeroUsed}).Sized(datagram)

// GetBuffer returns 9000 bytes that are zero, until PutBuffer.
func GetBuffer() *[]byte { return receive.GetPtr() }

// PutBuffer gives b up. It is cleared.
func PutBuffer(b *[]byte) { receive.PutPtr(b) }

// implementation is such a pair, and the function of a program that receives by
// it: read fills the buffer and returns a length, and the packet outlives the
// buffer.
type implementation struct {
	get     func() *[]byte
	put     func(*[]byte)
	receive func(read func([]byte) int) []byte
}

// pair returns an implementation that receives by get and put as it should.
func pair(get func() *[]byte, put func(*[]byte)) implementation {
	return implementation{get, put, func(read func([]byte) int) []byte {
		b := get()
		defer put(b)
		return bytes.Clone((*b)[:read(*b)])
	}}
}

// implementations returns the right one and five with a mistake each, all new.
func implementations() map[string]implementation {
	sized := func(z buffer.Zero) *buffer.Sized { return buffer.New(buffer.Options{Zero: z}).Sized(datagram) }
	right, alias, unput, dirty, twice := sized(buffer.ZeroUsed), sized(buffer.ZeroUsed), sized(buffer.ZeroUsed), sized(buffer.ZeroNone), sized(buffer.ZeroUsed)

	all := map[string]implementation{
		"right": pair(right.GetPtr, right.PutPtr),
		"no pool": pair(
			func() *[]byte { b := make([]byte, datagram); return &b },
			func(b *[]byte) { clear(*b) },
		),
		"returns an alias": pair(alias.GetPtr, alias.PutPtr),
		"never puts":       pair(unput.GetPtr, func(b *[]byte) {}),
		"does not clear":   pair(dirty.GetPtr, dirty.PutPtr),
		"puts twice":       pair(twice.GetPtr, func(b *[]byte) { twice.PutPtr(b); twice.PutPtr(b) }),
	}
	a := all["returns an alias"]
	a.receive = func(read func([]byte) int) []byte {
		b := alias.GetPtr()
		defer alias.PutPtr(b)
		return (*b)[:read(*b)]
	}
	all["returns an alias"] = a
	return all
}

// contract is one demand on such a pair.
type contract struct {
	name  string
	holds func(i implementation) error
}

// usual are the tests that such a pair usually comes with.
var usual = []contract{
	{"a buffer has 9000 bytes, all zero", func(i implementation) error {
		b := i.get()
		defer i.put(b)
		if len(*b) != datagram || !allZero(*b) {
			return fmt.Errorf("length %d, zero %t", len(*b), allZero(*b))
		}
		return nil
	}},
	{"the length is restored", func(i implementation) error {
		b := i.get()
		*b = (*b)[:100]
		i.put(b)
		if b := i.get(); len(*b) != datagram {
			return fmt.Errorf("length %d", len(*b))
		}
		return nil
	}},
	{"a buffer that was written is zero again", func(i implementation) error {
		b := i.get()
		copy(*b, "a secret")
		i.put(b)
		if b := i.get(); !allZero(*b) {
			return fmt.Errorf("it begins with %q", (*b)[:8])
		}
		return nil
	}},
	{"buffers can be used again and again", func(i implementation) error {
		for range 100 {
			b := i.get()
			if b == nil || len(*b) != datagram {
				return fmt.Errorf("got %v", b)
			}
			i.put(b)
		}
		return nil
	}},
	{"many goroutines", func(i implementation) error {
		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() {
				for range 20 {
					b := i.get()
					_ = len(*b)
					i.put(b)
				}
			})
		}
		wg.Wait()
		return nil
	}},
	{"a packet is what was read", func(i implementation) error {
		if got := i.receive(func(b []byte) int { return copy(b, "packet") }); string(got) != "packet" {
			return fmt.Errorf("got %q", got)
		}
		return nil
	}},
}

// ours are the tests that find the mistakes which the usual ones do not.
var ours = []contract{
	{"a warm pair allocates nothing", func(i implementation) error {
		if n := testing.AllocsPerRun(100, func() { i.put(i.get()) }); n != 0 {
			return fmt.Errorf("%v allocations", n)
		}
		return nil
	}},
	{"what is put comes back", func(i implementation) error {
		b := i.get()
		at := unsafe.SliceData(*b)
		i.put(b)
		if again := i.get(); unsafe.SliceData(*again) != at {
			return fmt.Errorf("other memory came back")
		}
		return nil
	}},
	{"two gets after a put get different memory", func(i implementation) error {
		i.put(i.get())
		if a, b := i.get(), i.get(); unsafe.SliceData(*a) == unsafe.SliceData(*b) {
			return fmt.Errorf("both are the same")
		}
		return nil
	}},
	{"a packet stays as it was read while others are received", func(i implementation) error {
		first := i.receive(func(b []byte) int { return copy(b, "first") })
		i.receive(func(b []byte) int { return copy(b, "other") })
		if string(first) != "first" {
			return fmt.Errorf("it became %q", first)
		}
		return nil
	}},
	{"memory that waits is zero to its capacity", func(i implementation) error {
		b := i.get()
		all := (*b)[:cap(*b)]
		for at := range all {
			all[at] = 0xC5
		}
		i.put(b)
		if !allZero(all) { //poolproof:ignore it looks at memory that waits
			return fmt.Errorf("bytes of the last owner wait in the pool")
		}
		return nil
	}},
}

func allZero(p []byte) bool { return !slices.ContainsFunc(p, func(x byte) bool { return x != 0 }) }

// broken returns the names of the contracts that the implementation breaks, each
// tried on a new one.
func broken(name string, contracts []contract) (names []string) {
	for _, c := range contracts {
		if err := c.holds(implementations()[name]); err != nil {
			names = append(names, fmt.Sprintf("%s (%v)", c.name, err))
		}
	}
	return names
}

func TestTheRightPairKeepsAllContracts(t *testing.T) {
	for _, c := range usual {
		if err := c.holds(pair(GetBuffer, PutBuffer)); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	buffer.Exactly(t)
	buffer.NormalBuild(t, "fills memory that waits, and allocates")
	if b := broken("right", append(slices.Clone(usual), ours...)); b != nil {
		t.Errorf("broken: %v", b)
	}
}

// The usual tests let three of five mistakes live: they neither count allocations
// nor look at two buffers at a time. An alias they find only because the buffer
// is cleared behind it: the packet becomes zeros. Ours find all five.
//
//poolproof:ignore the mistakes are what the contracts have to find
func TestTheUsualTestsLetMistakesLive(t *testing.T) {
	buffer.Exactly(t)
	buffer.NormalBuild(t, "panics at some of them")
	var survive []string
	for name := range implementations() {
		if name == "right" {
			continue
		}
		if broken(name, usual) == nil {
			survive = append(survive, name)
		}
		if broken(name, ours) == nil {
			t.Errorf("%q keeps all of our contracts, too", name)
		} else {
			t.Logf("%q breaks: %q", name, broken(name, ours))
		}
	}
	slices.Sort(survive)
	if want := []string{"never puts", "no pool", "puts twice"}; !slices.Equal(survive, want) {
		t.Errorf("the usual tests let %q live, want %q", survive, want)
	}
}
