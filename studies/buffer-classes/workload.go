package bufferclasses

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

const (
	uses      = 1024 // of an operation
	usesRare  = 64   // of an operation of rare uses: each has a pool of its own
	largest   = 1 << 20
	fewest    = 4096 // files that stand for something
	collected = 3    // collections between rare uses
)

// Sizes are those of 1,024 files of the Go distribution's src: the files that
// are neither empty nor above 1 MiB, ordered by size, at even distances; mixed
// then, the same in each run.
var Sizes = sync.OnceValues(func() ([]int, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT, to find real file sizes: %w", err)
	}
	root := filepath.Join(strings.TrimSpace(string(out)), "src")
	var all []int
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err == nil && 0 < info.Size() && info.Size() <= largest {
			all = append(all, int(info.Size()))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(all) < fewest {
		return nil, fmt.Errorf("%s has %d files, too few to stand for anything", root, len(all))
	}
	slices.Sort(all)
	sizes := make([]int, uses)
	for i := range sizes {
		sizes[i] = all[(2*i+1)*len(all)/(2*uses)]
	}
	rand.New(rand.NewPCG(3, 4)).Shuffle(uses, func(i, j int) { sizes[i], sizes[j] = sizes[j], sizes[i] })
	return sizes, nil
})

// arms are the ways to keep buffers, by the names in the benchmarks.
var arms = []struct {
	name   string
	create func(flight int) Arm
}{
	{"single", NewSingle},
	{"make", NewMake},
	{"drop64k", NewDrop64K},
	{"classes", NewClasses},
	{"reserve", NewReserve},
}

// way is how a use tells its size.
type way struct {
	name string
	use  func(Arm, int) uint64
}

var ways = []way{{"append", Arm.Append}, {"known", Arm.Known}}

// round is an operation: one use of each size.
func round(a Arm, w way, sizes []int) (sum uint64) {
	for _, size := range sizes {
		sum += w.use(a, size)
	}
	return sum
}

// sumOf returns what a round must read.
func sumOf(sizes []int) (sum uint64) {
	for _, size := range sizes {
		file := make([]byte, 0, size)
		for len(file) < size {
			file = append(file, source[:min(chunk, size-len(file))]...)
		}
		sum += read(file)
	}
	return sum
}

// rare is an operation of rare uses: one of each arm, with a size of its own.
func rare(arms []Arm, sizes []int) (sum uint64) {
	for i, a := range arms {
		sum += a.Known(sizes[i])
		a.Drain()
	}
	return sum
}
