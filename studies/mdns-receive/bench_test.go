package mdnsreceive

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"
)

// The arms of each benchmark. recvmmsg is skipped where there is none.
var (
	drainArms     = []string{"make", "pool", "noclear", "used", "querier", "fixed", "locked", "msg", "copy", "counted", "readbatch", "recvmmsg", "docmake", "docpool", "transport"}
	receiversArms = []string{"make", "pool", "locked", "msg", "counted", "transport"}
	rateArms      = []string{"make", "pool", "msg", "docmake", "docpool", "transport"}
)

// BenchmarkDrain receives packets that wait in the socket's queue. An operation
// is all packets of the load; they are sent while the timer stands, as many at
// a time as the queue holds for certain.
func BenchmarkDrain(b *testing.B) {
	for _, size := range sizes {
		b.Run(fmt.Sprintf("bytes=%d", size), func(b *testing.B) {
			for _, name := range drainArms {
				b.Run("recv="+name, func(b *testing.B) {
					c, l, arm := setUp(b, name, size)
					r, err := arm.open(c)
					if err != nil {
						b.Fatal(err)
					}
					total := new(Consumer)
					deliver := total.Deliver // made once, so that no operation allocates it
					drain(b, c, l, total, func(n int) (int, error) { return r.Receive(n, deliver) })
				})
			}
		})
	}
}

// BenchmarkReceivers is BenchmarkDrain by many goroutines, which share the
// packets of an operation and give way to each other after each packet.
func BenchmarkReceivers(b *testing.B) {
	const size = 145
	for _, n := range []int{8, 100} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			for _, name := range receiversArms {
				b.Run("recv="+name, func(b *testing.B) {
					c, l, arm := setUp(b, name, size)
					crew, err := newCrew(c, arm, n)
					if err != nil {
						b.Fatal(err)
					}
					defer crew.dismiss()
					total := new(Consumer)
					drain(b, c, l, total, func(n int) (int, error) { return crew.receive(n, total) })
				})
			}
		})
	}
}

// drain is the loop of both. receive takes n packets, and they are consumed in
// total.
func drain(b *testing.B, c *Conn, l load, total *Consumer, receive func(n int) (int, error)) {
	size := len(l.packets[0])
	fill := min(len(l.packets), c.Capacity(size))
	fills := 0
	b.ReportAllocs()
	for b.Loop() {
		*total = Consumer{}
		for left := l.packets; len(left) > 0; fills++ {
			now := left[:min(fill, len(left))]
			left = left[len(now):]
			b.StopTimer()
			err := c.Fill(now)
			b.StartTimer()
			if err != nil {
				b.Fatal(err)
			}
			if took, err := receive(len(now)); err != nil {
				b.Fatal(c.Lost(took, len(now), size, err))
			}
		}
		if err := l.check(*total); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(fills)/float64(b.N), "fills/op") // more than 1 where the queue is too short
}

// BenchmarkRate is a receiver that waits for each packet, as a responder does
// nearly all of its time. An operation sends one packet and ends when it is
// consumed; all of it is timed, what sending costs is the same in all arms. The
// engine runs each at the rate of its name; without it they run as fast as they
// can.
func BenchmarkRate(b *testing.B) {
	const size = 145 // where a pool has most to save
	for _, rate := range []int{100, 1000} {
		b.Run(fmt.Sprintf("rate=%d", rate), func(b *testing.B) {
			for _, name := range rateArms {
				b.Run("recv="+name, func(b *testing.B) { pingOnce(b, name, size) })
			}
		})
	}
}

