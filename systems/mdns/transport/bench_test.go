package transport_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/ipv4"

	"github.com/poolproof/poolproof/systems/mdns/transport"
)

// The packets of the benchmarks: one service, a host with printers, one long
// text; and how many of them the socket's queue holds for certain.
var benchSizes = []struct{ bytes, count int }{{145, 2048}, {1433, 1024}, {8900, 256}}

// drainer receives packets that wait in its socket's queue.
type drainer struct {
	name  string
	fill  func(n int) // untimed
	drain func(n int) // receives n packets, or fails the benchmark
}

// drainers are the arms of the benchmarks. published is the published contract
// as it was released: golang.org/x/net's ReadFrom, a pooled buffer, a copy, all
// of the buffer cleared. document is the form that its document describes, with
// package net's ReadFrom, which does not tell the interface.
func drainers(b *testing.B, size int) []drainer {
	var all []drainer
	add := func(name string, config transport.Config, take func(l *line) func(n int)) {
		config.Interfaces = nil
		l := open(b, config, "udp4")
		p := packet(size, 1)
		all = append(all, drainer{name, func(n int) {
			for range n {
				l.send(b, p)
			}
		}, take(l)})
	}
	ctx := context.Background()
	lent := func(l *line) func(n int) {
		return func(n int) {
			got, bytes := 0, 0
			for p, err := range l.Packets(ctx) {
				if err != nil {
					b.Fatal(err)
				}
				bytes += len(p.Data)
				if got++; got == n {
					break
				}
			}
			if bytes != n*size {
				b.Fatalf("%d bytes in %d packets", bytes, got)
			}
		}
	}
	raw := func(name string, take func(udp *net.UDPConn) func() int) {
		udp, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
		if err != nil {
			b.Fatal(err)
		}
		to, err := net.DialUDP("udp4", nil, udp.LocalAddr().(*net.UDPAddr))
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { udp.Close(); to.Close() })
		if err := udp.SetReadBuffer(4 << 20); err != nil {
			b.Fatal(err)
		}
		p, one := packet(size, 1), take(udp)
		all = append(all, drainer{name, func(n int) {
			for range n {
				if _, err := to.Write(p); err != nil {
					b.Fatal(err)
				}
			}
		}, func(n int) {
			for range n {
				if got := one(); got != size {
					b.Fatalf("a packet of %d bytes", got)
				}
			}
		}})
	}
	buffers := &sync.Pool{New: func() any {
		buf := make([]byte, transport.BufferSize)
		return &buf
	}}
	raw("published", func(udp *net.UDPConn) func() int {
		c := ipv4.NewPacketConn(udp)
		if err := c.SetControlMessage(ipv4.FlagInterface, true); err != nil {
			b.Fatal(err)
		}
		return func() int {
			buf := buffers.Get().(*[]byte)
			defer func() {
				clear(*buf)
				buffers.Put(buf)
			}()
			n, cm, _, err := c.ReadFrom(*buf)
			if err != nil || cm.IfIndex == 0 {
				b.Fatal(err)
			}
			return len(bytes.Clone((*buf)[:n]))
		}
	})
	raw("document", func(udp *net.UDPConn) func() int {
		return func() int {
			buf := buffers.Get().(*[]byte)
			defer func() {
				clear(*buf)
				buffers.Put(buf)
			}()
			n, _, err := udp.ReadFrom(*buf)
			if err != nil {
				b.Fatal(err)
			}
			return len(bytes.Clone((*buf)[:n]))
		}
	})
	add("lent", transport.Config{Batch: 1}, lent)
	add("lent8", transport.Config{}, lent)
	add("lent64", transport.Config{Batch: 64}, lent)
	add("owned", transport.Config{}, func(l *line) func(n int) {
		return func(n int) {
			for range n {
				o, err := l.ReceiveOwned(ctx)
				if err != nil || len(o.Data) != size {
					b.Fatal(err)
				}
				o.Release()
			}
		}
	})
	add("copy", transport.Config{}, func(l *line) func(n int) {
		return func(n int) {
			for range n {
				data, _, err := l.ReceiveCopy(ctx)
				if err != nil || len(data) != size {
					b.Fatal(err)
				}
			}
		}
	})
	return all
}

