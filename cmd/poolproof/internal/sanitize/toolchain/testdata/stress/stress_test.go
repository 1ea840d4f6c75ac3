// Package stress uses pools as they are meant to be used, from many
// goroutines, while the collector runs all the time. Nothing may be reported
// and nothing may crash. It counts what it does, for who wants to compare.
package stress

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var (
	rounds   = flag.Int("rounds", 200, "how many rounds each goroutine runs")
	duration = flag.Duration("for", 0, "run for so long, not for a number of rounds")
)

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

var made, finalized, news atomic.Int64

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
	{New: func() any { return new([3]byte) }}, // which the allocator puts beside others
}

func init() {
	outer := pools[0]
	outer.New = func() any { // a New that uses another pool
		news.Add(1)
		b := pools[1].Get().(*bytes.Buffer)
		b.Reset()
		b.WriteString("name")
		x := &node{buf: make([]byte, 0, 32), children: &inner{rows: make([]int64, b.Len())}}
		pools[1].Put(b)
		return x
	}
}

// A user of the pools, on one goroutine.
type user struct {
	rng        *rand.Rand
	held       []any
	beside     [][]byte            // short arrays that are in no pool
	gets, puts [len(pools) + 1]int // the last is that of all pools that die
}

func (u *user) get(i int) any {
	u.gets[i]++
	return pools[i].Get()
}

func (u *user) put(i int, x any) {
	u.puts[i]++
	pools[i].Put(x)
}

// total sums up what all users did.
var total struct {
	sync.Mutex
	gets, puts [len(pools) + 1]int
}

func (u *user) leave() {
	total.Lock()
	defer total.Unlock()
	for i := range u.gets {
		total.gets[i] += u.gets[i]
		total.puts[i] += u.puts[i]
	}
}

func (u *user) use() {
	rng := u.rng
	switch rng.IntN(len(pools)) {
	case 0:
		x := u.get(0).(*node)
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
			u.put(0, x)
		}
	case 1:
		b := u.get(1).(*bytes.Buffer)
		b.Reset()
		fmt.Fprintf(b, "%d %s", rng.Int(), make([]byte, rng.IntN(2000)))
		u.put(1, b)
	case 2:
		p := u.get(2).(*[]byte)
		if rng.IntN(4) == 0 {
			*p = make([]byte, rng.IntN(100000))
		}
		clear(*p)
		u.put(2, p)
	case 3:
		u.held = append(u.held, u.get(3))
		if len(u.held) > 20 {
			for _, x := range u.held {
				x.(*[64]int)[5]++
				u.put(3, x)
			}
			u.held = u.held[:0]
		}
	case 4:
		x, _ := u.get(4).(*node)
		if x == nil {
			x = &node{}
		}
		x.buf = append(x.buf, 1)
		u.put(4, x)
	case 5:
		x := u.get(5).(*node)
		x.buf = append(x.buf[:0], 2)
		u.put(5, x)
	case 6:
		x := u.get(6).(*[3]byte)
		u.beside = append(u.beside, make([]byte, 1+rng.IntN(6)))
		x[2]++
		for _, b := range u.beside {
			b[len(b)-1]++
		}
		if len(u.beside) > 9 {
			u.beside = nil
		}
		u.put(6, x)
	}
	if rng.IntN(50) == 0 { // pools of the standard library, and one that dies
		p := &sync.Pool{New: func() any { return new(inner) }}
		x := p.Get().(*inner)
		x.table[0] = 1
		p.Put(x)
		u.gets[len(pools)]++
		u.puts[len(pools)]++
		if _, err := json.Marshal(map[string]int{"a": 1}); err != nil {
			panic(err)
		}
	}
}

func TestManyGoroutinesAndManyCollections(t *testing.T) {
	end := time.Now().Add(*duration)
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			u := &user{rng: rand.New(rand.NewPCG(uint64(i), 1))}
			defer u.leave()
			for n := 0; *duration == 0 && n < *rounds || time.Now().Before(end); n++ {
				for range 20 {
					u.use()
				}
				if u.rng.IntN(100) == 0 { // goroutines come and go
					done := make(chan bool)
					go func() {
						v := &user{rng: u.rng}
						v.use()
						v.leave()
						close(done)
					}()
					<-done
				}
			}
		}()
	}
	var over atomic.Bool
	go func() { wg.Wait(); over.Store(true) }()
	cycles := 0
	for ; !over.Load(); cycles++ {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	t.Logf("%d collections, %d of %d finalizers ran", cycles, finalized.Load(), made.Load())
}

func TestInParallel(t *testing.T) {
	for range 16 {
		t.Run("sub", func(t *testing.T) {
			t.Parallel()
			u := &user{rng: rand.New(rand.NewPCG(7, 7))}
			defer u.leave()
			for range 200 {
				u.use()
			}
		})
	}
}

// crowd is the type of many pools.
type crowd [3]int

// TestMorePoolsThanAnyTableHas: pools that are all alive at once.
func TestMorePoolsThanAnyTableHas(t *testing.T) {
	for range crowded {
		p := &sync.Pool{New: func() any { return new(crowd) }}
		many = append(many, p)
		x := p.Get().(*crowd)
		x[1]++
		p.Put(x)
	}
}

const crowded = 40000

var many []*sync.Pool

// TestMain prints how often each type was got and put.
func TestMain(m *testing.M) {
	code := m.Run()
	total.gets[1] += int(news.Load())
	total.puts[1] += int(news.Load())
	fmt.Println("count", "crowd", len(many), len(many))
	for typ, of := range map[string][]int{"node": {0, 4, 5}, "Buffer": {1}, "bytes": {2}, "array": {3}, "short": {6}, "inner": {len(pools)}} {
		gets, puts := 0, 0
		for _, i := range of {
			gets, puts = gets+total.gets[i], puts+total.puts[i]
		}
		fmt.Println("count", typ, gets, puts)
	}
	os.Exit(code)
}
