package transport_test

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/poolproof/poolproof/systems/mdns/transport"
)

// quiet leaves one processor and no collections, so that a pool gives back what
// was put and the counters are exact.
func quiet(t *testing.T) {
	t.Helper()
	if raceEnabled {
		t.Skip("the race detector allocates, and has pools drop objects")
	}
	if checkedBuild {
		t.Skip("in the checked build each Get makes a new object")
	}
	procs, percent := runtime.GOMAXPROCS(1), debug.SetGCPercent(-1)
	t.Cleanup(func() {
		debug.SetGCPercent(percent)
		runtime.GOMAXPROCS(procs)
	})
	runtime.GC() // one that was running before SetGCPercent
	for range 100 {
		runtime.Gosched() // what it has left to do, which allocates
	}
}

// Real packets on a real socket: lent and owned ones cost nothing, a copy costs
// one allocation of its size.
func TestReceivingAllocates(t *testing.T) {
	quiet(t)
	const n = 64
	for _, batch := range []int{1, 8} {
		for _, networks := range [][]string{ipv4Only, {"udp6"}, both} {
			for _, f := range forms {
				for _, size := range []int{145, 1433, 8900} {
					name := fmt.Sprintf("%s/batch=%d/%v/bytes=%d", f.name, batch, networks, size)
					l := open(t, transport.Config{Batch: batch, ClearUsed: true}, networks...)
					sent := packets(size, 0, n)
					ctx := t.Context()
					use := func(data []byte, _ transport.Meta) {
						if len(data) != size {
							t.Error("a packet of another size")
						}
					}
					var counts []uint64
					var before, after runtime.MemStats
					for range 6 {
						l.send(t, sent...)
						runtime.ReadMemStats(&before)
						if err := f.take(ctx, l.Conn, n, use); err != nil {
							t.Fatal(err)
						}
						runtime.ReadMemStats(&after)
						counts = append(counts, after.Mallocs-before.Mallocs)
					}
					// What a call of Serve or Packets costs once, its closures and
					// contexts, is not per packet; nor are the pumps' stacks, and what
					// the runtime needs for itself now and then.
					once := uint64(12)
					least, most, want := slices.Min(counts[1:]), slices.Max(counts[1:]), uint64(f.allocs*n)
					exact := f.shared && len(networks) == 1 && networks[0] == "udp4"
					if least < want || most > want+once || exact && least != want {
						t.Errorf("%s: %d packets make %v allocations, want %d", name, n, counts, want)
					}
				}
			}
		}
	}
}

// A context that can end costs nothing per packet as long as it is the same.
func TestWaitingWithOneContextAllocatesNothing(t *testing.T) {
	quiet(t)
	l := open(t, transport.Config{}, "udp4")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	one := packet(145, 1)
	got := testing.AllocsPerRun(200, func() {
		l.send(t, one)
		o, err := l.ReceiveOwned(ctx)
		if err != nil {
			t.Fatal(err)
		}
		o.Release()
	})
	if got != 0 {
		t.Errorf("%v allocations", got)
	}
}

// The end of a context wakes the reader in a goroutine of its own. Close waits
// for one that has begun: it would set the deadline of a closed socket, and
// allocate the error, while a later user counts allocations. The runtime may
// allocate for itself now and then, not each time.
func TestNoWakeIsLateForClose(t *testing.T) {
	quiet(t)
	var counts []uint64
	for range 5 {
		l := open(t, transport.Config{}, "udp4")
		ctx, cancel := context.WithCancel(t.Context())
		l.send(t, packet(145, 1))
		o, err := l.ReceiveOwned(ctx)
		if err != nil {
			t.Fatal(err)
		}
		o.Release()
		cancel()
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range 100 {
			runtime.Gosched()
		}
		runtime.ReadMemStats(&after)
		counts = append(counts, after.Mallocs-before.Mallocs)
	}
	if slices.Min(counts) != 0 {
		t.Errorf("%v allocations after Close", counts)
	}
}

func TestSendingAllocatesNothing(t *testing.T) {
	quiet(t)
	for _, networks := range [][]string{ipv4Only, {"udp6"}} {
		l := open(t, transport.Config{}, networks...)
		msg := packet(145, 1)
		if got := testing.AllocsPerRun(100, func() {
			if err := l.Send(l.loop.Index, l.LocalAddr(), msg); err != nil {
				t.Fatal(err)
			}
		}); got != 0 {
			t.Errorf("%v: %v allocations", networks, got)
		}
	}
}
