package flatmapslices

import "testing"

// Stages, pools and input outlive a benchmark's call, so that a pool is warm
// whenever the clock runs. b.Loop changes nothing in what is inlined here: an
// operation is behind a function value in any case.

// BenchmarkPipeline is source, flat map and drain: two goroutines and two channels,
// or a stream of package flow. An operation is 1000 inputs and 5000 outputs.
func BenchmarkPipeline(b *testing.B) {
	for _, arm := range pipelineArms {
		b.Run("slices="+arm.name, func(b *testing.B) {
			ctx := b.Context()
			ctx.Done() // allocates on its first call, which no operation shall pay
			b.ReportAllocs()
			for b.Loop() {
				sum, failed := arm.run(ctx)
				if sum != pipelineSum || failed != 0 {
					b.Fatalf("sum %d and %d failed, want %d and 0", sum, failed, pipelineSum)
				}
			}
		})
	}
}

// BenchmarkIsolated is the slice alone. An operation is 1000 slices of ten
// elements.
func BenchmarkIsolated(b *testing.B) {
	for _, item := range isolatedItems {
		b.Run("item="+item.name, func(b *testing.B) {
			for _, arm := range item.arms {
				b.Run("slices="+arm.name, func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						if sum := arm.run(inputs, isolatedFan); sum != isolatedSum {
							b.Fatalf("sum %d, want %d", sum, isolatedSum)
						}
					}
				})
			}
		})
	}
}

// BenchmarkShapes is the pipeline with items of other sizes and another number of
// outputs. An operation is 1000 inputs.
func BenchmarkShapes(b *testing.B) {
	for _, shape := range shapes {
		b.Run(shape.name, func(b *testing.B) {
			for _, arm := range shape.arms {
				b.Run("slices="+arm.name, func(b *testing.B) {
					ctx := b.Context()
					ctx.Done()
					b.ReportAllocs()
					for b.Loop() {
						if sum, failed := arm.run(ctx); sum != shape.sum || failed != 0 {
							b.Fatalf("sum %d and %d failed, want %d and 0", sum, failed, shape.sum)
						}
					}
				})
			}
		})
	}
}
