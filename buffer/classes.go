package buffer

import (
	"math/bits"
	"slices"
)

const (
	// grain divides each class. Memory of such a size begins at a multiple of 64
	// in Go's heap: a size class of the runtime that is a multiple of 64 lies at
	// multiples of itself from the start of a page, and larger memory begins with
	// a page. Memory that would not is over-allocated (newMemory).
	grain = 64

	// fineMax is the last size that the table of an index covers.
	fineMax = 32 << 10

	// maxClasses: the table of an index has bytes.
	maxClasses = 256
)

// fineClasses are the classes to 32 KiB: size classes of Go's allocator that are
// multiples of 64, so that neither the class nor the allocator behind it rounds
// a request up twice. TestClassesAreExactInTheRuntime asks the runtime.
var fineClasses = [...]int{
	64, 128, 192, 256, 320, 384, 448, 512, 640, 768, 896, 1024, 1280, 1536, 1792, 2048,
	2304, 2688, 3072, 3456, 4096, 4864, 5376, 6144, 6912, 8192, 9472, 10240, 12288, 14336, 16384, 18432,
	20480, 24576, 28672, 32768,
}

// defaultClasses returns the default classes up to the first that holds max:
// fineClasses, then four for each doubling, which are whole pages of the
// runtime.
func defaultClasses(max int) []int {
	classes := make([]int, 0, len(fineClasses)+4*5) // those to 1 MiB
	for _, size := range fineClasses {
		classes = append(classes, size)
		if size >= max {
			return classes
		}
	}
	for base := fineMax; ; base *= 2 {
		for quarter := 1; quarter <= 4; quarter++ {
			size := base + quarter*(base/4)
			classes = append(classes, size)
			if size >= max {
				return classes
			}
		}
	}
}

// index finds the class of a size.
type index struct {
	fine    [fineMax/grain + 1]uint8 // by size in grains, rounded up
	coarse  []int                    // all classes, ascending
	regular bool                     // above 32 KiB there are the default classes
}

// defaultIndex is the index of the default classes to the default Options.Max.
var defaultIndex = makeIndex(defaultClasses(defaultMax), true)

// makeIndex returns the index of classes, which are ascending multiples of grain.
func makeIndex(classes []int, regular bool) (x index) {
	x.coarse, x.regular = classes, regular
	i := 0
	for grains := range x.fine {
		for i < len(classes)-1 && classes[i] < grains*grain {
			i++
		}
		x.fine[grains] = uint8(i)
	}
	return x
}

// of returns the position of the smallest class that holds n bytes. n must be
// from 0 to the last class.
func (x *index) of(n int) int {
	if n <= fineMax {
		return int(x.fine[uint(n+grain-1)/grain])
	}
	return x.above(n)
}

// above is of for n above 32 KiB. The four classes of a doubling differ in the
// two bits after the highest one of n-1.
func (x *index) above(n int) int {
	if x.regular {
		m := uint(n - 1)
		e := bits.Len(m) - 1
		return len(fineClasses) + 4*(e-15) + int(m>>(e-2)) - 4
	}
	i, _ := slices.BinarySearch(x.coarse, n)
	return i
}
