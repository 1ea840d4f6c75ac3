package profile

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/stdlib"
)

// Frame is one function on a stack. An inlined function has a frame of its own.
type Frame struct {
	Function string // as the runtime writes it: import path, dot, name
	File     string
	Line     int
}

// Counts are allocations, whether freed or not.
type Counts struct{ Objects, Bytes int64 }

// Record says what a process had allocated from one stack at three times: at
// first, after a run of one operation, and after another run of n operations.
type Record struct {
	Stack []Frame // the innermost first
	At    [3]Counts
}

// Sample holds the allocations from one stack: per operation of a benchmark, or all
// of a profile.
type Sample struct {
	Stack          []Frame // the innermost first
	Objects, Bytes float64
}

// Cancel returns what one operation allocates, without the set-up that each of
// the two runs had and without all before them: history P, set-up s and
// operation x give (P + 2s + (n+1)x) - 2(P + s + x) + P = (n-1)x. n is at least
// 2. What a background goroutine or a cache makes uneven and would come out
// negative is left out. Samples of the burst server itself are left out, too.
func Cancel(records []Record, n int) []Sample {
	var samples []Sample
	for _, r := range records {
		if ofServer(r.Stack) || ofCollector(r.Stack) {
			continue
		}
		per := func(of func(Counts) int64) float64 {
			return max(0, float64(of(r.At[2])-2*of(r.At[1])+of(r.At[0]))/float64(n-1))
		}
		s := Sample{
			Stack:   r.Stack,
			Objects: per(func(c Counts) int64 { return c.Objects }),
			Bytes:   per(func(c Counts) int64 { return c.Bytes }),
		}
		if s.Bytes > 0 || s.Objects > 0 {
			samples = append(samples, s)
		}
	}
	return samples
}

// ofServer reports whether the burst server in the testing package allocates,
// and not the benchmark that it runs: then no frame of a benchmark is below it.
func ofServer(stack []Frame) bool {
	for _, f := range stack {
		if name, ok := strings.CutPrefix(f.Function, "testing."); ok {
			return strings.Contains(name, "poolproof")
		}
		if !stdlib.Has(PackageOf(f.Function)) {
			return false
		}
	}
	return false
}

// ofCollector reports whether the runtime allocates inside of an allocation of the
// program: what a goroutine waits with that has to help a collection, now and then.
func ofCollector(stack []Frame) bool {
	left := false // the innermost allocation
	for _, f := range stack {
		inside := strings.HasPrefix(f.Function, "runtime.mallocgc")
		if inside && left {
			return true
		}
		left = left || !inside
	}
	return false
}

// ReadRecords reads what a test binary of package duet writes for its command
// heap.
func ReadRecords(r io.Reader) ([]Record, error) {
	frames := map[int]Frame{}
	var records []Record
	lines := bufio.NewReader(r)
	for number := 1; ; number++ {
		line, err := lines.ReadString('\n')
		if err == io.EOF {
			return nil, fmt.Errorf("line %d: the file is cut off", number)
		}
		if err != nil {
			return nil, err
		}
		word, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		bad := fmt.Errorf("line %d is not understood: %q", number, line)
		switch word {
		case "end":
			return records, nil
		case "frame":
			var id int
			var f Frame
			if _, err := fmt.Sscanf(rest, "%d %d %q %q", &id, &f.Line, &f.Function, &f.File); err != nil {
				return nil, bad
			}
			frames[id] = f
		case "stack":
			fields := strings.Fields(rest)
			if len(fields) < 6 {
				return nil, bad
			}
			var rec Record
			for i, field := range fields {
				v, err := strconv.ParseInt(field, 10, 64)
				if err != nil {
					return nil, bad
				}
				switch {
				case i < 6 && i%2 == 0:
					rec.At[i/2].Objects = v
				case i < 6:
					rec.At[i/2].Bytes = v
				default:
					f, ok := frames[int(v)]
					if !ok {
						return nil, bad
					}
					rec.Stack = append(rec.Stack, f)
				}
			}
			records = append(records, rec)
		default:
			return nil, bad
		}
	}
}
