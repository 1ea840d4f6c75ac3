package prom_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/poolproof/poolproof/buffer"
	"github.com/poolproof/poolproof/metrics"
	"github.com/poolproof/poolproof/metrics/internal/lifetime"
	"github.com/poolproof/poolproof/metrics/prom"
	"github.com/poolproof/poolproof/pool"
)

// every is sources that have every figure.
func every() []metrics.Source {
	return []metrics.Source{
		metrics.Objects("documents", func() pool.Stats {
			return pool.Stats{Level: pool.Leaks, Gets: 1000, Misses: 12, FromReserve: 2,
				Dropped: pool.Drops{Keep: 1, MaxSize: 2, Underused: 3, Abandoned: 4, Twice: 5},
				Foreign: 6, Lost: 7, InUse: 8, Reserved: 9, ReservedBytes: 4096, Decayed: 10}
		}),
		metrics.Buffers("packets", func() buffer.Stats {
			return buffer.Stats{Level: pool.Leaks, Foreign: 21, Dropped: buffer.Drops{Oversize: 22, Abandoned: 23},
				Asked: 1500, Handed: 1536,
				Class: []buffer.ClassStats{
					{Size: 1536, Gets: 31, Misses: 32, FromReserve: 33, Lost: 34, InUse: 35, InUseBytes: 53760,
						Reserved: 36, ReservedBytes: 55296, Decayed: 37},
					{Size: 0, Gets: 41, Misses: 42},
				}}
		}),
		metrics.Objects("plain", func() pool.Stats { return pool.Stats{} }),
	}
}

const exposition = `# HELP poolproof_decayed_total Objects and buffers that left the reserve because no Get took them.
# TYPE poolproof_decayed_total counter
poolproof_decayed_total{class="",pool="documents"} 10
poolproof_decayed_total{class="",pool="plain"} 0
poolproof_decayed_total{class="1536",pool="packets"} 37
poolproof_decayed_total{class="oversize",pool="packets"} 0
# HELP poolproof_dropped_total Objects and buffers given back and not kept.
# TYPE poolproof_dropped_total counter
poolproof_dropped_total{pool="documents",reason="abandoned"} 4
poolproof_dropped_total{pool="documents",reason="keep"} 1
poolproof_dropped_total{pool="documents",reason="max_size"} 2
poolproof_dropped_total{pool="documents",reason="twice"} 5
poolproof_dropped_total{pool="documents",reason="underused"} 3
poolproof_dropped_total{pool="packets",reason="abandoned"} 23
poolproof_dropped_total{pool="packets",reason="oversize"} 22
poolproof_dropped_total{pool="plain",reason="abandoned"} 0
poolproof_dropped_total{pool="plain",reason="keep"} 0
poolproof_dropped_total{pool="plain",reason="max_size"} 0
poolproof_dropped_total{pool="plain",reason="underused"} 0
# HELP poolproof_foreign_total Objects given back that are not of this pool (at the level Leaks), slices refused.
# TYPE poolproof_foreign_total counter
poolproof_foreign_total{pool="documents"} 6
poolproof_foreign_total{pool="packets"} 21
# HELP poolproof_from_reserve_total Gets that found something in the reserve only.
# TYPE poolproof_from_reserve_total counter
poolproof_from_reserve_total{class="",pool="documents"} 2
poolproof_from_reserve_total{class="",pool="plain"} 0
poolproof_from_reserve_total{class="1536",pool="packets"} 33
poolproof_from_reserve_total{class="oversize",pool="packets"} 0
# HELP poolproof_gets_total Objects and buffers handed out; from the level Uses on.
# TYPE poolproof_gets_total counter
poolproof_gets_total{class="",pool="documents"} 1000
poolproof_gets_total{class="1536",pool="packets"} 31
poolproof_gets_total{class="oversize",pool="packets"} 41
# HELP poolproof_in_use_bytes Memory of the buffers that are out now; at the level Leaks.
# TYPE poolproof_in_use_bytes gauge
poolproof_in_use_bytes{class="1536",pool="packets"} 53760
poolproof_in_use_bytes{class="oversize",pool="packets"} 0
# HELP poolproof_in_use_objects Objects and buffers that are out now; at the level Leaks.
# TYPE poolproof_in_use_objects gauge
poolproof_in_use_objects{class="",pool="documents"} 8
poolproof_in_use_objects{class="1536",pool="packets"} 35
poolproof_in_use_objects{class="oversize",pool="packets"} 0
# HELP poolproof_lost_total Objects and buffers that the garbage collector took from their owner; at the level Leaks.
# TYPE poolproof_lost_total counter
poolproof_lost_total{class="",pool="documents"} 7
poolproof_lost_total{class="1536",pool="packets"} 34
poolproof_lost_total{class="oversize",pool="packets"} 0
# HELP poolproof_misses_total Objects and buffers made because the pool had none.
# TYPE poolproof_misses_total counter
poolproof_misses_total{class="",pool="documents"} 12
poolproof_misses_total{class="",pool="plain"} 0
poolproof_misses_total{class="1536",pool="packets"} 32
poolproof_misses_total{class="oversize",pool="packets"} 42
# HELP poolproof_reserved_bytes Memory in the reserve now; of objects, if they have a Size rule.
# TYPE poolproof_reserved_bytes gauge
poolproof_reserved_bytes{class="",pool="documents"} 4096
poolproof_reserved_bytes{class="",pool="plain"} 0
poolproof_reserved_bytes{class="1536",pool="packets"} 55296
poolproof_reserved_bytes{class="oversize",pool="packets"} 0
# HELP poolproof_reserved_objects Objects and buffers in the reserve now.
# TYPE poolproof_reserved_objects gauge
poolproof_reserved_objects{class="",pool="documents"} 9
poolproof_reserved_objects{class="",pool="plain"} 0
poolproof_reserved_objects{class="1536",pool="packets"} 36
poolproof_reserved_objects{class="oversize",pool="packets"} 0
# HELP poolproof_waste_ratio Bytes handed out for each byte asked for, since the pool was made; from the level Uses on.
# TYPE poolproof_waste_ratio gauge
poolproof_waste_ratio{pool="packets"} 1.024
`

