package collect

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

const (
	heapWork = 20 * time.Millisecond // of operations in an allocation profile
	mostOps  = 100_000               // in an allocation profile
	mostCPU  = 300 * time.Millisecond
	leastCPU = 50 * time.Millisecond

	// How often a benchmark runs, at least: each time with its set-up. A brief
	// profile has no CPU profile and is of two operations.
	passes      = 9
	briefPasses = 4
)

// one profiles a benchmark. Its two profiles are taken of two processes: one
// that counts every allocation takes much more time for them. Without time for a
// CPU profile the profile is brief.
func (c *collector) one(ctx context.Context, leaf duet.Leaf, cpuWork time.Duration) (profile.Benchmark, error) {
	b := profile.Benchmark{Package: c.Package.Path, Name: leaf.Name}
	var err error
	if b.Samples, err = c.heap(ctx, leaf.Name, cpuWork == 0); err != nil {
		return b, err
	}
	if cpuWork == 0 {
		b.Wall = float64(leaf.Once)
		return b, nil
	}
	b.CPU, b.Wall, err = c.cpu(ctx, leaf.Name, cpuWork)
	return b, err
}

// start starts a process at the benchmark of that name.
func (c *collector) start(ctx context.Context, name string, env ...string) (*duet.Proc, error) {
	program := c.program
	program.Env = env
	p, err := duet.Start(ctx, program, duet.Pattern(name), c.Timeout)
	if err != nil {
		return nil, err
	}
	for {
		leaf, err := p.Next(ctx)
		if errors.Is(err, io.EOF) {
			err = &duet.BenchError{Status: study.StatusFailed, Text: name + " is not there a second time"}
		}
		if err != nil {
			p.Close()
			return nil, err
		}
		if leaf == name {
			return p, nil
		}
	}
}

func (c *collector) heap(ctx context.Context, name string, brief bool) ([]profile.Sample, error) {
	p, err := c.start(ctx, name, duet.HeapEnv)
	if err != nil {
		return nil, err
	}
	defer p.Leave()
	n := 2
	if !brief {
		if n, _, err = operations(ctx, p, heapWork); err != nil {
			return nil, err
		}
		n = min(max(n, 2), mostOps)
	}
	records, err := p.Heap(ctx, n, filepath.Join(c.Scratch, "heap.txt"))
	if err != nil {
		return nil, err
	}
	return profile.Cancel(records, n), nil
}

// cpu returns the CPU profile of the benchmark, as far as it was asked for, and
// the nanoseconds of an operation. Set-up that takes a part of the run is taken off.
func (c *collector) cpu(ctx context.Context, name string, work time.Duration) (profile.CPU, float64, error) {
	p, err := c.start(ctx, name)
	if err != nil {
		return profile.CPU{}, 0, err
	}
	defer p.Leave()
	n, last, err := operations(ctx, p, work)
	if err != nil {
		return profile.CPU{}, 0, err
	}
	if !c.CPU {
		return profile.CPU{}, float64(last.Wall) / float64(last.N), nil
	}
	of := func(n int) (profile.CPU, duet.Burst, error) {
		file := filepath.Join(c.Scratch, "cpu.pb.gz")
		defer os.Remove(file)
		burst, err := p.CPUProfile(ctx, n, file)
		if err != nil {
			return profile.CPU{}, burst, err
		}
		cpu, err := profile.ReadCPU(file)
		return cpu, burst, err
	}
	cpu, burst, err := of(n)
	if err != nil {
		return profile.CPU{}, 0, err
	}
	if outside := burst.Real - time.Duration(burst.Wall) - stopCPU; n > 1 && outside > time.Duration(burst.Wall)/10 {
		setUp, _, err := of(1)
		if err != nil {
			return profile.CPU{}, 0, err
		}
		cpu = cpu.Less(setUp)
	}
	return cpu, float64(burst.Wall) / float64(burst.N), nil
}

// stopCPU is about how long a CPU profile takes to end.
const stopCPU = 200 * time.Millisecond

// operations finds how many operations take about as long as work, at least one,
// and returns the last burst, too.
func operations(ctx context.Context, p *duet.Proc, work time.Duration) (n int, last duet.Burst, err error) {
	n = 1
	for {
		last, err = p.Run(ctx, n, true)
		if err != nil {
			return 0, last, err
		}
		took := time.Duration(max(1, last.Wall))
		fits := int(min(1e9, float64(n)*float64(work)/float64(took)))
		if took >= work/4 || fits <= n || n >= mostOps*100 {
			return max(1, fits), last, nil
		}
		n = min(fits, 100*n)
	}
}
