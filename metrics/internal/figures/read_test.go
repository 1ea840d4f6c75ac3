package figures_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/poolproof/poolproof/buffer"
	"github.com/poolproof/poolproof/hotswap"
	"github.com/poolproof/poolproof/metrics"
	"github.com/poolproof/poolproof/metrics/internal/figures"
	"github.com/poolproof/poolproof/metrics/internal/lifetime"
	"github.com/poolproof/poolproof/pool"
)

// counted returns the statistics of a pool without a reserve and without a Size rule
// at level.
func counted(level pool.StatsLevel) pool.Stats {
	s := pool.Stats{Level: level, Misses: 3, Dropped: pool.Drops{Keep: 4, MaxSize: 5, Underused: 6, Abandoned: 7}}
	if level >= pool.Uses {
		s.Gets = 20
	}
	if level >= pool.Leaks {
		s.Dropped.Twice, s.Foreign, s.Lost, s.InUse = 8, 9, 10, 11
	}
	return s
}

// lines writes each sample as name{labels} value, sorted.
func lines(samples []figures.Sample) []string {
	var lines []string
	for _, s := range samples {
		lines = append(lines, fmt.Sprintf("%s%q %v", s.Metric.Name, s.Labels, s.Value))
	}
	slices.Sort(lines)
	return lines
}

func compare(t *testing.T, samples []figures.Sample, want string) {
	t.Helper()
	wanted := strings.Split(strings.TrimSpace(want), "\n")
	slices.Sort(wanted)
	if got := lines(samples); !slices.Equal(got, wanted) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(wanted, "\n"))
	}
}

func TestAPoolOfObjectsHasTheFiguresOfItsLevelAndNoOthers(t *testing.T) {
	const misses = `misses["p" ""] 3
from_reserve["p" ""] 0
dropped["p" "keep"] 4
dropped["p" "max_size"] 5
dropped["p" "underused"] 6
dropped["p" "abandoned"] 7
reserved_objects["p" ""] 0
reserved["p" ""] 0
decayed["p" ""] 0
`
	const uses = misses + `gets["p" ""] 20
`
	const leaks = uses + `dropped["p" "twice"] 8
foreign["p"] 9
lost["p" ""] 10
in_use_objects["p" ""] 11
`
	for level, want := range map[pool.StatsLevel]string{pool.Misses: misses, pool.Uses: uses, pool.Leaks: leaks} {
		t.Run(level.String(), func(t *testing.T) {
			source := metrics.Objects("p", func() pool.Stats { return counted(level) })
			compare(t, figures.Read(source), want)
		})
	}
}

func TestAtTheLevelLeaksObjectsWithoutSizeAreNotSaidToBeKnown(t *testing.T) {
	p := pool.New(pool.Options[struct{}]{Stats: pool.Leaks})
	p.Get()
	compare(t, figures.Read(metrics.Objects("p", p.Stats)), `gets["p" ""] 1
misses["p" ""] 1
from_reserve["p" ""] 0
dropped["p" "keep"] 0
dropped["p" "max_size"] 0
dropped["p" "underused"] 0
dropped["p" "abandoned"] 0
reserved_objects["p" ""] 0
reserved["p" ""] 0
decayed["p" ""] 0`)
}

func TestTheReservesBytesNeedASizeRule(t *testing.T) {
	stats := pool.Stats{Reserved: 2, ReservedBytes: 300, FromReserve: 5, Decayed: 6}
	got := strings.Join(lines(figures.Read(metrics.Objects("p", func() pool.Stats { return stats }))), "\n")
	for _, want := range []string{
		`reserved_objects["p" ""] 2`, `reserved["p" ""] 300`, `from_reserve["p" ""] 5`, `decayed["p" ""] 6`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in\n%s", want, got)
		}
	}
}

func bufferStats(level pool.StatsLevel) buffer.Stats {
	s := buffer.Stats{
		Level: level, Misses: 3, Oversize: 4, Foreign: 5, Dropped: buffer.Drops{Oversize: 6, Abandoned: 7},

		Class: []buffer.ClassStats{
			{Size: 64, Misses: 3, FromReserve: 8, Reserved: 1, ReservedBytes: 64, Decayed: 9},
			{Size: 0, Misses: 4},
		},
	}
	if level >= pool.Uses {
		s.Gets, s.Asked, s.Handed = 20, 800, 1000
		s.Class[0].Gets, s.Class[1].Gets = 16, 4
	}
	if level >= pool.Leaks {
		s.Class[0].Lost, s.Class[0].InUse, s.Class[0].InUseBytes = 10, 2, 128
		s.Class[1].Lost, s.Class[1].InUse, s.Class[1].InUseBytes = 11, 1, 4<<20
	}
	return s
}