// BenchmarkDrain receives packets that wait. An operation is one packet.
func BenchmarkDrain(b *testing.B) {
	for _, s := range benchSizes {
		for i, name := range []string{"published", "document", "lent", "lent8", "lent64", "owned", "copy"} {
			b.Run(fmt.Sprintf("bytes=%d/recv=%s", s.bytes, name), func(b *testing.B) {
				d := drainers(b, s.bytes)[i]
				b.ReportAllocs()
				b.ResetTimer()
				for left := b.N; left > 0; left -= s.count {
					n := min(left, s.count)
					b.StopTimer()
					d.fill(n)
					b.StartTimer()
					d.drain(n)
				}
			})
		}
	}
}

// BenchmarkRatios runs all arms in rounds, in random order within a round, and
// reports the median over the rounds of published's time divided by each arm's:
// how many times as fast it is, whatever the machine does meanwhile. c is a loop
// of recvmmsg in C, if there is a compiler; lent64/c is our time divided by its.
// An operation is a round.
func BenchmarkRatios(b *testing.B) {
	for _, s := range benchSizes {
		b.Run(fmt.Sprintf("bytes=%d", s.bytes), func(b *testing.B) {
			all := drainers(b, s.bytes)
			timed := make([]func() time.Duration, len(all))
			for i, d := range all {
				timed[i] = func() time.Duration {
					d.fill(s.count)
					runtime.GC()
					start := time.Now()
					d.drain(s.count)
					return time.Since(start)
				}
			}
			names := make([]string, len(all))
			for i, d := range all {
				names[i] = d.name
			}
			if c := startC(b, s.count, s.bytes); c != nil {
				timed, names = append(timed, c), append(names, "c")
			}
			ratios := map[string][]float64{}
			for round := -1; round < b.N; round++ { // one to warm up
				took := map[string]float64{}
				for _, i := range rand.Perm(len(timed)) {
					took[names[i]] = float64(timed[i]())
				}
				if round < 0 {
					continue
				}
				for _, name := range names {
					ratios[name] = append(ratios[name], took["published"]/took[name])
					if name != "published" && name != "document" {
						ratios["document/"+name] = append(ratios["document/"+name], took["document"]/took[name])
					}
				}
				if c, ok := took["c"]; ok {
					ratios["lent64/c"] = append(ratios["lent64/c"], took["lent64"]/c)
				}
			}
			for name, r := range ratios {
				if name != "published" {
					b.ReportMetric(median(r), name+"-x")
				}
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

func median(all []float64) float64 {
	slices.Sort(all)
	return (all[(len(all)-1)/2] + all[len(all)/2]) / 2
}

// startC builds and starts the loop in C, and returns a function that runs a
// round; nil where there is no compiler.
func startC(b *testing.B, count, size int) func() time.Duration {
	cc, err := exec.LookPath("cc")
	if err != nil || runtime.GOOS != "linux" {
		b.Log("SKIPPED: the loop in C needs cc on Linux")
		return nil
	}
	path := filepath.Join(b.TempDir(), "recvmmsg")
	if out, err := exec.Command(cc, "-O2", "-o", path, "testdata/recvmmsg.c").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	cmd := exec.Command(path, strconv.Itoa(count), strconv.Itoa(size))
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { in.Close(); cmd.Wait() })
	lines := bufio.NewReader(out)
	step := func() time.Duration {
		io.WriteString(in, "\n")
		text, err := lines.ReadString('\n')
		if err != nil {
			b.Fatal("the loop in C: ", err)
		}
		ns, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil {
			b.Fatal(err)
		}
		return time.Duration(ns)
	}
	return func() time.Duration {
		step() // fills
		runtime.GC()
		return step()
	}
}
