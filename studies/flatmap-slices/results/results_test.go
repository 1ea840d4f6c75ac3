package results_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/studies/flatmap-slices/results"
	"github.com/poolproof/poolproof/systems/flow"
)

func Example() {
	items := slices.Values([]results.Result[int]{
		results.Ok(1), results.Err[int](errors.New("no number")), results.Sentinel[int](errors.New("page 2")), results.Ok(4),
	})
	tens := results.Map(func(n int) (int, error) { return 10 * n, nil })
	twice := results.FlatMap(func(n int) ([]string, error) { return []string{fmt.Sprint(n), fmt.Sprint(n)}, nil })
	s := twice.Apply(tens.Apply(results.FromSeq(items)))
	for r := range results.All(context.Background(), s) {
		switch {
		case r.IsSentinel():
			fmt.Println("mark:", r.Error())
		case r.IsError():
			fmt.Println("error:", r.Error())
		default:
			fmt.Println(r.Value())
		}
	}
	// Output:
	// 10
	// 10
	// error: no number
	// mark: page 2
	// 40
	// 40
}

func text[T any](r results.Result[T]) string {
	switch {
	case r.IsSentinel():
		return fmt.Sprint("mark ", r.Error())
	case r.IsError():
		return fmt.Sprint("error ", r.Error())
	}
	return fmt.Sprint(r.Value())
}

// Mappers may return items of any kind, for values and errors.
func TestMappersMayMakeItemsOfAnyKind(t *testing.T) {
	broken := errors.New("broken")
	var in []results.Result[int]
	for i := range 600 {
		switch i % 3 {
		case 0:
			in = append(in, results.Ok(i))
		case 1:
			in = append(in, results.Err[int](broken))
		case 2:
			in = append(in, results.Sentinel[int](nil))
		}
	}
	flat := results.FlatMapper[int, string](func(r results.Result[int]) ([]results.Result[string], error) {
		switch {
		case r.IsError():
			return []results.Result[string]{results.Ok("repaired"), results.Err[string](r.Error())}, nil
		case r.Value()%2 == 1:
			panic("odd")
		case r.Value() == 6:
			return nil, broken
		}
		return []results.Result[string]{results.Ok("a"), results.Sentinel[string](broken), results.Ok("b")}, nil
	})
	same := results.Mapper[string, string](func(r results.Result[string]) (results.Result[string], error) {
		if r.IsError() {
			return results.Err[string](fmt.Errorf("seen %w", r.Error())), nil
		}
		return r, nil
	})
	var want []string
	for _, r := range in {
		switch {
		case r.IsSentinel():
			want = append(want, "mark <nil>")
		case r.IsError():
			want = append(want, "repaired", "error seen broken")
		case r.Value()%2 == 1:
			want = append(want, "error seen flow: a function of the pipeline panicked: odd")
		case r.Value() == 6:
			want = append(want, "error seen broken")
		default:
			want = append(want, "a", "mark broken", "b")
		}
	}
	var got []string
	for r := range results.All(t.Context(), same.Apply(flat.Apply(results.FromSeq(slices.Values(in))).Async(1))) {
		got = append(got, text(r))
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

func TestABreakEndsTheStreamAndAFatalErrorIsLast(t *testing.T) {
	n := 0
	for range results.All(t.Context(), flow.FromSeq(func(yield func(int) bool) {
		for yield(1) {
		}
	})) {
		if n++; n == 1000 {
			break
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for r := range results.All(ctx, flow.FromSlice([]int{1})) {
		if !errors.Is(r.Error(), context.Canceled) {
			t.Errorf("%s", text(r))
		}
	}
}

func TestANilMapperPanics(t *testing.T) {
	for _, f := range []func(){
		func() { results.Mapper[int, int](nil).Apply(flow.FromSlice([]int{1})) },
		func() { results.FlatMapper[int, int](nil).Apply(flow.FromSlice([]int{1})) },
	} {
		func() {
			defer func() {
				if s, _ := recover().(string); !strings.HasPrefix(s, "results: the ") {
					t.Errorf("recovered %q", s)
				}
			}()
			f()
		}()
	}
}
