package duet

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Slice is what one side did in one slice: totals of N operations, as in
// study.Columns.
type Slice struct {
	Wall, CPU     int64
	Drain, DrainW int64
	Allocs, Bytes uint64
	GCs           uint32
	GCCPU, Pause  int64
	Heap          uint64
	Late, Price   int64  // of a paced slice, as in study.Columns
	PricePause    int64  // of a paced slice, as in study.Columns
	Room          uint64 // of a paced slice, as in study.Columns
	N             int    // the benchmark's own b.N afterwards
	paced         bool
	Extra         map[string]float64
	Real          time.Duration // from command to answer, as the controller saw it
}

// parseSlice reads the server's answer to a run command: the word slice, eleven
// integers, then pairs of a quoted unit and a number.
func parseSlice(line string) (Slice, error) {
	bad := fmt.Errorf("unexpected answer %q", line)
	f := strings.SplitN(line, " ", 13)
	if f[0] != "slice" || len(f) < 12 {
		return Slice{}, bad
	}
	var v [11]int64
	for i := range v {
		var err error
		if v[i], err = strconv.ParseInt(f[i+1], 10, 64); err != nil {
			return Slice{}, bad
		}
	}
	s := Slice{
		Wall: v[0], CPU: v[1], Drain: v[2], DrainW: v[3], Allocs: uint64(v[4]), Bytes: uint64(v[5]),
		GCs: uint32(v[6]), GCCPU: v[7], Pause: v[8], Heap: uint64(v[9]), N: int(v[10]),
	}
	if len(f) == 13 {
		s.Extra = map[string]float64{}
		for rest := f[12]; rest != ""; {
			quoted, err := strconv.QuotedPrefix(rest)
			if err != nil {
				return Slice{}, bad
			}
			unit, _ := strconv.Unquote(quoted)
			value, tail, _ := strings.Cut(strings.TrimPrefix(rest[len(quoted):], " "), " ")
			x, err := strconv.ParseFloat(value, 64)
			if err != nil {
				return Slice{}, bad
			}
			s.Extra[unit], rest = x, tail
		}
	}
	return s, nil
}
