package otel_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/metric/noop"
	sdk "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/poolproof/poolproof/buffer"
	"github.com/poolproof/poolproof/metrics"
	"github.com/poolproof/poolproof/metrics/internal/lifetime"
	"github.com/poolproof/poolproof/metrics/otel"
	"github.com/poolproof/poolproof/pool"
)

// register returns a function that collects, by the SDK's manual reader, from a
// provider on which the sources are registered.
func register(t *testing.T, sources ...metrics.Source) (collect func() []string, r metric.Registration) {
	t.Helper()
	reader := sdk.NewManualReader()
	provider := sdk.NewMeterProvider(sdk.WithReader(reader))
	r, err := otel.Register(provider, sources...)
	if err != nil {
		t.Fatal(err)
	}
	return func() []string {
		t.Helper()
		var rm metricdata.ResourceMetrics
		if err := reader.Collect(context.Background(), &rm); err != nil {
			t.Fatal(err)
		}
		return lines(t, rm)
	}, r
}

// lines writes each point as name kind unit {attributes} value, sorted.
func lines(t *testing.T, rm metricdata.ResourceMetrics) []string {
	t.Helper()
	var lines []string
	for _, scope := range rm.ScopeMetrics {
		if scope.Scope.Name != otel.Scope {
			t.Errorf("the scope is %q", scope.Scope.Name)
		}
		for _, m := range scope.Metrics {
			if m.Description == "" {
				t.Errorf("%s has no description", m.Name)
			}
			switch d := m.Data.(type) {
			case metricdata.Sum[int64]:
				kind := "level"
				if d.IsMonotonic {
					kind = "counter"
				}
				lines = append(lines, points(m, kind, d.DataPoints)...)
			case metricdata.Gauge[float64]:
				lines = append(lines, points(m, "ratio", d.DataPoints)...)
			default:
				t.Errorf("%s is a %T", m.Name, d)
			}
		}
	}
	slices.Sort(lines)
	return lines
}

func points[N int64 | float64](m metricdata.Metrics, kind string, points []metricdata.DataPoint[N]) []string {
	var lines []string
	for _, p := range points {
		var attributes []string
		for _, kv := range p.Attributes.ToSlice() {
			attributes = append(attributes, string(kv.Key)+"="+kv.Value.AsString())
		}
		lines = append(lines, fmt.Sprintf("%s %s %s {%s} %v", m.Name, kind, m.Unit, strings.Join(attributes, " "), p.Value))
	}
	return lines
}

