package duet

import (
	"context"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Processors of a machine are not equally fast: one shares its core with a
// neighbour of the host, another one does not, for seconds or minutes. Two processes
// that sit on one each differ by up to a factor of two, in either direction. So where
// the work is that of one thread, the bursts of both sides run on the same
// processor, which each launch chooses again. Code of several threads stays where the
// kernel puts it: on one processor it would be other code.

// ofOneThread reports whether the work of both sides is that of one thread, but for
// that of the collector. Its bursts are longer than those that are measured: around
// each of them the runtime stops and starts all threads.
func (m *measuring) ofOneThread(ctx context.Context, sides [2]study.Side) (bool, error) {
	const bursts, enough, target = 5, 2, 10 * time.Millisecond
	for _, side := range sides {
		n := m.shape.N[side]
		b, err := m.run(ctx, side, n, false)
		if err != nil {
			return false, err
		}
		n *= int(min(16, max(1, target/max(b.Real, 1))))
		var sum Burst
		stayed := 0
		for k := 0; k < bursts && stayed <= enough; k++ {
			if b, err = m.run(ctx, side, n, false); err != nil {
				return false, err
			}
			if b.Own == 0 { // it ended on another thread: the machine is busy, or there are several
				continue
			}
			stayed++
			sum.All, sum.Own, sum.Waits, sum.GCCPU = sum.All+b.All, sum.Own+b.Own, sum.Waits+b.Waits, sum.GCCPU+b.GCCPU
		}
		if others := sum.All - sum.Own - sum.GCCPU; stayed < enough || others > sum.Own/4 || sum.Waits > sum.Own/stretch.Nanoseconds() {
			return false, nil
		}
	}
	return true, nil
}

// stretch is how long a thread works at least, on average, until it waits: a
// collection lets it wait now and then.
const stretch = 100 * time.Microsecond

// calibrated is how many bursts warm up a process that has just worked for longer than
// the usual ones take, to tell that it does so on one thread.
const calibrated = 4

// warmUp runs the bursts that are not measured, wherever the kernel puts them. It
// then binds those that follow to the processor that the kernel gave to the last
// one, if they are the work of one thread, and returns it; 0: they run anywhere.
func (m *measuring) warmUp(ctx context.Context, sides [2]study.Side) (processor int, err error) {
	bursts := m.shape.WarmUp
	if m.Shape == nil && m.shape.OneThread {
		bursts = min(bursts, calibrated)
	}
	for i := range bursts {
		for _, side := range sides {
			b, err := m.run(ctx, side, m.shape.N[side], i == 0)
			if err != nil {
				return 0, err
			}
			processor = b.Processor
		}
	}
	if !m.shape.OneThread {
		return 0, nil
	}
	for _, p := range m.procs {
		p.On = processor
	}
	return processor, nil
}