func TestAPoolOfBuffersHasTheFiguresOfItsLevelByClass(t *testing.T) {
	const misses = `misses["b" "64"] 3
misses["b" "oversize"] 4
from_reserve["b" "64"] 8
from_reserve["b" "oversize"] 0
dropped["b" "oversize"] 6
dropped["b" "abandoned"] 7
foreign["b"] 5
reserved_objects["b" "64"] 1
reserved_objects["b" "oversize"] 0
reserved["b" "64"] 64
reserved["b" "oversize"] 0
decayed["b" "64"] 9
decayed["b" "oversize"] 0
`
	const uses = misses + `gets["b" "64"] 16
gets["b" "oversize"] 4
waste["b"] 1.25
`
	const leaks = uses + `lost["b" "64"] 10
lost["b" "oversize"] 11
in_use_objects["b" "64"] 2
in_use_objects["b" "oversize"] 1
in_use["b" "64"] 128
in_use["b" "oversize"] 4.194304e+06
`
	for level, want := range map[pool.StatsLevel]string{pool.Misses: misses, pool.Uses: uses, pool.Leaks: leaks} {
		t.Run(level.String(), func(t *testing.T) {
			source := metrics.Buffers("b", func() buffer.Stats { return bufferStats(level) })
			compare(t, figures.Read(source), want)
		})
	}
}

func TestPoolsOfTheSameNameAreAddedUp(t *testing.T) {
	objects := func() pool.Stats { return counted(pool.Leaks) }
	one := bufferStats(pool.Leaks)
	other := bufferStats(pool.Leaks)
	other.Asked, other.Handed = 200, 1000
	got := make(map[string]float64)
	for _, s := range figures.Read(
		metrics.Objects("x", objects), metrics.Objects("x", objects),
		metrics.Buffers("x", func() buffer.Stats { return one }), metrics.Buffers("x", func() buffer.Stats { return other }),
	) {
		key := s.Metric.Name + fmt.Sprint(s.Labels)
		if _, twice := got[key]; twice {
			t.Errorf("two samples of %s", key)
		}
		got[key] = s.Value
	}
	for key, want := range map[string]float64{
		"gets[x ]": 40, "gets[x 64]": 32, "dropped[x abandoned]": 28, "in_use_objects[x ]": 22,
		"waste[x]": 2, // 2000 handed out for 1000 asked: not a sum of quotients
	} {
		if got[key] != want {
			t.Errorf("%s is %v, want %v", key, got[key], want)
		}
	}
}

// runs makes names that a run before (-count=2) has not left behind.
var runs atomic.Int64

func TestWithoutSourcesTheNamedPoolsAreRead(t *testing.T) {
	run := runs.Add(1)
	objects := pool.New(pool.Options[int]{Name: fmt.Sprint("objects of run ", run)})
	buffers := buffer.New(buffer.Options{Name: fmt.Sprint("buffers of run ", run)})
	values := hotswap.NewPool(hotswap.Options[int]{Name: fmt.Sprint("values of run ", run), New: func() *int { return new(int) }})
	values.Get()
	nameless := pool.New(pool.Options[int]{})
	objects.Get()
	buffers.Get(100)
	nameless.Get()
	got := strings.Join(lines(figures.Read(metrics.Named())), "\n")
	for _, want := range []string{
		fmt.Sprintf(`misses["objects of run %d" ""] 1`, run), fmt.Sprintf(`misses["buffers of run %d" "128"] 1`, run),
		fmt.Sprintf(`hotswap_made["values of run %d"] 1`, run),
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in\n%s", want, got)
		}
	}
	if strings.Contains(got, `[""`) {
		t.Errorf("a pool without a name is read:\n%s", got)
	}
	runtime.KeepAlive(objects)
	runtime.KeepAlive(buffers)
	runtime.KeepAlive(nameless)
	runtime.KeepAlive(values)
}

func TestAPoolOfValuesHasItsFigures(t *testing.T) {
	one := hotswap.Stats{Live: 1, Retired: 2, Spare: 3, Drafts: 4, Outstanding: 5, OldestRetired: 1500 * time.Millisecond, News: 7, Reuses: 8, Drops: 9}
	other := hotswap.Stats{Live: 10, Outstanding: -1, OldestRetired: time.Second} // a Release that was counted before its Acquire
	compare(t, figures.Read(
		metrics.Values("v", func() hotswap.Stats { return other }), metrics.Values("v", func() hotswap.Stats { return one }), metrics.Values("v", func() hotswap.Stats { return other }),
	), `hotswap_values["v" "current"] 21
hotswap_values["v" "retired"] 2
hotswap_values["v" "free"] 3
hotswap_values["v" "draft"] 4
hotswap_holds["v"] 5
hotswap_oldest_retired["v"] 1.5
hotswap_made["v"] 7
hotswap_reused["v"] 8
hotswap_dropped["v"] 9`)
}

