package seed

import (
	"bytes"
	"os"
	"runtime"
	"sync"
	"testing"
	"unsafe"
)

var sink int

func TestRead(t *testing.T) {
	x := items.Get().(*item) // read get
	items.Put(x)             // read put
	sink += x.n              // read here
}

func TestWrite(t *testing.T) {
	x := items.Get().(*item) // write get
	items.Put(x)             // write put
	x.n = 8                  // write here
}

func TestArray(t *testing.T) {
	x := items.Get().(*item) // array get
	b := append(x.buf[:0], "hello"...)
	items.Put(x) // array put
	b[0] = 'x'   // array here
}

func TestDouble(t *testing.T) {
	x := items.Get().(*item) // double get
	items.Put(x)             // double put
	items.Put(x)             // double here
}

func TestNil(t *testing.T) {
	var x *item
	items.Put(x) // nil here
}

func TestKey(t *testing.T) {
	b := buffers.Get().(*bytes.Buffer) // key get
	b.WriteString("hello")
	s := unsafe.String(unsafe.SliceData(b.Bytes()), b.Len())
	buffers.Put(b) // key put
	m := map[string]int{"hello": 1}
	sink += m[s] // key here
}

func TestAlias(t *testing.T) {
	var parts sync.Pool
	x := items.Get().(*item) // alias get
	b := x.buf
	items.Put(x) // alias put
	parts.Put(b) // alias here
}

func TestClear(t *testing.T) { // the compiler clears without a hook: found by its checksum
	x := items.Get().(*item) // clear get
	x.n = 5
	all := x.buf[:64]
	all[3] = 1
	items.Put(x) // clear put
	clear(all)
}

func TestWorker(t *testing.T) {
	x := workers.Get().(*worker) // worker get
	x.start()
	next := x.next
	workers.Put(x) // worker put
	next <- 0
	<-next
	close(next)
}

func TestParallel(t *testing.T) {
	for _, name := range []string{"bad", "good", "fine"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			done := make(chan bool)
			go func() {
				defer close(done)
				for range 100 {
					x := items.Get().(*item) // parallel get
					items.Put(x)             // parallel put
					if name == "bad" {
						x.n = 1 // parallel here
					}
				}
			}()
			<-done
		})
	}
}

func repeat() {
	x := items.Get().(*item) // repeat get
	items.Put(x)             // repeat put
	x.n++                    // repeat here
}

func TestRepeatFirst(t *testing.T)  { repeat() }
func TestRepeatSecond(t *testing.T) { repeat() }

func TestGoodUse(t *testing.T) {
	for range 3 {
		x := items.Get().(*item)
		x.n++
		x.buf = append(x.buf[:0], make([]byte, 200)...)
		items.Put(x)
	}
}

func TestGoodSingleton(t *testing.T) {
	for range 3 {
		x := singles.Get().(*item)
		x.n++
		singles.Put(x)
	}
}

func TestGoodSlab(t *testing.T) {
	type slot struct{ a, b, c int32 } // not a whole number of granules
	slab := make([]slot, 100)
	var pool sync.Pool
	pool.Put(&slab[0])
	pool.Put(&slab[2])
	slab[1].a, slab[1].b, slab[1].c = 1, 2, 3
	slab[3].a = 4
	runtime.KeepAlive(slab)
}

func TestGoodFinalizer(t *testing.T) {
	x := &item{buf: make([]byte, 100)}
	done := make(chan bool)
	runtime.SetFinalizer(x, func(x *item) {
		x.n = 1
		close(done)
	})
	items.Put(x)
	x = nil
	for range 10 { // with reuse the pool keeps it
		runtime.GC()
		select {
		case <-done:
			return
		default:
		}
	}
}

func TestGoodBorrowed(t *testing.T) {
	type parser struct{ in []byte }
	parsers := sync.Pool{New: func() any { return new(parser) }}
	mine := make([]byte, 128)
	p := parsers.Get().(*parser)
	p.in = mine
	parsers.Put(p) // with our memory still in it
	mine[0] = 1
}

func TestGoodOddValues(t *testing.T) {
	var pool sync.Pool
	for _, x := range []any{nil, 7, "text", struct{}{}, item{}, [3]int{1, 2, 3}, map[int]int{}, make(chan int), func() {}, &single, new(byte), []int(nil), []byte{}, &struct{}{}, unsafe.Pointer(single)} {
		pool.Put(x)
		pool.Get()
	}
}

func TestGoodMade(t *testing.T) {
	for range 4 {
		x, _ := bare.Get().(*item) // made get
		if x == nil {
			x = &item{}
		}
		bare.Put(x)
	}
}

func TestLeak(t *testing.T) {
	for i := range 9 {
		x := items.Get() // leak get
		if i%3 == 0 {
			items.Put(x)
		}
	}
}

func BenchmarkBad(b *testing.B) {
	b.Run("sub", func(b *testing.B) {
		for range b.N {
			x := items.Get().(*item) // bench get
			items.Put(x)             // bench put
			x.n++                    // bench here
		}
	})
}

// TestLastWords dies right after a misuse, in the way that the environment
// names.
func TestLastWords(t *testing.T) {
	how := os.Getenv("SEED_DEATH")
	if how == "" {
		t.Skip("nobody asked for it")
	}
	x := items.Get().(*item) // last get
	items.Put(x)             // last put
	x.n++                    // last here
	switch how {
	case "exit":
		os.Exit(0)
	case "panic":
		panic("last words")
	case "kill":
		p, _ := os.FindProcess(os.Getpid())
		p.Kill()
		select {}
	case "goexit":
		runtime.Goexit()
	}
}