func pingOnce(b *testing.B, name string, size int) {
	c, l, arm := setUp(b, name, size)
	r, err := arm.open(c)
	if err != nil {
		b.Fatal(err)
	}
	if err := c.Fill(nil); err != nil { // ends the Stop of the last slice
		b.Fatal(err)
	}
	consumed, ended := make(chan Consumer), make(chan error, 1)
	go func() {
		total := new(Consumer)
		deliver := total.Deliver
		for {
			*total = Consumer{}
			if _, err := r.Receive(1, deliver); err != nil {
				ended <- err
				return
			}
			consumed <- *total
		}
	}()
	waiting := true // the goroutine, in Receive
	defer func() {
		if !waiting {
			return
		}
		c.Stop()
		if err := <-ended; !errors.Is(err, os.ErrDeadlineExceeded) {
			b.Error(err)
		}
	}()
	b.ReportAllocs()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began, waits := time.Now(), latencies[:0]
	for sent := 0; b.Loop(); sent++ {
		i := sent % len(l.packets)
		start := time.Now()
		if err := c.Fill(l.packets[i : i+1]); err != nil {
			b.Fatal(err)
		}
		select {
		case got := <-consumed:
			if len(waits) < cap(waits) {
				waits = append(waits, time.Since(start))
			}
			if got.Packets != 1 || got.Bytes != size || got.Malformed != 0 {
				b.Fatalf("received %+v, sent one response of %d bytes", got, size)
			}
		case err := <-ended:
			waiting = false
			b.Fatal(c.Lost(0, 1, size, err))
		}
	}
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(after.NumGC-before.NumGC)/time.Since(began).Minutes(), "gc/min")
	slices.Sort(waits)
	b.ReportMetric(float64(waits[len(waits)*99/100].Nanoseconds()), "p99-ns")
}

// BenchmarkMinute measures a minute of a receiver of 100 packets a second:
// an operation is 6000 packets of 145 bytes, without the time between them. It
// reports the collections that the operation's own allocations started.
func BenchmarkMinute(b *testing.B) {
	const size, fills, fill = 145, 12, 500
	for _, name := range rateArms {
		b.Run("recv="+name, func(b *testing.B) {
			c, l, arm := setUp(b, name, size)
			r, err := arm.open(c)
			if err != nil {
				b.Fatal(err)
			}
			if c.Capacity(size) < fill {
				b.Skipf("the queue holds %d packets, the benchmark needs %d: raise net.core.rmem_max", c.Capacity(size), fill)
			}
			total := new(Consumer)
			deliver := total.Deliver
			var before, after runtime.MemStats
			collections := uint32(0)
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				runtime.ReadMemStats(&before)
				b.StartTimer()
				for range fills {
					b.StopTimer()
					err := c.Fill(l.packets[:fill])
					b.StartTimer()
					if err != nil {
						b.Fatal(err)
					}
					if took, err := r.Receive(fill, deliver); err != nil {
						b.Fatal(c.Lost(took, fill, size, err))
					}
				}
				b.StopTimer()
				runtime.ReadMemStats(&after)
				collections += after.NumGC - before.NumGC - (after.NumForcedGC - before.NumForcedGC)
				b.StartTimer()
			}
			if want := b.N * fills * fill; total.Packets != want || total.Malformed != 0 {
				b.Fatalf("received %+v, sent %d packets", *total, want)
			}
			b.ReportMetric(float64(collections)/float64(b.N), "collections/op")
		})
	}
}

// latencies are the times from the sending of a packet to its consumption, of
// one slice.
var latencies = make([]time.Duration, 1<<16)

// BenchmarkBuffer is the buffer alone. An operation is 1000 buffers, into each
// of which as much is written as a packet has.
func BenchmarkBuffer(b *testing.B) {
	for _, arm := range isolatedArms {
		b.Run("recv="+arm.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if used := arm.run(isolatedBuffers); used != isolatedBuffers*len(isolatedPacket) {
					b.Fatalf("%d bytes used, want %d", used, isolatedBuffers*len(isolatedPacket))
				}
			}
		})
	}
}

const isolatedBuffers = 1000

var (
	isolatedPacket = make([]byte, 145)
	isolated       = NewIsolated(func(buf []byte) int { return copy(buf, isolatedPacket) })
	isolatedArms   = []struct {
		name string
		run  func(n int) (used int)
	}{
		{"make", isolated.Make}, {"pool", isolated.Pool}, {"noclear", isolated.NoClear}, {"used", isolated.Used},
	}
)
