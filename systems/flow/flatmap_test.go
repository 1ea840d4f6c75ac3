package flow

import (
	"errors"
	"slices"
	"testing"
)

func TestAFlatMapOfAnyNumberOfOutputs(t *testing.T) {
	for _, fans := range [][]int{{0, 0, 0}, {1, 1, 1}, {1_000_000}, {0, 1_000_000, 3}, {255, 256, 257, 511, 512, 513, 5000}} {
		var want []int
		for i, n := range fans {
			for j := range n {
				want = append(want, i*1e7+j)
			}
		}
		outputs := func(dst []int, i int) ([]int, error) {
			for j := range fans[i] {
				dst = append(dst, i*1e7+j)
			}
			return dst, nil
		}
		indices := make([]int, len(fans))
		for i := range indices {
			indices[i] = i
		}
		largest := 0
		watch := func(s Stream[int]) Stream[int] { // sees the batches
			run := s.run
			s.run = func(r *run_, down func(*batch[int]) error) error {
				return run(r, func(b *batch[int]) error {
					largest = max(largest, len(b.v))
					return down(b)
				})
			}
			return s
		}
		for name, s := range map[string]Stream[int]{
			"append": FlatMap(FromSlice(indices), outputs),
			"slice":  FlatMapSlice(FromSlice(indices), func(i int) ([]int, error) { return outputs(nil, i) }),
		} {
			largest = 0
			got, err := watch(s).Collect(t.Context())
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s %v: %d outputs and error %v, want %d", name, fans, len(got), err, len(want))
			}
			if largest > (maxResult+1)*DefaultSize+DefaultSize {
				t.Errorf("%s %v: a batch of %d", name, fans, largest)
			}
		}
	}
}

type run_ = run

// What f returns may be anything: it cannot reach the items before.
func TestAForeignOrShortenedResultLeavesTheItemsBeforeAlone(t *testing.T) {
	shared := []int{7, 8, 9}
	s := FlatMap(FromSlice([]int{0, 1, 2, 3, 4, 5, 6}), func(dst []int, i int) ([]int, error) {
		switch i {
		case 1:
			return append(dst, 10, 11)[1:], nil // without the first
		case 2:
			return append(dst, 20, 21)[:1], nil
		case 3:
			return shared, nil
		case 4:
			scribble := dst[:cap(dst)]
			for j := range scribble {
				scribble[j] = -1
			}
			return nil, nil
		case 5:
			return append(dst, -2), errors.New("five")
		}
		return append(dst, i), nil
	})
	var got []int
	err := s.Each(t.Context(), func(v int, err error) error {
		if err != nil {
			v = -5
		}
		got = append(got, v)
		return nil
	})
	if want := []int{0, 11, 20, 7, 8, 9, -5, 6}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v and error %v, want %v", got, err, want)
	}
	if !slices.Equal(shared, []int{7, 8, 9}) {
		t.Errorf("the foreign slice was changed to %v", shared)
	}
}

func TestValuesWithoutSizePassAFlatMap(t *testing.T) {
	s := FlatMap(FromSlice([]int{3, 0, 2000}), func(dst []struct{}, n int) ([]struct{}, error) {
		return append(dst, make([]struct{}, n)...), nil
	})
	got, err := s.Async(1).Collect(t.Context())
	if len(got) != 2003 || err != nil {
		t.Errorf("%d values and error %v, want 2003", len(got), err)
	}
}

// A function that keeps its dst reads other values later; in the checked build they
// are 0xDD or zero, so that it is found out.
func TestAKeptDstIsFoundOut(t *testing.T) {
	if !checked {
		t.Skip("only with -tags poolproofdebug")
	}
	var kept []uint32
	var pointers []*int
	s := FlatMap(FromSlice(inputs), func(dst []uint32, v int) ([]uint32, error) {
		dst = append(dst, uint32(v))
		if v == 100 {
			kept = dst
		}
		return dst, nil
	})
	if _, err := s.Collect(t.Context()); err != nil || kept[0] != 0xDDDDDDDD {
		t.Errorf("kept value %x and error %v, want dddddddd", kept[0], err)
	}
	p := FlatMap(FromSlice(inputs), func(dst []*int, v int) ([]*int, error) {
		dst = append(dst, &v)
		if v == 100 {
			pointers = dst
		}
		return dst, nil
	})
	if _, err := p.Collect(t.Context()); err != nil || pointers[0] != nil {
		t.Errorf("kept pointer %p and error %v, want nil", pointers[0], err)
	}
}
