package flatmapslices

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/studies/flatmap-slices/results"
	"github.com/poolproof/poolproof/studies/internal/exact"
	"github.com/poolproof/poolproof/systems/flow"
)

// TestStreamsSendWhatAPlainLoopMakes holds the arms of package flow to what the
// others are held to, sentinels included.
func TestStreamsSendWhatAPlainLoopMakes(t *testing.T) {
	var in []Result[int]
	for x := range 2000 {
		switch {
		case x%23 == 22:
			in = append(in, Err[int](errors.New("failed before")))
		case x%29 == 28:
			in = append(in, Sentinel[int](errors.New("page")))
		default:
			in = append(in, Ok(x))
		}
	}
	for _, modulus := range []int{1, 5, 3 * Frame, 700} {
		f := fans(modulus)
		fromNil := func(x int) ([]string, error) { return f(nil, x) }
		want := plain(f, in)
		for name, s := range map[string]flow.Stream[string]{
			"flow":       Flow(Items(in), f),
			"flowslice":  FlowSlice(Items(in), fromNil),
			"flowasync":  FlowAsync(Items(in), f),
			"flowmapper": FlowMapper(Items(in), fromNil),
		} {
			for range 2 {
				var got []string
				for r := range results.All(t.Context(), s) {
					var p *flow.PanicError
					switch {
					case r.IsSentinel():
						got = append(got, "sentinel: "+r.Error().Error())
					case errors.As(r.Error(), &p):
						got = append(got, "error: "+(&PanicError{p.Value}).Error())
					case r.IsError():
						got = append(got, "error: "+r.Error().Error())
					default:
						got = append(got, r.Value())
					}
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s, up to %d outputs: sent %d items, want %d", name, modulus-1, len(got), len(want))
				}
			}
		}
	}
}

func TestShapesGiveEqualSums(t *testing.T) {
	for _, s := range shapes {
		for _, arm := range s.arms {
			if sum, failed := arm.run(t.Context()); sum != s.sum || failed != 0 {
				t.Errorf("%s/%s: sum %d and %d failed, want %d", s.name, arm.name, sum, failed, s.sum)
			}
		}
	}
}

// TestStreamCountersAreExact: a stream allocates when it starts, and for an input
// what the user's function and the signature ask for.
func TestStreamCountersAreExact(t *testing.T) {
	for name, want := range map[string]struct{ perInput, once uint64 }{
		"flow":       {0, 32},
		"flowslice":  {1, 32},
		"flowmapper": {2, 40},
		"flowasync":  {0, 80},
	} {
		for _, arm := range pipelineArms {
			if arm.name != name {
				continue
			}
			allocs, _ := exact.Counters(t, func() { arm.run(t.Context()) })
			if allocs < inputs*want.perInput || allocs > inputs*want.perInput+want.once {
				t.Errorf("%s: %d allocations, want %d an input and at most %d more", name, allocs, want.perInput, want.once)
			}
		}
	}
}

// TestOnlyTheAsyncArmHasGoroutinesOfItsOwn tells apart what differs in nothing but
// time: the user's function runs on the goroutine of the sink, or on another.
func TestOnlyTheAsyncArmHasGoroutinesOfItsOwn(t *testing.T) {
	for _, arm := range []struct {
		name  string
		run   func(flow.Stream[int], func([]int, int) ([]int, error)) flow.Stream[int]
		apart bool
	}{{"flow", Flow[int, int], false}, {"flowasync", FlowAsync[int, int], true}} {
		var user string
		s := arm.run(Items([]Result[int]{Ok(1)}), func(dst []int, x int) ([]int, error) {
			user = goroutine()
			return append(dst, x), nil
		})
		if sum, failed := DrainStream(t.Context(), s); sum != 1 || failed != 0 {
			t.Errorf("%s: sum %d, %d failed", arm.name, sum, failed)
		}
		if apart := user != goroutine(); apart != arm.apart {
			t.Errorf("%s: the user's function runs on a goroutine of its own: %t, want %t", arm.name, apart, arm.apart)
		}
	}
}

// goroutine names the caller's goroutine: the first words of its stack.
func goroutine() string {
	stack := make([]byte, 64)
	name, _, _ := strings.Cut(string(stack[:runtime.Stack(stack, false)]), " [")
	return name
}
