package buffer

import (
	"bytes"
	"io"
	"net"
	"net/netip"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/pool"
)

// TestWarmUsesAllocateNothing is exact: no collection, one processor.
func TestWarmUsesAllocateNothing(t *testing.T) {
	exactly(t)
	normalBuild(t, "makes headers and records stacks")
	for _, o := range []Options{
		{}, {Zero: ZeroGet}, {Zero: ZeroUsed}, {Zero: ZeroFull}, {Reserve: 1 << 20}, {Stats: pool.Uses}, {Stats: pool.Leaks},
	} {
		t.Run("zero="+o.Zero.String()+"/reserve="+strconv.Itoa(int(o.Reserve))+"/stats="+o.Stats.String(), func(t *testing.T) {
			p := New(o)
			s := p.Sized(9000)
			chunk := make([]byte, 512)
			packet := strings.NewReader("packet")
			reader := bytes.NewReader(nil)
			for _, c := range []struct {
				name string
				use  func()
			}{
				{"Get", func() { p.Get(9000).Release() }},
				{"Sized.Get", func() { s.Get().Release() }},
				{"Append and Write", func() {
					b := p.Append()
					for range 100 {
						b.Write(chunk)
						b.WriteString("text")
						b.WriteByte('x')
					}
					b.Release()
				}},
				{"AvailableBuffer", func() {
					b := p.Append()
					b.Write(strconv.AppendInt(b.AvailableBuffer(), 12345, 10))
					b.Release()
				}},
				{"ReadFrom", func() {
					b := p.Append()
					reader.Reset(chunk)
					b.ReadFrom(reader)
					b.Release()
				}},
				{"Fill", func() {
					b := s.Get()
					packet.Reset("packet")
					b.Fill(packet.Read)
					b.Release()
				}},
				{"WriteTo", func() {
					b := filled(p, 100)
					b.WriteTo(io.Discard)
					b.Release()
				}},
				{"Resize, Truncate, Reset, Bytes", func() {
					b := p.Get(100)
					b.Resize(20_000)
					b.Bytes()[7] = 1
					b.Truncate(10)
					b.Reset()
					b.Release()
				}},
				{"Clone", func() {
					b := p.Get(100)
					b.Clone().Release()
					b.Release()
				}},
				{"Share, Retain, Slice, Own", func() {
					one := filled(p, 100).Share()
					two, part := one.Retain(), one.Slice(1, 2)
					one.Release()
					part.Own().Release()
					two.Own().Release()
				}},
				{"Bytes and Free", func() { p.Free(p.Bytes(9000)) }},
				{"GetPtr and PutPtr", func() { s.PutPtr(s.GetPtr()) }},
				{"Pool.GetPtr", func() { p.PutPtr(p.GetPtr(9000)) }},
				{"Sized.Bytes", func() { s.Free(s.Bytes()) }},
				{"Free of what is refused", func() { p.Free(chunk[:7:7]); p.Free(nil) }},
			} {
				if got := testing.AllocsPerRun(100, c.use); got != 0 {
					t.Errorf("%s: %v allocations, want 0", c.name, got)
				}
			}
			if got := testing.AllocsPerRun(100, func() { filled(p, 100).CopyAndRelease() }); got != 1 {
				t.Errorf("CopyAndRelease: %v allocations, want 1", got)
			}
		})
	}
}

// A socket read with the sender's address is a closure, which Fill does not keep.
func TestAReadFromASocketAllocatesNothing(t *testing.T) {
	exactly(t)
	normalBuild(t, "makes headers and records stacks")
	conn, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Skip(err)
	}
	defer conn.Close()
	self := conn.LocalAddr().(*net.UDPAddr).AddrPort()
	s := New(Options{}).Sized(9000)
	message := pattern(300, 1)
	got := testing.AllocsPerRun(100, func() {
		if _, err := conn.WriteToUDPAddrPort(message, self); err != nil {
			t.Fatal(err)
		}
		b := s.Get()
		var from netip.AddrPort
		n, err := b.Fill(func(p []byte) (n int, err error) {
			n, from, err = conn.ReadFromUDPAddrPort(p)
			return n, err
		})
		if n != 300 || err != nil || from.Port() != self.Port() || !bytes.Equal(b.Bytes(), message) {
			t.Fatalf("%d bytes from %v, %v", n, from, err)
		}
		b.Release()
	})
	if got != 0 {
		t.Errorf("%v allocations, want 0", got)
	}
}

// What a miss costs: the header and the memory, and a ticket at level Leaks.
func TestAMissAllocatesTheHeaderAndTheMemory(t *testing.T) {
	exactly(t)
	normalBuild(t, "records stacks")
	p := New(Options{})
	s := p.Sized(100)
	for name, c := range map[string]struct {
		use  func()
		want float64
	}{
		"Get":       {func() { kept = p.Get(100) }, 2},
		"Bytes":     {func() { keptBytes = p.Bytes(100) }, 1},
		"GetPtr":    {func() { keptPtr = s.GetPtr() }, 2},
		"above Max": {func() { kept = p.Get(2 << 20) }, 2},
	} {
		if got := testing.AllocsPerRun(100, c.use); got != c.want {
			t.Errorf("%s: %v allocations, want %v", name, got, c.want)
		}
	}
}

var (
	kept      *Buffer
	keptBytes []byte
	keptPtr   *[]byte
)

// Most pools use few of their classes, and some programs have a pool for each
// connection.
func TestANewPoolIsSmall(t *testing.T) {
	exactly(t)
	normalBuild(t, "has a book")
	if n := testing.AllocsPerRun(100, func() { keptPool = New(Options{}) }); n > 4 {
		t.Errorf("%v allocations, want at most 4", n)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	const pools = 100
	for range pools {
		keptPool = New(Options{})
	}
	runtime.ReadMemStats(&after)
	if bytes := (after.TotalAlloc - before.TotalAlloc) / pools; bytes > 2048 {
		t.Errorf("%d bytes, want at most 2048", bytes)
	} else {
		t.Logf("%d bytes", bytes)
	}
}

var keptPool *Pool
