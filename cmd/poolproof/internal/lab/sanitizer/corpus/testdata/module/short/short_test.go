// Package short has objects and arrays of less than eight bytes, and others that share a block of the
// allocator with strangers.
package short

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
)

// neighbours allocates what fills the blocks of the tiny allocator, and uses all of it.
func neighbours(t *testing.T, n int, use func()) {
	t.Helper()
	own := make([][]byte, n)
	for i := range own {
		own[i] = make([]byte, 1+i%7)
		for j := range own[i] {
			own[i][j] = byte(i)
		}
		use()
	}
	for i, b := range own {
		for j := range b {
			if b[j] != byte(i) {
				t.Errorf("%d of %d is %d", j, i, b[j])
			}
			b[j]++
		}
	}
}

var arrays = sync.Pool{New: func() any { b := make([]byte, 0, 7); return &b }}

//want:exact read-after-put
//want:in TestArraysOfOneToSevenBytes/1 TestArraysOfOneToSevenBytes/2 TestArraysOfOneToSevenBytes/3 TestArraysOfOneToSevenBytes/4 TestArraysOfOneToSevenBytes/5 TestArraysOfOneToSevenBytes/6 TestArraysOfOneToSevenBytes/7
func TestArraysOfOneToSevenBytes(t *testing.T) {
	for n := 1; n <= 7; n++ {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			p := sync.Pool{New: func() any { b := make([]byte, n); return &b }}
			b := p.Get().(*[]byte)
			array := *b
			p.Put(b)
			_ = array[n-1]
		})
	}
}

//want:exact write-after-put
//want:fast write-after-put
func TestASliceByValue(t *testing.T) {
	var p sync.Pool
	b := make([]byte, 3)
	p.Put(b)
	b[2] = 1
}

//want:exact write-after-put
//want:fast write-after-put
func TestAnArrayOfFiveBytes(t *testing.T) {
	p := sync.Pool{New: func() any { return new([5]byte) }}
	x := p.Get().(*[5]byte)
	p.Put(x)
	x[4] = 1
}

//want:exact read-after-put
func TestAFlag(t *testing.T) {
	p := sync.Pool{New: func() any { return new(bool) }}
	x := p.Get().(*bool)
	p.Put(x)
	_ = *x
}

//want:exact double-put
//want:fast double-put
func TestAShortObjectIsPutTwice(t *testing.T) {
	p := sync.Pool{New: func() any { return new(uint16) }}
	x, y := p.Get().(*uint16), p.Get().(*uint16)
	p.Put(x)
	p.Put(y)
	p.Put(x)
}

type rgb struct{ r, g, b uint8 }

//want:exact read-after-put
func TestAStructOfThreeBytes(t *testing.T) {
	p := sync.Pool{New: func() any { return new(rgb) }}
	x := p.Get().(*rgb)
	x.g = 7
	p.Put(x)
	_ = x.g
}

// Nine bytes may begin anywhere in a block.
//
//want:exact read-after-put
func TestNineBytesInTheMiddleOfABlock(t *testing.T) {
	p := sync.Pool{New: func() any { return new([9]byte) }}
	for range 8 {
		_ = make([]byte, 3)
		x := p.Get().(*[9]byte)
		p.Put(x)
		_ = x[8]
	}
}

type code struct{ letters []byte }

var codes = sync.Pool{New: func() any { return &code{letters: make([]byte, 4)} }}

//want:exact read-after-put
func TestAShortArrayInAField(t *testing.T) {
	c := codes.Get().(*code)
	letters := c.letters
	codes.Put(c)
	_ = letters[3]
}

//want:exact alias-put
//want:fast alias-put
func TestBytesOfAnObjectThatIsPut(t *testing.T) {
	type object struct {
		name [32]byte
		tag  [3]byte
	}
	var objects, tags sync.Pool
	x := new(object)
	objects.Put(x)
	tags.Put(&x.tag)
}

//want:silence
func TestNeighboursOfShortArrays(t *testing.T) {
	neighbours(t, 200, func() {
		b := arrays.Get().(*[]byte)
		*b = append((*b)[:0], "abc"...)
		arrays.Put(b)
	})
}

//want:silence
func TestNeighboursOfShortObjects(t *testing.T) {
	flags := sync.Pool{New: func() any { return new(bool) }}
	colours := sync.Pool{New: func() any { return new(rgb) }}
	neighbours(t, 200, func() {
		f, c := flags.Get().(*bool), colours.Get().(*rgb)
		*f, c.r = true, 9
		flags.Put(f)
		if c.r != 9 {
			t.Error(c.r)
		}
		colours.Put(c)
	})
}

// One field of an object is put, the others are in use.
//
//want:silence
func TestFieldsBesideOneThatIsPut(t *testing.T) {
	type object struct {
		before, tag, after [3]byte
		count              int32
	}
	var tags sync.Pool
	x := new(object)
	tags.Put(&x.tag)
	x.before[2], x.after[0], x.count = 1, 1, 1
	if x.before[2]+x.after[0] != 2 || x.count != 1 {
		t.Error(x)
	}
	tags.Put(&x.after)
	x.before[2]++
}

// The memory of what was put is used again once the collector has freed it.
//
//want:silence
func TestFreedBlocksAreUsedAgain(t *testing.T) {
	for range 20 {
		neighbours(t, 100, func() {
			b := arrays.Get().(*[]byte)
			*b = append((*b)[:0], 'x')
			arrays.Put(b)
		})
		runtime.GC()
	}
}

type nothing struct{}

// Objects without a size have no memory, and one address.
//
//want:silence
func TestObjectsWithoutASize(t *testing.T) {
	p := sync.Pool{New: func() any { return new(nothing) }}
	x, y := p.Get().(*nothing), p.Get().(*nothing)
	p.Put(x)
	p.Put(y)
	p.Put(new([0]int))
	p.Put([]byte{})
}
