package profile

import (
	"fmt"
	"os"
	"slices"
	"strings"

	pprof "github.com/google/pprof/profile"
)

// ReadCPU reads a CPU profile from a file.
func ReadCPU(name string) (CPU, error) {
	f, err := os.Open(name)
	if err != nil {
		return CPU{}, err
	}
	defer f.Close()
	p, err := pprof.Parse(f)
	if err != nil {
		return CPU{}, fmt.Errorf("%s: %w", name, err)
	}
	c, ok := cpuOf(p)
	if !ok {
		return CPU{}, fmt.Errorf("%s is no CPU profile", name)
	}
	return c, nil
}

// cpuOf sorts the samples of a CPU profile by what the time went to. ok is
// false where p is no CPU profile.
func cpuOf(p *pprof.Profile) (c CPU, ok bool) {
	value := sampleIndex(p, "samples", "count")
	if value < 0 || sampleIndex(p, "cpu", "nanoseconds") < 0 {
		return CPU{}, false
	}
	for _, s := range p.Sample {
		n := float64(s.Value[value])
		c.Samples += n
		switch spent(s) {
		case collecting:
			c.Collect += n
		case allocating:
			c.Allocate += n
		}
	}
	return c, true
}

type spending int

const (
	running spending = iota
	allocating
	collecting
)

// spent says what the time of a sample went to. Marking that the allocator asks
// of a goroutine is collection.
func spent(s *pprof.Sample) spending {
	on := running
	for _, l := range s.Location {
		for _, line := range l.Line {
			if line.Function == nil {
				continue
			}
			name, ok := strings.CutPrefix(line.Function.Name, "runtime.")
			switch {
			case !ok:
			case hasAnyPrefix(name, collectors):
				return collecting
			case hasAnyPrefix(name, allocators):
				on = allocating
			}
		}
	}
	return on
}

var (
	collectors = []string{
		"gcBgMarkWorker", "gcAssistAlloc", "gcStart", "gcMark", "gcDrain", "gcSweep", "gcWriteBarrier", "wbBufFlush", "bgsweep", "bgscavenge",
		"(*sweepLocked)", "(*gcWork)", "(*gcControllerState)", "scanobject", "scanblock", "scanstack", "greyobject", "deductSweepCredit",
	}
	allocators = []string{
		"mallocgc", "newobject", "newarray", "makeslice", "growslice", "makemap", "makechan", "concatstring", "concatbyte", "rawbyteslice", "rawruneslice",
		"rawstring", "slicebytetostring", "stringtoslice", "slicerunetostring", "intstring", "convT",
	}
)

func hasAnyPrefix(s string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}

// sampleIndex is the index of the value of that type, or -1.
func sampleIndex(p *pprof.Profile, typ, unit string) int {
	return slices.IndexFunc(p.SampleType, func(t *pprof.ValueType) bool { return t.Type == typ && t.Unit == unit })
}
