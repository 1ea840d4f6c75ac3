// Package stress uses pools as they are meant to be used, from many
// goroutines, while the collector runs all the time. Nothing may be reported
// and nothing may crash.
package stress

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var duration = flag.Duration("for", 2*time.Second, "how long to run")

type node struct {
	id       int
	buf      []byte
	children *inner
	locked   sync.Mutex
}

type inner struct {
	table [16]int
	rows  []int64
}

var made, finalized atomic.Int64

var pools = [...]*sync.Pool{
	{New: func() any { return &node{buf: make([]byte, 0, 32), children: &inner{rows: make([]int64, 8)}} }},
	{New: func() any { return new(bytes.Buffer) }},
	{New: func() any { b := make([]byte, 256); return &b }},
	{New: func() any { return new([64]int) }},
	{}, // without New
	{New: func() any { // with a finalizer, which looks at it
		x := &node{buf: make([]byte, 64)}
		made.Add(1)
		runtime.SetFinalizer(x, func(x *node) { x.id = -1; x.buf = nil; finalized.Add(1) })
		return x
	}},
}

func init() {
	outer := pools[0]
	outer.New = func() any { // a New that uses another pool
		b := pools[1].Get().(*bytes.Buffer)
		b.Reset()
		b.WriteString("name")
		x := &node{buf: make([]byte, 0, 32), children: &inner{rows: make([]int64, b.Len())}}
		pools[1].Put(b)
		return x
	}
}

func use(rng *rand.Rand, held []any) []any {
	switch rng.IntN(6) {
	case 0:
		x := pools[0].Get().(*node)
		x.locked.Lock()
		x.id++
		x.buf = append(x.buf[:0], make([]byte, rng.IntN(100))...)
		x.children.table[rng.IntN(16)]++
		x.children.rows = append(x.children.rows, 1)
		if len(x.children.rows) > 100 {
			x.children = &inner{}
		}
		x.locked.Unlock()
		if rng.IntN(8) != 0 { // else forgotten
			pools[0].Put(x)
		}
	case 1:
		b := pools[1].Get().(*bytes.Buffer)
		b.Reset()
		fmt.Fprintf(b, "%d %s", rng.Int(), make([]byte, rng.IntN(2000)))
		pools[1].Put(b)
	case 2:
		p := pools[2].Get().(*[]byte)
		if rng.IntN(4) == 0 {
			*p = make([]byte, rng.IntN(100000))
		}
		clear(*p)
		pools[2].Put(p)
	case 3:
		held = append(held, pools[3].Get())
		if len(held) > 20 {
			for _, x := range held {
				x.(*[64]int)[5]++
				pools[3].Put(x)
			}
			held = held[:0]
		}
	case 4:
		x, _ := pools[4].Get().(*node)
		if x == nil {
			x = &node{}
		}
		x.buf = append(x.buf, 1)
		pools[4].Put(x)
	case 5:
		x := pools[5].Get().(*node)
		x.buf = append(x.buf[:0], 2)
		pools[5].Put(x)
	}
	if rng.IntN(50) == 0 { // pools of the standard library, and one that dies
		p := &sync.Pool{New: func() any { return new(inner) }}
		x := p.Get().(*inner)
		x.table[0] = 1
		p.Put(x)
		if _, err := json.Marshal(map[string]int{"a": 1}); err != nil {
			panic(err)
		}
	}
	return held
}

func TestManyGoroutinesAndManyCollections(t *testing.T) {
	end := time.Now().Add(*duration)
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			rng := rand.New(rand.NewPCG(uint64(i), 1))
			var held []any
			for time.Now().Before(end) {
				for range 20 {
					held = use(rng, held)
				}
				if rng.IntN(100) == 0 { // goroutines come and go
					done := make(chan bool)
					go func() { use(rng, nil); close(done) }()
					<-done
				}
			}
		}()
	}
	cycles := 0
	for time.Now().Before(end) {
		runtime.GC()
		cycles++
		time.Sleep(time.Millisecond)
	}
	wg.Wait()
	t.Logf("%d collections, %d of %d finalizers ran", cycles, finalized.Load(), made.Load())
}

func TestInParallel(t *testing.T) {
	for range 16 {
		t.Run("sub", func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(7, 7))
			var held []any
			for range 200 {
				held = use(rng, held)
			}
		})
	}
}
