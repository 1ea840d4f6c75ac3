package duet

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Burst holds the measurements of one side in one burst.
type Burst struct {
	study.Burst
	N    int           // the benchmark's own b.N afterwards
	Real time.Duration // from command to answer, as the controller saw it
	// Processor is where it ended, 1 for the first; 0 if that is not known.
	Processor int
	// All and Own are the CPU times, in nanoseconds, of the process and of the thread
	// that began the burst, with the benchmark's set-up. That thread waited Waits
	// times. Own and Waits are 0 if the burst ended on another thread.
	All, Own, Waits int64
}

// parseBurst reads the server's answer to a run command: the word burst, fifteen
// integers, then pairs of a quoted unit and a number.
func parseBurst(line string) (Burst, error) {
	bad := fmt.Errorf("unexpected answer %q", line)
	f := strings.SplitN(line, " ", 17)
	if f[0] != "burst" || len(f) < 16 {
		return Burst{}, bad
	}
	var v [15]int64
	for i := range v {
		var err error
		if v[i], err = strconv.ParseInt(f[i+1], 10, 64); err != nil {
			return Burst{}, bad
		}
	}
	s := Burst{N: int(v[10]), Processor: int(v[11]), All: v[12], Own: v[13], Waits: v[14], Burst: study.Burst{
		Seen: study.SeenInside, Wall: v[0], CPU: v[1], Drain: v[2], DrainW: v[3], Allocs: uint64(v[4]), Bytes: uint64(v[5]),
		GCs: uint32(v[6]), GCCPU: v[7], Pause: v[8], Heap: uint64(v[9]),
	}}
	if len(f) == 17 {
		s.Extra = map[string]float64{}
		for rest := f[16]; rest != ""; {
			quoted, err := strconv.QuotedPrefix(rest)
			if err != nil {
				return Burst{}, bad
			}
			unit, _ := strconv.Unquote(quoted)
			value, tail, _ := strings.Cut(strings.TrimPrefix(rest[len(quoted):], " "), " ")
			x, err := strconv.ParseFloat(value, 64)
			if err != nil {
				return Burst{}, bad
			}
			s.Extra[unit], rest = x, tail
		}
	}
	return s, nil
}
