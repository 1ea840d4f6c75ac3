package legal

import (
	"bufio"
	"bytes"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

type object struct {
	a, b int
	name string
}

// The neighbours of a slab's element go on being used.
//
//want:silence
func TestElementsOfASlab(t *testing.T) {
	var pool sync.Pool
	slab := make([]object, 16)
	for i := range slab {
		if i%2 == 0 {
			pool.Put(&slab[i])
		}
	}
	for i := range slab {
		if i%2 == 1 {
			slab[i].a, slab[i].b = i, slab[i].a
		}
	}
}

// A part of a larger object is pooled; the rest of the object is not.
//
//want:silence
func TestInnerPartIsPutTheRestIsUsed(t *testing.T) {
	type outer struct {
		before object
		inner  object
		after  object
	}
	var pool sync.Pool
	o := new(outer)
	pool.Put(&o.inner)
	o.before.a, o.after.b = 1, 2
	if o.before.a+o.after.b != 3 {
		t.Error(o.before.a, o.after.b)
	}
}

// New returns the same object again and again.
//
//want:silence
func TestNewReturnsASingleton(t *testing.T) {
	single := &object{name: "only"}
	pool := sync.Pool{New: func() any { single.b++; return single }}
	for i := range 5 {
		o := pool.Get().(*object)
		o.a = i
		pool.Put(o)
	}
}

// What is read before it is set again is set at Get.
//
//want:silence
func TestResetAtGet(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(object) }}
	for i := range 10 {
		o := pool.Get().(*object)
		*o = object{a: i}
		if o.b != 0 || o.name != "" {
			t.Fatal(*o)
		}
		o.b, o.name = 2, "used"
		pool.Put(o)
	}
}

// A field is copied out before Put.
//
//want:silence
func TestFieldsAreCopiedOut(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(object) }}
	o := pool.Get().(*object)
	o.name = strings.Repeat("x", 40)
	name, all := o.name, *o
	pool.Put(o)
	if name != all.name {
		t.Error(name)
	}
}

// shard is a counter for each processor, in a pool; a list has them all. The
// collector reads it with atomic operations, wherever it is.
type shard struct {
	n atomic.Int64
	_ [7]int64
}

//want:silence
func TestShardsAreCollectedFromOutside(t *testing.T) {
	var mu sync.Mutex
	var all []*shard
	pool := sync.Pool{New: func() any {
		s := new(shard)
		mu.Lock()
		all = append(all, s)
		mu.Unlock()
		return s
	}}
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 100 {
				s := pool.Get().(*shard)
				s.n.Add(1)
				pool.Put(s)
			}
		}()
	}
	wg.Wait()
	var sum int64
	for _, s := range all {
		sum += s.n.Load()
	}
	if sum != 400 {
		t.Error(sum)
	}
}

// The text of a strings.Builder is its caller's.
//
//want:silence
func TestTextOfAPooledBuilder(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(strings.Builder) }}
	join := func(word string) string {
		b := pool.Get().(*strings.Builder)
		defer pool.Put(b)
		b.Reset()
		for range 5 {
			b.WriteString(word)
		}
		return b.String()
	}
	if first, second := join("one"), join("two"); first != "oneoneoneoneone" || second != "twotwotwotwotwo" {
		t.Error(first, second)
	}
}

// string(b) copies.
//
//want:silence
func TestTextIsCopied(t *testing.T) {
	pool := sync.Pool{New: func() any { b := make([]byte, 0, 64); return &b }}
	seen := map[string]int{}
	for i := range 10 {
		b := pool.Get().(*[]byte)
		*b = append((*b)[:0], "key "...)
		*b = append(*b, byte('0'+i))
		seen[string(*b)]++
		pool.Put(b)
	}
	if seen["key 3"] != 1 {
		t.Error(seen)
	}
}

