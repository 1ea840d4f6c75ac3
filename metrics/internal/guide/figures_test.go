//go:build !race && !poolproofdebug

// With the race detector sync.Pool drops some of what is put, and the checked
// build uses nothing again: the figures would differ.

package guide

import (
	"bytes"
	"expvar"
	"fmt"
	"net/http/httptest"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/poolproof/poolproof/buffer"
	"github.com/poolproof/poolproof/pool"
)

// TestMain makes the figures exact: no collection but those of the page, and no
// object left with another processor.
func TestMain(m *testing.M) {
	debug.SetGCPercent(-1)
	runtime.GOMAXPROCS(1)
	os.Exit(m.Run())
}

func Example_stats() {
	pages := pool.New(pool.Options[bytes.Buffer]{Stats: pool.Uses})

	for range 1000 {
		b := pages.Get()
		b.Reset()
		b.WriteString("a page")
		pages.Put(b)
	}
	s := pages.Stats()
	fmt.Println(s.Gets, "gets,", s.Hits(), "hits,", s.Misses, "misses,", s.Dropped.Total(), "dropped")
	// Output:
	// 1000 gets, 999 hits, 1 misses, 0 dropped
}

func Example_expvar() {
	packets := buffer.New(buffer.Options{Name: "packets"})
	packets.Get(1500).Release()

	fmt.Println(strings.Contains(expvar.Get("pools").String(), `"Name":"packets"`))
	runtime.KeepAlive(packets)
	// Output:
	// true
}

func Example_prometheus() {
	packets := buffer.New(buffer.Options{Name: "packets in flight", Stats: pool.Leaks})
	b := packets.Get(1500)

	showOnce.Do(showInPrometheus)
	printExposition("packets in flight")
	b.Release()
	runtime.KeepAlive(packets)
	collectUntil(gone("packets in flight")) // for -count=2
	// Output:
	// poolproof_decayed_total{class="1536",pool="packets in flight"} 0
	// poolproof_dropped_total{pool="packets in flight",reason="abandoned"} 0
	// poolproof_dropped_total{pool="packets in flight",reason="oversize"} 0
	// poolproof_foreign_total{pool="packets in flight"} 0
	// poolproof_from_reserve_total{class="1536",pool="packets in flight"} 0
	// poolproof_gets_total{class="1536",pool="packets in flight"} 1
	// poolproof_in_use_bytes{class="1536",pool="packets in flight"} 1536
	// poolproof_in_use_objects{class="1536",pool="packets in flight"} 1
	// poolproof_lost_total{class="1536",pool="packets in flight"} 0
	// poolproof_misses_total{class="1536",pool="packets in flight"} 1
	// poolproof_reserved_bytes{class="1536",pool="packets in flight"} 0
	// poolproof_reserved_objects{class="1536",pool="packets in flight"} 0
}

// showOnce is because the default registry refuses a second Collector.
var showOnce sync.Once

// gone returns a function that says whether no pool of buffers has that name.
func gone(name string) func() bool {
	return func() bool {
		found := false
		for s := range buffer.All() {
			found = found || s.Name == name
		}
		return !found
	}
}

// printExposition prints the lines of the default registry that have text.
func printExposition(text string) {
	response := httptest.NewRecorder()
	promhttp.HandlerFor(prometheus.DefaultGatherer, promhttp.HandlerOpts{}).
		ServeHTTP(response, httptest.NewRequest("GET", "/metrics", nil))
	for line := range strings.Lines(response.Body.String()) {
		if strings.Contains(line, text) {
			fmt.Print(line)
		}
	}
}

func Example_empty() {
	p := buffer.New(buffer.Options{Stats: pool.Uses})

	for range 100 {
		var inFlight []*buffer.Buffer
		for range 3 {
			inFlight = append(inFlight, p.Get(1500))
		}
		for _, b := range inFlight {
			b.Release()
		}
	}
	fmt.Println("300 gets,", p.Stats().Misses, "misses")
	// Output:
	// 300 gets, 3 misses
}