func TestTheInstrumentsHaveEveryFigureThatIsKnown(t *testing.T) {
	collect, _ := register(t,
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
				}}
		}),
		metrics.Objects("plain", func() pool.Stats { return pool.Stats{Misses: 1} }))
	want := strings.Split(strings.TrimSpace(`
poolproof.decayed counter {object} {class=1536 pool=packets} 37
poolproof.decayed counter {object} {pool=documents} 10
poolproof.decayed counter {object} {pool=plain} 0
poolproof.dropped counter {drop} {pool=documents reason=abandoned} 4
poolproof.dropped counter {drop} {pool=documents reason=keep} 1
poolproof.dropped counter {drop} {pool=documents reason=max_size} 2
poolproof.dropped counter {drop} {pool=documents reason=twice} 5
poolproof.dropped counter {drop} {pool=documents reason=underused} 3
poolproof.dropped counter {drop} {pool=packets reason=abandoned} 23
poolproof.dropped counter {drop} {pool=packets reason=oversize} 22
poolproof.dropped counter {drop} {pool=plain reason=abandoned} 0
poolproof.dropped counter {drop} {pool=plain reason=keep} 0
poolproof.dropped counter {drop} {pool=plain reason=max_size} 0
poolproof.dropped counter {drop} {pool=plain reason=underused} 0
poolproof.foreign counter {object} {pool=documents} 6
poolproof.foreign counter {object} {pool=packets} 21
poolproof.from_reserve counter {get} {class=1536 pool=packets} 33
poolproof.from_reserve counter {get} {pool=documents} 2
poolproof.from_reserve counter {get} {pool=plain} 0
poolproof.gets counter {get} {class=1536 pool=packets} 31
poolproof.gets counter {get} {pool=documents} 1000
poolproof.in_use level By {class=1536 pool=packets} 53760
poolproof.in_use_objects level {object} {class=1536 pool=packets} 35
poolproof.in_use_objects level {object} {pool=documents} 8
poolproof.lost counter {object} {class=1536 pool=packets} 34
poolproof.lost counter {object} {pool=documents} 7
poolproof.misses counter {miss} {class=1536 pool=packets} 32
poolproof.misses counter {miss} {pool=documents} 12
poolproof.misses counter {miss} {pool=plain} 1
poolproof.reserved level By {class=1536 pool=packets} 55296
poolproof.reserved level By {pool=documents} 4096
poolproof.reserved level By {pool=plain} 0
poolproof.reserved_objects level {object} {class=1536 pool=packets} 36
poolproof.reserved_objects level {object} {pool=documents} 9
poolproof.reserved_objects level {object} {pool=plain} 0
poolproof.waste ratio 1 {pool=packets} 1.024
`), "\n")
	slices.Sort(want)
	for range 2 { // the values are totals: a second collection has the same
		if got := collect(); !slices.Equal(got, want) {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

func TestNothingIsObservedAfterUnregister(t *testing.T) {
	calls := 0
	collect, registration := register(t, metrics.Objects("p", func() pool.Stats {
		calls++
		return pool.Stats{}
	}))
	collect()
	if calls != 1 {
		t.Fatalf("the source is read %d times by a collection", calls)
	}
	if err := registration.Unregister(); err != nil {
		t.Fatal(err)
	}
	if got := collect(); len(got) != 0 || calls != 1 {
		t.Errorf("after Unregister the source is read %d times and %v is observed", calls-1, got)
	}
}

func TestNamedPoolsAreObservedAsLongAsTheyAreInUse(t *testing.T) {
	collect, _ := register(t)
	lifetime.Check(t, "observed while in use", func() bool {
		return strings.Contains(strings.Join(collect(), "\n"), "observed while in use")
	})
}

// refusing is a provider whose meter refuses one instrument, or the callback.
type refusing struct {
	noop.MeterProvider
	instrument string
	callback   bool
	observed   bool
}

var errRefused = errors.New("refused")

func (r *refusing) Meter(string, ...metric.MeterOption) metric.Meter { return refusingMeter{r: r} }

type refusingMeter struct {
	noop.Meter
	r *refusing
}

func (m refusingMeter) refuse(name string) error {
	if name == m.r.instrument {
		return errRefused
	}
	return nil
}

func (m refusingMeter) Int64ObservableCounter(name string, _ ...metric.Int64ObservableCounterOption) (metric.Int64ObservableCounter, error) {
	return noop.Int64ObservableCounter{}, m.refuse(name)
}

func (m refusingMeter) Int64ObservableUpDownCounter(name string, _ ...metric.Int64ObservableUpDownCounterOption) (metric.Int64ObservableUpDownCounter, error) {
	return noop.Int64ObservableUpDownCounter{}, m.refuse(name)
}

func (m refusingMeter) Float64ObservableGauge(name string, _ ...metric.Float64ObservableGaugeOption) (metric.Float64ObservableGauge, error) {
	return noop.Float64ObservableGauge{}, m.refuse(name)
}

func (m refusingMeter) RegisterCallback(metric.Callback, ...metric.Observable) (metric.Registration, error) {
	m.r.observed = true
	if m.r.callback {
		return noop.Registration{}, errRefused
	}
	return noop.Registration{}, nil
}

func TestARefusedInstrumentIsNamedAndNothingIsObserved(t *testing.T) {
	for _, name := range []string{"poolproof.gets", "poolproof.in_use", "poolproof.waste"} {
		t.Run(name, func(t *testing.T) {
			provider := &refusing{instrument: name}
			registration, err := otel.Register(provider)
			if !errors.Is(err, errRefused) || !strings.Contains(err.Error(), "instrument "+name+":") {
				t.Errorf("got the error %v", err)
			}
			if registration != nil || provider.observed {
				t.Errorf("registration %v, callback registered: %v", registration, provider.observed)
			}
		})
	}
}

func TestARefusedCallbackIsAnError(t *testing.T) {
	registration, err := otel.Register(&refusing{callback: true})
	if !errors.Is(err, errRefused) || registration != nil {
		t.Errorf("got %v, %v", registration, err)
	}
}

func TestWithoutAProviderThereIsAnError(t *testing.T) {
	if _, err := otel.Register(nil); err == nil {
		t.Error("got no error")
	}
}

func TestCollectingWhilePoolsAreMadeAndUsed(t *testing.T) {
	reader := sdk.NewManualReader()
	registration, err := otel.Register(sdk.NewMeterProvider(sdk.WithReader(reader)))
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for range 30 {
				p := pool.New(pool.Options[[64]byte]{Name: "collected", Stats: pool.Leaks})
				p.Put(p.Get())
				b := buffer.New(buffer.Options{Name: "collected", Stats: pool.Uses})
				b.Get(100).Release()
			}
		})
		wg.Go(func() {
			var rm metricdata.ResourceMetrics
			for range 30 {
				if err := reader.Collect(context.Background(), &rm); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if err := registration.Unregister(); err != nil {
		t.Error(err)
	}
}

// Times are in seconds, which are not whole.
func TestTheTimesOfStagesAreObserved(t *testing.T) {
	reader := sdk.NewManualReader()
	provider := sdk.NewMeterProvider(sdk.WithReader(reader))
	if _, err := otel.Register(provider, metrics.Stages(func() []metrics.Stage {
		return []metrics.Stage{{Pipeline: "in", Stage: "map", Busy: 1500 * time.Millisecond}}
	})); err != nil {
		t.Fatal(err)
	}
	var all metricdata.ResourceMetrics
	if err := reader.Collect(t.Context(), &all); err != nil {
		t.Fatal(err)
	}
	for _, m := range all.ScopeMetrics[0].Metrics {
		if m.Name == "poolproof.stage_busy" {
			if sum := m.Data.(metricdata.Sum[float64]); m.Unit != "s" || !sum.IsMonotonic || sum.DataPoints[0].Value != 1.5 {
				t.Errorf("%+v", m)
			}
			return
		}
	}
	t.Errorf("no poolproof.stage_busy in %+v", all)
}
