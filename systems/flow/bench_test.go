package flow

import (
	"context"
	"errors"
	"testing"
)

var errThousandth = errors.New("one of a thousand")

var inputs = func() []int {
	in := make([]int, 20_000)
	for i := range in {
		in[i] = i
	}
	return in
}()

//go:noinline
func plusOne(v int) (int, error) {
	if v%1000 == 999 {
		return 0, errThousandth
	}
	return v + 1, nil
}

//go:noinline
func five(dst []int, v int) ([]int, error) {
	return append(dst, v, v+1, v+2, v+3, v+4), nil
}

//go:noinline
func odd(v int) bool { return v%3 > 0 }

func pipelineL(source Stream[int], between func(Stream[int]) Stream[int]) Stream[int] {
	return between(between(FlatMap(between(Map(between(source), plusOne)), five)).Filter(odd))
}

func BenchmarkL(b *testing.B) {
	async := func(s Stream[int]) Stream[int] { return s.Async(4) }
	for _, c := range []struct {
		name string
		s    Stream[int]
	}{
		{"fused", pipelineL(FromSlice(inputs), func(s Stream[int]) Stream[int] { return s })},
		{"async256", pipelineL(FromSlice(inputs), async)},
		{"async64", pipelineL(FromSlice(inputs), async).Size(64)},
		{"one", pipelineL(FromSlice(inputs), func(s Stream[int]) Stream[int] { return s }).Async(4)},
	} {
		b.Run("way="+c.name, func(b *testing.B) {
			b.ReportAllocs()
			ctx := context.Background()
			sum, failed := 0, 0
			for b.Loop() {
				sum, failed = 0, 0
				c.s.Each(ctx, func(v int, err error) error {
					if err != nil {
						failed++
						return nil
					}
					sum += v
					return nil
				})
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/100000, "ns/item")
			_ = sum
		})
	}
}

// BenchmarkSource measures the cost of an input until a sink has it.
func BenchmarkSource(b *testing.B) {
	seq := func(yield func(int) bool) {
		for _, v := range inputs {
			if !yield(v) {
				return
			}
		}
	}
	for name, s := range map[string]Stream[int]{"slice": FromSlice(inputs), "seq": FromSeq(seq), "async": FromSlice(inputs).Async(4)} {
		b.Run("from="+name, func(b *testing.B) {
			b.ReportAllocs()
			sum := 0
			for b.Loop() {
				s.Each(context.Background(), func(v int, err error) error {
					sum += v
					return nil
				})
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(inputs)), "ns/item")
		})
	}
}
