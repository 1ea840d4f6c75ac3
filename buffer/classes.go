package buffer

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
// multiples of 64, so that neither the class nor the allocator under it rounds
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

const (
	// wideStep divides each default class above fineMax up to wideMax, the last
	// size for which the table of an index knows more than where to begin.
	wideStep = 8 << 10
	wideMax  = 1 << 20
)

// index finds the class of a size.
type index struct {
	fine  [fineMax/grain + 1]uint8  // by size in grains, rounded up
	wide  [wideMax / wideStep]uint8 // by size in steps, rounded down: the class of the first size
	sizes []int                     // of the classes, ascending
}

// defaultIndex is the index of the default classes to the default Options.Max.
var defaultIndex = makeIndex(defaultClasses(defaultMax))

// makeIndex returns the index of classes, which are ascending multiples of grain.
func makeIndex(classes []int) (x index) {
	x.sizes = classes
	fill := func(table []uint8, size func(at int) int) {
		i := 0
		for at := range table {
			for i < len(classes)-1 && classes[i] < size(at) {
				i++
			}
			table[at] = uint8(i)
		}
	}
	fill(x.fine[:], func(grains int) int { return grains * grain })
	fill(x.wide[:], func(steps int) int { return steps*wideStep + 1 })
	return x
}

// of returns the position of the smallest class that holds n bytes. n must be
// from 0 to the last class. Of default classes up to wideMax the table names the
// very one. Above that the loop takes four steps for each doubling, which are little
// beside what is done with so much memory. of calls nothing, so that it is inlined.
func (x *index) of(n int) int {
	if n <= fineMax {
		return int(x.fine[uint(n+grain-1)/grain])
	}
	i := int(x.wide[min(uint(n-1)/wideStep, wideMax/wideStep-1)])
	for x.sizes[i] < n {
		i++
	}
	return i
}
