package duet

import (
	"context"
	"fmt"
	"os"
	"strconv"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
)

// HeapEnv makes a process count every allocation, for [Proc.Heap].
const HeapEnv = "POOLPROOF_HEAP=1"

// Heap runs one operation of the current leaf, then n, and returns what the
// process had allocated before, between and after them. file is written and
// taken away. The binary must be built with Build.Profiles; without [HeapEnv]
// the counts are those of samples.
func (p *Proc) Heap(ctx context.Context, n int, file string) ([]profile.Record, error) {
	if _, err := p.profile(ctx, "heap", n, file); err != nil {
		return nil, err
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer os.Remove(file)
	defer f.Close()
	records, err := profile.ReadRecords(f)
	if err != nil {
		return nil, fmt.Errorf("the allocations of %s: %w", p.leaf, err)
	}
	return records, nil
}

// CPUProfile runs n operations of the current leaf and writes a CPU profile of
// them to file, in the format of pprof. The binary must be built with
// Build.Profiles.
func (p *Proc) CPUProfile(ctx context.Context, n int, file string) (Burst, error) {
	line, err := p.profile(ctx, "cpu", n, file)
	if err != nil {
		return Burst{}, err
	}
	return parseBurst(line)
}

func (p *Proc) profile(ctx context.Context, command string, n int, file string) (line string, err error) {
	return p.order(ctx, command+" "+strconv.Itoa(n)+" "+strconv.Quote(file))
}