func Example_prefill() {
	p := buffer.New(buffer.Options{Reserve: 1 << 20})

	var first []*buffer.Buffer
	for range 16 {
		first = append(first, p.Get(9000))
	}
	for _, b := range first {
		b.Release()
	}
	s := p.Stats()
	fmt.Println(s.Misses, "misses,", s.Reserved, "in reserve,", s.ReservedBytes, "bytes")
	// Output:
	// 16 misses, 16 in reserve, 151552 bytes
}

func Example_guard() {
	p := pool.New(pool.Options[bytes.Buffer]{
		Reset:   (*bytes.Buffer).Reset,
		Size:    (*bytes.Buffer).Cap,
		MaxSize: 64 << 10, // and the pages are larger
		Stats:   pool.Uses,
	})
	page := make([]byte, 100_000)
	for range 1000 {
		b := p.Get()
		b.Write(page)
		p.Put(b)
	}
	s := p.Stats()
	fmt.Println(s.Gets, "gets,", s.Misses, "misses,", s.Dropped.MaxSize, "dropped for their size")
	// Output:
	// 1000 gets, 1000 misses, 1000 dropped for their size
}

func Example_rare() {
	for _, reserve := range []int{0, 1} {
		p := pool.New(pool.Options[bytes.Buffer]{Reserve: reserve, Stats: pool.Uses})
		for range 50 {
			p.Put(p.Get())
			runtime.GC()
			runtime.GC()
		}
		s := p.Stats()
		fmt.Println("reserve", reserve, "-", s.Gets, "gets,", s.Misses, "misses,",
			s.FromReserve, "from reserve,", s.Dropped.Total(), "dropped")
	}
	// Output:
	// reserve 0 - 50 gets, 50 misses, 0 from reserve, 0 dropped
	// reserve 1 - 50 gets, 1 misses, 49 from reserve, 0 dropped
}

func Example_dropUnderused() {
	p := pool.New(pool.Options[bytes.Buffer]{
		Reset:         (*bytes.Buffer).Reset,
		Size:          (*bytes.Buffer).Cap,
		Used:          (*bytes.Buffer).Len,
		DropUnderused: true,
		Stats:         pool.Uses,
	})
	use := func(n int) {
		b := p.Get()
		b.Write(make([]byte, n))
		p.Put(b)
	}
	use(1_000_000)
	for range 99 {
		use(500)
	}
	s := p.Stats()
	fmt.Println(s.Gets, "gets,", s.Misses, "misses,", s.Dropped.Underused, "dropped because they were too large for their use")
	// Output:
	// 100 gets, 2 misses, 1 dropped because they were too large for their use
}

func Example_lost() {
	p := pool.New(pool.Options[bytes.Buffer]{Stats: pool.Leaks})
	parse := func(fails bool) {
		b := p.Get()
		if fails {
			return // and no Put
		}
		p.Put(b)
	}
	for i := range 1000 {
		parse(i%100 == 0)
	}
	collectUntil(func() bool { return p.Stats().Lost == 10 })
	s := p.Stats()
	fmt.Println(s.Gets, "gets,", s.Puts, "puts,", s.Misses, "misses,", s.Lost, "lost,", s.InUse, "in use")
	// Output:
	// 1000 gets, 990 puts, 11 misses, 10 lost, 0 in use
}

// collectUntil runs collections until done says yes: losses come late.
func collectUntil(done func() bool) {
	for range 6000 {
		if runtime.GC(); done() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func Example_foreign() {
	p := buffer.New(buffer.Options{})
	line := p.Bytes(1000)
	line = line[4:] // cuts off the header
	fmt.Println("taken back:", p.Free(line), "- foreign:", p.Stats().Foreign)
	// Output:
	// taken back: false - foreign: 1
}