// Readers over their caller's data.
//
//want:silence
func TestReadersOverCallersData(t *testing.T) {
	plain := sync.Pool{New: func() any { return new(bytes.Reader) }}
	buffered := sync.Pool{New: func() any { return bufio.NewReader(nil) }}
	data := []byte("a line\nanother line\n")
	for range 3 {
		r := plain.Get().(*bytes.Reader)
		r.Reset(data)
		b := buffered.Get().(*bufio.Reader)
		b.Reset(r)
		line, err := b.ReadString('\n')
		plain.Put(r)
		buffered.Put(b)
		if err != nil || line != "a line\n" {
			t.Fatal(line, err)
		}
		data[18]++
	}
}

// New gets a part from another pool, and the whole goes back with it.
//
//want:silence
func TestPartsOfAnotherPool(t *testing.T) {
	type whole struct {
		part *object
		n    int
	}
	parts := sync.Pool{New: func() any { return new(object) }}
	wholes := sync.Pool{New: func() any { return &whole{part: parts.Get().(*object)} }}
	for i := range 5 {
		w := wholes.Get().(*whole)
		w.part.a = i
		wholes.Put(w)
	}
}

// A part is given back to its own pool before the whole goes.
//
//want:silence
func TestPartGoesBackFirst(t *testing.T) {
	type whole struct {
		part *object
		n    int
	}
	parts := sync.Pool{New: func() any { return new(object) }}
	wholes := sync.Pool{New: func() any { return new(whole) }}
	for i := range 5 {
		w := wholes.Get().(*whole)
		w.part = parts.Get().(*object)
		w.part.a = i
		parts.Put(w.part)
		w.part = nil
		wholes.Put(w)
	}
}

// Values that are no pointers.
//
//want:silence
func TestValuesOfAllSorts(t *testing.T) {
	var pool sync.Pool
	c := make(chan int, 1)
	for _, x := range []any{nil, 7, "text", object{a: 1}, [4]int{1}, map[string]int(nil), c, func() {}, 1.5, &struct{}{}, struct{}{}, error(nil), []byte(nil), []byte{}, [0]int{}, &[0]int{}} {
		pool.Put(x)
		pool.Get()
	}
	c <- 1
	if n := <-c; n != 1 {
		t.Error(n)
	}
}

// Small objects share blocks of the allocator with others.
//
//want:silence
func TestTinyObjectsShareABlock(t *testing.T) {
	var pool sync.Pool
	var flags []*bool
	var numbers []*int32
	for i := range 200 {
		f, n := new(bool), new(int32)
		*n = int32(i)
		if i%2 == 0 {
			pool.Put(f)
			pool.Put(n)
			continue
		}
		flags, numbers = append(flags, f), append(numbers, n)
	}
	for i, f := range flags {
		*f = true
		*numbers[i]++
	}
}

// An object that the collector has freed leaves its address to others.
//
//want:silence
func TestAddressesAreUsedAgain(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(object) }}
	var kept []*object
	for range 20 {
		for range 1000 {
			o := pool.Get().(*object)
			o.a++
			pool.Put(o)
		}
		runtime.GC()
		for i := range 500 {
			kept = append(kept, &object{a: i, b: i, name: "new"})
		}
		runtime.GC()
	}
	for _, o := range kept {
		if o.a != o.b || o.name != "new" {
			t.Fatal(*o)
		}
		o.a = -1
	}
}

// The receiver puts what it was sent.
//
//want:silence
func TestReceiverPuts(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(object) }}
	queue, done := make(chan *object), make(chan int)
	go func() {
		sum := 0
		for o := range queue {
			sum += o.a
			pool.Put(o)
		}
		done <- sum
	}()
	for i := range 100 {
		o := pool.Get().(*object)
		o.a = i
		queue <- o
	}
	close(queue)
	if sum := <-done; sum != 4950 {
		t.Error(sum)
	}
}

// A free list is beside the pool: what is in it was not put.
//
//want:silence
func TestFreeListBesideThePool(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(object) }}
	free := make(chan *object, 4)
	for i := range 20 {
		var o *object
		select {
		case o = <-free:
		default:
			o = pool.Get().(*object)
		}
		o.a = i
		select {
		case free <- o:
		default:
			pool.Put(o)
		}
	}
}