func TestTheExpositionHasEveryFigureThatIsKnown(t *testing.T) {
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(prom.NewCollector(every()...))
	if err := testutil.GatherAndCompare(registry, strings.NewReader(exposition)); err != nil {
		t.Error(err)
	}
}

func TestTheLinterOfPrometheusFindsNothing(t *testing.T) {
	problems, err := testutil.CollectAndLint(prom.NewCollector(every()...))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}

func TestASecondCollectorIsRefused(t *testing.T) {
	registry := prometheus.NewRegistry()
	registry.MustRegister(prom.NewCollector())
	err := registry.Register(prom.NewCollector(every()...))
	if !errors.As(err, new(prometheus.AlreadyRegisteredError)) {
		t.Errorf("got %v, want an AlreadyRegisteredError", err)
	}
}

func TestNamedPoolsAreShownAsLongAsTheyAreInUse(t *testing.T) {
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(prom.NewCollector())
	lifetime.Check(t, "shown while in use", func() bool {
		families, err := registry.Gather()
		if err != nil {
			t.Fatal(err)
		}
		return strings.Contains(fmt.Sprint(families), "shown while in use")
	})
}

// twins makes names that a run before (-count=2) has not left behind.
var twins atomic.Int64

func TestPoolsOfTheSameNameDoNotBreakTheExposition(t *testing.T) {
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(prom.NewCollector())
	name := fmt.Sprintf("twins %d", twins.Add(1))
	a := pool.New(pool.Options[int]{Name: name})
	b := pool.New(pool.Options[string]{Name: name})
	a.Get()
	b.Get()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, f := range families {
		if f.GetName() != "poolproof_misses_total" {
			continue
		}
		for _, m := range f.GetMetric() {
			if !strings.Contains(m.String(), `"`+name+`"`) {
				continue
			}
			found++
			if m.GetCounter().GetValue() != 2 {
				t.Errorf("got %v, want 2 misses", m)
			}
		}
	}
	if found != 1 {
		t.Errorf("found %d series of the pools, want 1", found)
	}
	runtime.KeepAlive(a)
	runtime.KeepAlive(b)
}

func TestANameThatIsNotUTF8IsShown(t *testing.T) {
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(prom.NewCollector(metrics.Objects("a\xffb", func() pool.Stats { return pool.Stats{} })))
	if _, err := registry.Gather(); err != nil {
		t.Error(err)
	}
}

func TestGatheringWhilePoolsAreMadeAndUsed(t *testing.T) {
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(prom.NewCollector())
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for range 30 {
				p := pool.New(pool.Options[[64]byte]{Name: "gathered", Stats: pool.Leaks})
				p.Put(p.Get())
				b := buffer.New(buffer.Options{Name: "gathered", Stats: pool.Uses})
				b.Get(100).Release()
			}
		})
		wg.Go(func() {
			for range 30 {
				if _, err := registry.Gather(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}