// Otherwise 1 - misses/gets, which the pages recommend, would set the misses of both
// beside the gets of one: below 0 here.
func TestWhatOnePoolOfANameDoesNotCountIsLeftOut(t *testing.T) {
	buffers := func(level pool.StatsLevel) figures.Source {
		s := bufferStats(level)
		s.Class[0].Misses *= 100
		return metrics.Buffers("x", func() buffer.Stats { return s })
	}
	objects := func(level pool.StatsLevel) figures.Source {
		return metrics.Objects("x", func() pool.Stats { return counted(level) })
	}
	for _, c := range []struct {
		of   []figures.Source
		gets bool
	}{
		{[]figures.Source{buffers(pool.Leaks), buffers(pool.Misses)}, false},
		{[]figures.Source{buffers(pool.Misses), buffers(pool.Leaks)}, false},
		{[]figures.Source{objects(pool.Misses), buffers(pool.Leaks)}, false},
		{[]figures.Source{objects(pool.Leaks), buffers(pool.Uses)}, true},
	} {
		got := strings.Join(lines(figures.Read(append(c.of, metrics.Buffers("y", func() buffer.Stats { return bufferStats(pool.Uses) }))...)), "\n")
		for _, partial := range []string{`lost["x"`, `in_use_objects["x"`, `in_use["x"`} {
			if strings.Contains(got, partial) {
				t.Errorf("%s is shown, which one of the pools does not count:\n%s", partial, got)
			}
		}
		for _, ratio := range []string{`gets["x"`, `waste["x"`} {
			if strings.Contains(got, ratio) != c.gets {
				t.Errorf("%s is shown: %t, want %t:\n%s", ratio, !c.gets, c.gets, got)
			}
		}
		for _, whole := range []string{`gets["y" "64"] 16`, `waste["y"] 1.25`, `misses["x" "`} {
			if !strings.Contains(got, whole) {
				t.Errorf("%s is missing:\n%s", whole, got)
			}
		}
	}
}

func TestTheZeroSourceHasNothing(t *testing.T) {
	if got := figures.Read(figures.Source{}); len(got) != 0 {
		t.Errorf("got %v", got)
	}
}

func TestANameThatIsNotUTF8IsMadeSo(t *testing.T) {
	samples := figures.Read(
		metrics.Objects("p\xff", func() pool.Stats { return counted(pool.Misses) }),
		metrics.Buffers("p\xff", func() buffer.Stats { return bufferStats(pool.Uses) }))
	for _, s := range samples {
		if s.Labels[0] != "p\uFFFD" {
			t.Errorf("%s has the pool %q", s.Metric.Name, s.Labels[0])
		}
	}
}

func TestEverySampleIsOfAMetricOfAllAndHasItsLabels(t *testing.T) {
	all := figures.All()
	seen := make(map[*figures.Metric]bool)
	stats := counted(pool.Leaks)
	stats.ReservedBytes = 0
	for _, s := range figures.Read(
		metrics.Objects("p", func() pool.Stats { return stats }),
		metrics.Buffers("b", func() buffer.Stats { return bufferStats(pool.Leaks) }),
		metrics.Stages(stages),
		metrics.Values("v", func() hotswap.Stats { return hotswap.Stats{} }),
	) {
		seen[s.Metric] = true
		if !slices.Contains(all, s.Metric) || len(s.Labels) != len(s.Metric.Labels) {
			t.Errorf("sample %+v of %+v", s, s.Metric)
		}
	}
	if len(seen) != len(all) {
		t.Errorf("samples of %d metrics, All has %d", len(seen), len(all))
	}
}

func TestAPoolThatIsCollectedIsNoLongerRead(t *testing.T) {
	lifetime.Check(t, "read: gone", func() bool {
		return strings.Contains(strings.Join(lines(figures.Read(metrics.Named())), "\n"), "read: gone")
	})
}

func TestReadingWhilePoolsAreMadeAndUsed(t *testing.T) {
	const rounds = 50
	var wg sync.WaitGroup
	wg.Go(func() {
		for range rounds {
			p := pool.New(pool.Options[[]byte]{Name: "read: race", Stats: pool.Leaks, Reserve: 1, Size: func(b *[]byte) int { return cap(*b) }})
			p.Put(p.Get())
			b := buffer.New(buffer.Options{Name: "read: race", Stats: pool.Leaks, Reserve: 1 << 20})
			b.Get(100).Release()
		}
	})
	for range 2 {
		wg.Go(func() {
			for range rounds {
				for _, s := range figures.Read(metrics.Named()) {
					if s.Value < 0 {
						t.Errorf("%s%q is %v", s.Metric.Name, s.Labels, s.Value)
					}
				}
			}
		})
	}
	wg.Wait()
}
