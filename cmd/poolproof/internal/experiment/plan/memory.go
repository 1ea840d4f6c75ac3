package plan

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
)

// memory holds the allocations of an operation of a benchmark, as testing counts them.
type memory struct {
	bytes, allocs float64
	known         bool
}

var memoryLine = regexp.MustCompile(`(?m)([0-9.]+) B/op\s+([0-9.]+) allocs/op`)

// How long a benchmark is run to count what it allocates: the same number of operations on
// both sides.
const (
	memoryTime = 100 * time.Millisecond
	leastCount = 3
	mostCount  = 20000
)

// countMemory counts what a benchmark of a binary allocates. A benchmark that fails there is
// not known: it fails where it is measured, too.
func countMemory(ctx context.Context, bs *build.Set, o ask.Options, binary string, l duet.Leaf) (memory, error) {
	n := mostCount
	if l.Once > 0 {
		n = max(leastCount, min(mostCount, int(memoryTime/l.Once)))
	}
	limit := o.Timeout + time.Duration(n)*l.Once*4
	out, _, err := duet.Exec(ctx, bs.Program(binary, 0, nil), limit, "-test.run=^$", "-test.bench="+duet.Pattern(l.Name),
		"-test.benchmem", "-test.benchtime="+strconv.Itoa(n)+"x")
	if ctx.Err() != nil {
		return memory{}, ctx.Err()
	}
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return memory{}, nil
	}
	m := memoryLine.FindStringSubmatch(out)
	if m == nil {
		return memory{}, nil
	}
	bytes, _ := strconv.ParseFloat(m[1], 64)
	allocs, _ := strconv.ParseFloat(m[2], 64)
	return memory{bytes, allocs, true}, nil
}

// The share of the bytes, and their number, below which a difference may be that of the moment:
// testing rounds what it counts.
const (
	leastShare = 0.005
	leastBytes = 2
)

// removesNothing says that neither counter is lower than before; "" if one is, or it is not
// known.
func (m memory) removesNothing(before memory) string {
	if !m.known || !before.known || m.allocs < before.allocs || before.bytes-m.bytes >= max(leastBytes, leastShare*before.bytes) {
		return ""
	}
	return fmt.Sprintf("it removes nothing here: %.0f B and %.0f allocations an operation, and %.0f and %.0f before", m.bytes, m.allocs, before.bytes, before.allocs)
}