// Parallel tests share a pool.
//
//want:silence
func TestParallelUsers(t *testing.T) {
	pool := sync.Pool{New: func() any { b := make([]byte, 0, 32); return &b }}
	for i := range 4 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			for n := range 500 {
				b := pool.Get().(*[]byte)
				*b = append((*b)[:0], byte(i), byte(n))
				if (*b)[0] != byte(i) {
					t.Error(*b)
				}
				pool.Put(b)
			}
		})
	}
}

// A finalizer gives back what nobody put.
//
//want:silence
func TestFinalizerPuts(t *testing.T) {
	type handle struct{ buf *[64]byte }
	pool := &sync.Pool{New: func() any { return new([64]byte) }}
	var puts atomic.Int32
	for range 10 {
		h := &handle{buf: pool.Get().(*[64]byte)}
		h.buf[0] = 1
		runtime.SetFinalizer(h, func(h *handle) {
			h.buf[0] = 0
			pool.Put(h.buf)
			puts.Add(1)
		})
	}
	for range 20 {
		runtime.GC()
		if puts.Load() > 8 {
			break
		}
		time.Sleep(time.Millisecond)
	}
}

// The finalizer of a pooled object looks at it after all users are gone.
//
//want:silence
func TestFinalizerLooksAtWhatWasPut(t *testing.T) {
	type file struct {
		fd   int
		name [16]byte
	}
	pool := sync.Pool{New: func() any {
		f := &file{fd: 3}
		runtime.SetFinalizer(f, func(f *file) { f.fd = -1 })
		return f
	}}
	for range 10 {
		f := pool.Get().(*file)
		f.name[0] = 'x'
		pool.Put(f)
	}
	for range 3 {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
}

// An object is put by a different function value, pool pointer and goroutine
// than it was got.
//
//want:silence
func TestObjectMigratesBetweenPools(t *testing.T) {
	first := &sync.Pool{New: func() any { return new(object) }}
	second := new(sync.Pool)
	o := first.Get().(*object)
	o.a = 1
	second.Put(o)
	if o, _ := second.Get().(*object); o != nil {
		o.a = 2
		first.Put(o)
	}
}

// Sorting and searching in pooled memory while it is ours.
//
//want:silence
func TestPooledMemoryIsSortedWhileItIsOurs(t *testing.T) {
	pool := sync.Pool{New: func() any { s := make([]int, 0, 8); return &s }}
	for range 5 {
		s := pool.Get().(*[]int)
		*s = append((*s)[:0], 3, 1, 2)
		slices.Sort(*s)
		if i, ok := slices.BinarySearch(*s, 3); !ok || i != 2 {
			t.Error(*s)
		}
		pool.Put(s)
	}
}

// The array of a pooled slice grows; the old one is the caller's own business.
//
//want:silence
func TestOldArrayIsKeptAfterGrowth(t *testing.T) {
	pool := sync.Pool{New: func() any { s := make([]int, 0, 4); return &s }}
	s := pool.Get().(*[]int)
	old := append((*s)[:0], 1, 2, 3, 4)
	*s = append(old, 5)
	pool.Put(s)
	old[0] = 9
	if old[0]+old[3] != 13 {
		t.Error(old)
	}
}

// A pool without New, whose users make what is missing.
//
//want:silence
func TestPoolWithoutNew(t *testing.T) {
	var pool sync.Pool
	for i := range 10 {
		o, ok := pool.Get().(*object)
		if !ok {
			o = &object{name: "made here"}
		}
		o.a = i
		pool.Put(o)
	}
}

// Two objects share an array that one of them only looks at.
//
//want:silence
func TestViewOfAnUnpooledArray(t *testing.T) {
	type view struct {
		window []int
		from   int
	}
	pool := sync.Pool{New: func() any { return new(view) }}
	array := make([]int, 100)
	for i := range 10 {
		v, w := pool.Get().(*view), pool.Get().(*view)
		v.window, w.window = array[i:i+10], array
		v.window[0], w.window[99] = i, i
		pool.Put(v)
		pool.Put(w)
		array[i]++
	}
}
