// Package narrow has several pools of one type. Code keeps the objects of some of them, or memory of
// these. An object of any other pool must not be used after its Put.
package narrow

import (
	"bytes"
	"sync"
	"testing"
)

// kept has all buffers that one pool's New has made, and lent memory that another one has given away.
var (
	mu   sync.Mutex
	kept []*bytes.Buffer
	lent [][]byte
)

var watched = sync.Pool{New: func() any {
	b := new(bytes.Buffer)
	mu.Lock()
	defer mu.Unlock()
	kept = append(kept, b)
	return b
}}

//want:silence
func TestBuffersThatAreKept(t *testing.T) {
	b := watched.Get().(*bytes.Buffer)
	b.WriteString("abc")
	watched.Put(b)
	mu.Lock()
	defer mu.Unlock()
	total := 0
	for _, b := range kept {
		total += b.Len()
	}
	if total == 0 {
		t.Error("nothing is kept")
	}
}

var plain = sync.Pool{New: func() any { return new(bytes.Buffer) }}

//want:exact read-after-put
func TestAnotherPoolOfBuffers(t *testing.T) {
	b := plain.Get().(*bytes.Buffer)
	b.WriteString("abc")
	mine := b.Bytes()
	plain.Put(b)
	_ = mine[0]
}

var bare sync.Pool

func get() *bytes.Buffer {
	if b, ok := bare.Get().(*bytes.Buffer); ok {
		return b
	}
	return new(bytes.Buffer)
}

//want:exact read-after-put
func TestBuffersOfAConstructor(t *testing.T) {
	b := get()
	b.WriteString("abc")
	bare.Put(b)
	_ = b.Len()
}

type view struct{ text []byte }

var views sync.Pool

func fill(v *view) {
	b, ok := views.Get().(*bytes.Buffer)
	if !ok {
		b = new(bytes.Buffer)
		b.Grow(16)
		v.text = b.Bytes()[:3]
	}
	views.Put(b)
}

// Its first user stores memory of it for itself: that is the misuse.
//
//want:exact read-after-put
func TestMemoryThatAUserStores(t *testing.T) {
	var v view
	fill(&v)
	_ = v.text[0]
}

var arena = sync.Pool{New: func() any {
	b := bytes.NewBuffer(make([]byte, 0, 64))
	mu.Lock()
	defer mu.Unlock()
	lent = append(lent, b.AvailableBuffer())
	return b
}}

//want:silence
func TestMemoryThatIsKept(t *testing.T) {
	b := arena.Get().(*bytes.Buffer)
	b.WriteString("abc")
	arena.Put(b)
	mu.Lock()
	defer mu.Unlock()
	if text := lent[0][:3]; text[0] != 'a' {
		t.Errorf("%s", text)
	}
}

//want:exact write-after-put read-after-put
func TestAnObjectOfWhichMemoryIsKept(t *testing.T) {
	b := arena.Get().(*bytes.Buffer)
	arena.Put(b)
	b.Reset()
}

//want:exact double-put
//want:fast double-put
func TestAKeptBufferIsPutTwice(t *testing.T) {
	b := watched.Get().(*bytes.Buffer)
	watched.Put(b)
	watched.Put(b)
}

// A New that another function calls: which pool it makes an object for is not known.
type factory struct{ make func() any }

func (f *factory) pool() *sync.Pool { return &sync.Pool{New: func() any { return f.make() }} }

var wrapped = (&factory{make: func() any {
	b := &counter{}
	mu.Lock()
	defer mu.Unlock()
	counters = append(counters, b)
	return b
}}).pool()

type counter struct{ n int }

var counters []*counter

//want:silence
func TestObjectsOfAWrappedNew(t *testing.T) {
	c := wrapped.Get().(*counter)
	c.n = 3
	wrapped.Put(c)
	mu.Lock()
	defer mu.Unlock()
	for _, c := range counters {
		if c.n != 3 {
			t.Error(c.n)
		}
	}
}

// A part of an object, of a type of which another New keeps its own.
type owner struct{ part *counter }

var owners = sync.Pool{New: func() any { return &owner{part: &counter{}} }}

//want:exact write-after-put read-after-put
//want:fast write-after-put
func TestAPartOfATypeThatIsKept(t *testing.T) {
	o := owners.Get().(*owner)
	c := o.part
	owners.Put(o)
	c.n++
}

type keeper struct{ part *counter }

var keepers = sync.Pool{New: func() any {
	k := &keeper{part: &counter{}}
	mu.Lock()
	defer mu.Unlock()
	parts = append(parts, k.part)
	return k
}}

var parts []*counter

//want:silence
func TestAPartThatIsKept(t *testing.T) {
	k := keepers.Get().(*keeper)
	k.part.n = 1
	keepers.Put(k)
	mu.Lock()
	defer mu.Unlock()
	for _, p := range parts {
		p.n++
	}
}
