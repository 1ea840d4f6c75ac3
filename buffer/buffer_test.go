package buffer

import (
	"bytes"
	"errors"
	"io"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
	"unsafe"
)

func TestGetHandsOutTheLengthThatWasAsked(t *testing.T) {
	p := New(Options{})
	for _, n := range []int{0, 1, 63, 64, 65, 4096, 9000, 1 << 20, 1<<20 + 1, 3 << 20} {
		for range 2 { // made, and then used again
			b := p.Get(n)
			if b.Len() != n || len(b.Bytes()) != n || b.Cap() < n {
				t.Errorf("Get(%d) has length %d and capacity %d", n, b.Len(), b.Cap())
			}
			b.Release()
		}
	}
}

func TestReleasedMemoryIsUsedAgainForItsClassOnly(t *testing.T) {
	exactly(t)
	p := New(Options{})
	b := p.Get(9000)
	at := start(b)
	b.Release()
	if c := p.Get(8192); start(c) == at {
		t.Error("memory of class 9472 was handed out for 8192 bytes")
	}
	if c := p.Get(9472); start(c) != at {
		t.Error("memory of class 9472 was not handed out for 9472 bytes")
	}
}

func TestBytesHaveNoCapacityBeyondTheirLength(t *testing.T) {
	p := New(Options{})
	b := filled(p, 10)
	b.AvailableBuffer()
	bytes := b.Bytes()
	if cap(bytes) != 10 {
		t.Fatalf("capacity %d, want 10", cap(bytes))
	}
	_ = append(bytes, 99)
	if memory(b)[10] == 99 {
		t.Error("an append reached the memory behind the bytes")
	}
}

func TestMemoryAboveMaxIsNeverKept(t *testing.T) {
	exactly(t)
	p := New(Options{Max: 9000})
	for _, size := range []int{9472, 9473} {
		b := p.Get(size)
		at := start(b)
		b.Release()
		c := p.Get(size)
		if again, want := start(c) == at, size == 9472; again != want {
			t.Errorf("%d bytes with Max 9472: used again %t, want %t", size, again, want)
		}
	}
	st := p.Stats()
	if st.Oversize != 2 || st.Misses != 1 || st.Dropped.Oversize != 1 {
		t.Errorf("%d oversize, %d misses, %d dropped, want 2, 1, 1", st.Oversize, st.Misses, st.Dropped.Oversize)
	}
}

func TestGrowMovesTheBytesAndReturnsTheMemoryToItsClass(t *testing.T) {
	exactly(t)
	p := New(Options{})
	b := p.Get(64)
	small := start(b)
	content := pattern(64, 1)
	copy(b.Bytes(), content)
	b.Grow(1)
	if b.Cap() != 256 || !bytes.Equal(b.Bytes(), content) {
		t.Fatalf("capacity %d, want 256, with %x", b.Cap(), b.Bytes())
	}
	if c := p.Get(64); start(c) != small {
		t.Error("the former memory did not go back to its class at once")
	}
	large := start(b)
	b.Release()
	if c := p.Get(256); start(c) != large {
		t.Error("the memory that the buffer has grown into did not go to its class")
	}
}

func TestGrowthFactors(t *testing.T) {
	grown := func(o Options, start int, more ...int) (capacities []int) {
		b := New(o).Get(start)
		for _, n := range more {
			b.Grow(n)
			b.Resize(b.Cap())
			capacities = append(capacities, b.Cap())
		}
		return capacities
	}
	for _, c := range []struct {
		name string
		got  []int
		want []int
	}{
		{"four times", grown(Options{}, 4096, 1, 1, 1), []int{16 << 10, 64 << 10, 256 << 10}},
		{"as much as is asked", grown(Options{}, 64, 1000), []int{1280}},
		{"no more than Max", grown(Options{Max: 40 << 10}, 32<<10, 1), []int{40 << 10}},
		{"above Max, twice", grown(Options{Max: 64}, 64, 1, 1, 1), []int{128, 256, 512}},
		{"above Max, as much as is asked", grown(Options{Max: 64}, 64, 1000), []int{1088}},
	} {
		if len(c.got) != len(c.want) {
			t.Errorf("%s: %v", c.name, c.got)
			continue
		}
		for i := range c.want {
			if c.got[i] != c.want[i] {
				t.Errorf("%s: capacities %v, want %v", c.name, c.got, c.want)
				break
			}
		}
	}
}

func TestABufferMayBeWrittenToItself(t *testing.T) {
	exactly(t) // so that the former memory is not kept from reuse by chance
	p := New(Options{Zero: ZeroFull})
	b := p.Append()
	b.Resize(64)
	b = p.Get(64)
	copy(b.Bytes(), pattern(64, 3))
	b.Write(b.Bytes()) // grows while it reads its former memory
	want := append(pattern(64, 3), pattern(64, 3)...)
	if !bytes.Equal(b.Bytes(), want) {
		t.Errorf("got %x, want %x", b.Bytes(), want)
	}
	text := unsafe.String(start(b), b.Len())
	b.Resize(b.Cap())
	n := len(b.Bytes())
	b.WriteString(text[:64]) // grows as well
	if got := b.Bytes()[n:]; !bytes.Equal(got, pattern(64, 3)) {
		t.Errorf("got %x of the string, want %x", got, pattern(64, 3))
	}
}

func TestDetachCopiesExactlyAndReleases(t *testing.T) {
	exactly(t)
	p := New(Options{})
	b := p.Append()
	b.WriteString("twelve bytes")
	at := start(b)
	out := b.CopyAndRelease()
	if string(out) != "twelve bytes" || cap(out) != 12 || unsafe.SliceData(out) == at {
		t.Errorf("got %q of capacity %d, the same memory: %t", out, cap(out), unsafe.SliceData(out) == at)
	}
	if c := p.Append(); start(c) != at {
		t.Error("the buffer was not released")
	}
	if empty := p.Append().CopyAndRelease(); empty == nil || len(empty) != 0 {
		t.Errorf("an empty buffer detaches %v", empty)
	}
}

func TestTakenMemoryNeverComesBack(t *testing.T) {
	exactly(t)
	p := New(Options{})
	b := p.Get(100)
	copy(b.Bytes(), "mine")
	at := start(b)
	mine := b.Take()
	if string(mine[:4]) != "mine" || len(mine) != 100 || unsafe.SliceData(mine) != at {
		t.Errorf("Take returned %d bytes, %q", len(mine), mine[:4])
	}
	for range 3 {
		if c := p.Get(100); start(c) == at {
			t.Fatal("taken memory was handed out")
		}
	}
}

func TestACloneIsIndependent(t *testing.T) {
	p := New(Options{})
	b := p.Append()
	b.WriteString("one")
	c := b.Clone()
	c.Bytes()[0] = 'O'
	if b.String() != "one" || c.String() != "One" {
		t.Errorf("%q and its clone %q", b, c)
	}
	b.Release()
	c.Release()
}

func TestFillSetsTheLengthToWhatWasRead(t *testing.T) {
	p := New(Options{})
	b := p.Get(9000)
	n, err := b.Fill(strings.NewReader("packet").Read)
	if n != 6 || err != nil || b.String() != "packet" {
		t.Errorf("Fill: %d, %v, %q", n, err, b)
	}
	b.Resize(9000)
	if n, err := b.Fill(iotest.ErrReader(errTest).Read); n != 0 || err != errTest || b.Len() != 0 {
		t.Errorf("a failing read: %d, %v, length %d", n, err, b.Len())
	}
	mustPanic(t, func() { b.Fill(func(p []byte) (int, error) { return 1, nil }) }, "Fill", "returned 1", "0 bytes")
	mustPanic(t, func() { b.Fill(func(p []byte) (int, error) { return -1, nil }) }, "returned -1")
	mustPanic(t, func() {
		b.Resize(64)
		b.Fill(func(p []byte) (int, error) { b.Grow(1 << 20); return 1, nil })
	}, "Fill", "grown")
}

var errTest = errors.New("test")

func TestReadFromReadsToTheEnd(t *testing.T) {
	content := pattern(100_000, 5)
	for name, r := range map[string]io.Reader{
		"all at once":      bytes.NewReader(content),
		"a byte each":      iotest.OneByteReader(bytes.NewReader(content)),
		"halves":           iotest.HalfReader(bytes.NewReader(content)),
		"data with error":  iotest.DataErrReader(bytes.NewReader(content)),
		"nothing at first": io.MultiReader(bytes.NewReader(nil), bytes.NewReader(content)),
	} {
		b := New(Options{}).Append()
		b.WriteString("x")
		n, err := b.ReadFrom(r)
		if n != int64(len(content)) || err != nil || !bytes.Equal(b.Bytes()[1:], content) {
			t.Errorf("%s: %d bytes, %v", name, n, err)
		}
	}
	b := New(Options{}).Append()
	if n, err := b.ReadFrom(io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(errTest))); n != 3 || err != errTest || b.String() != "abc" {
		t.Errorf("an error in the middle: %d, %v, %q", n, err, b)
	}
	mustPanic(t, func() { b.ReadFrom(readerOf(-1)) }, "ReadFrom", "returned -1")
	mustPanic(t, func() { b.ReadFrom(readerOf(1 << 30)) }, "ReadFrom", "returned 1073741824")
}

// readerOf claims to have read so many bytes.
type readerOf int

func (r readerOf) Read([]byte) (int, error) { return int(r), nil }

func TestWriteToKeepsTheBytes(t *testing.T) {
	b := New(Options{}).Append()
	if n, err := b.WriteTo(writerOf(7)); n != 0 || err != nil {
		t.Errorf("an empty buffer writes %d, %v", n, err)
	}
	b.WriteString("three")
	var out bytes.Buffer
	for range 2 {
		if n, err := b.WriteTo(&out); n != 5 || err != nil {
			t.Errorf("%d, %v", n, err)
		}
	}
	if out.String() != "threethree" {
		t.Errorf("written: %q", out.String())
	}
	if n, err := b.WriteTo(writerOf(2)); n != 2 || err != io.ErrShortWrite {
		t.Errorf("a short write: %d, %v", n, err)
	}
	mustPanic(t, func() { b.WriteTo(writerOf(6)) }, "WriteTo", "returned 6")
	mustPanic(t, func() { b.WriteTo(writerOf(-1)) }, "WriteTo", "returned -1")
}

// writerOf claims to have written so many bytes.
type writerOf int

func (w writerOf) Write([]byte) (int, error) { return int(w), nil }

func TestCopyCopiesAsIoCopyDoes(t *testing.T) {
	p := New(Options{Max: 4096})
	content := pattern(50_000, 9)
	for range 2 {
		var out bytes.Buffer
		n, err := p.Copy(onlyWriter{&out}, onlyReader{bytes.NewReader(content)})
		if n != int64(len(content)) || err != nil || !bytes.Equal(out.Bytes(), content) {
			t.Errorf("copied %d, %v", n, err)
		}
	}
	if _, err := p.Copy(io.Discard, onlyReader{iotest.ErrReader(errTest)}); err != errTest {
		t.Errorf("error %v, want the reader's", err)
	}
	before := p.Stats().Misses
	if n, err := p.Copy(new(bytes.Buffer), bytes.NewReader(content)); n != int64(len(content)) || err != nil {
		t.Errorf("copied %d, %v", n, err)
	}
	if got := p.Stats().Misses; got != before {
		t.Error("Copy got a buffer that io.Copy does not need")
	}
}

func TestABufferIsNotUsedAgainWhenCopyPanics(t *testing.T) {
	exactly(t)
	p := New(Options{})
	var seen *byte
	mustPanic(t, func() {
		p.Copy(onlyWriter{io.Discard}, readerFunc(func(b []byte) (int, error) {
			seen = unsafe.SliceData(b)
			panic("reader")
		}))
	}, "reader")
	if b := p.Get(copySize); start(b) == seen {
		t.Error("memory that the reader may still hold was handed out")
	}
	if got := p.Stats().Dropped; got.Abandoned != 1 || got.Total() != 1 {
		t.Errorf("dropped: %+v, want 1 abandoned", got)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

type onlyReader struct{ io.Reader }
type onlyWriter struct{ io.Writer }

// TestRandomOperationsAgreeWithBytesBuffer runs the same operations on a Buffer
// and on a bytes.Buffer.
func TestRandomOperationsAgreeWithBytesBuffer(t *testing.T) {
	for _, o := range []Options{
		{}, {Zero: ZeroGet}, {Zero: ZeroUsed}, {Zero: ZeroFull}, {Max: 256}, {Max: 4096}, {Classes: []int{64, 1024, 64 << 10}},
	} {
		p := New(o)
		rng := rand.New(rand.NewPCG(1, 2))
		for range 300 {
			var script [40]byte
			for i := range script {
				script[i] = byte(rng.Uint32())
			}
			runScript(t, p, script[:])
		}
	}
}

// runScript interprets script as operations on a buffer of p, and compares the
// buffer with a bytes.Buffer after each.
func runScript(t *testing.T, p *Pool, script []byte) {
	b, want := p.Append(), new(bytes.Buffer)
	check := func(op string) {
		t.Helper()
		if b.Len() != want.Len() || !bytes.Equal(b.Bytes(), want.Bytes()) {
			t.Fatalf("after %s of script %x: %d bytes, want %d", op, script, b.Len(), want.Len())
		}
		if cap(b.b) < b.Len() {
			t.Fatalf("after %s capacity %d holds %d bytes", op, cap(b.b), b.Len())
		}
	}
	for len(script) >= 2 {
		op, arg := script[0]%12, int(script[1])
		script = script[2:]
		data := pattern(arg*arg/16, byte(arg))
		switch op {
		case 0:
			b.Write(data)
			want.Write(data)
		case 1:
			b.WriteString(string(data))
			want.Write(data)
		case 2:
			b.WriteByte(byte(arg))
			want.WriteByte(byte(arg))
		case 3:
			n := want.Len() * arg / 256
			b.Truncate(n)
			want.Truncate(n)
		case 4:
			b.Grow(arg * 8)
			if b.Cap()-b.Len() < arg*8 {
				t.Fatalf("Grow(%d) leaves %d", arg*8, b.Cap()-b.Len())
			}
		case 5:
			b.ReadFrom(bytes.NewReader(data))
			want.Write(data)
		case 6:
			b.Write(append(b.AvailableBuffer(), data...))
			want.Write(data)
		case 7:
			old := b.Len()
			b.Resize(old + arg)
			added := b.Bytes()[old:]
			if z := p.options.Zero; z >= ZeroGet && !isZero(added) {
				t.Fatalf("Zero %s: Resize added bytes that are not zero", z)
			}
			copy(added, pattern(arg, 1))
			want.Write(pattern(arg, 1))
		case 8:
			n := min(arg, b.Len())
			b.Resize(n)
			want.Truncate(n)
			b.Fill(func(p []byte) (int, error) { return copy(p, pattern(n/2, 2)), nil })
			want.Reset()
			want.Write(pattern(n/2, 2))
		case 9:
			c := b.Clone()
			b.Release()
			b = c
		case 10:
			s := b.Share()
			i := s.Slice(0, want.Len())
			s.Release()
			b = i.Own()
		case 11:
			b.Reset()
			want.Reset()
		}
		check(string(rune('a' + op)))
	}
	if got := b.CopyAndRelease(); !bytes.Equal(got, want.Bytes()) {
		t.Fatal("CopyAndRelease differs")
	}
}

func TestASizeThatNoMachineHasIsRefusedInWords(t *testing.T) {
	const huge = 1<<(bits.UintSize-2) + 1 // above largestSize, where an int has 32 bits too
	p := New(Options{Name: "pages"})
	for want, use := range map[string]func(){
		`pool "pages": Get(`:            func() { p.Get(huge) },
		`pool "pages": Bytes(`:          func() { p.Bytes(huge) },
		`pool "pages": GetPtr(`:         func() { p.GetPtr(huge) },
		`pool "pages": Resize(`:         func() { p.Get(1).Resize(huge) },
		`pool "pages": Grow(`:           func() { p.Get(1).Grow(huge) },
		`a buffer of 1 bytes cannot gr`: func() { p.Get(1).Grow(largestSize) },
	} {
		mustPanic(t, use, want, "large")
	}
}

// Each use after CopyAndRelease must panic.
//
//poolproof:ignore it uses buffers after CopyAndRelease: that is the test
func TestReleaseAfterDetachSaysSo(t *testing.T) {
	b := filled(New(Options{}), 10)
	b.CopyAndRelease()
	mustPanic(t, b.Release, "Release after CopyAndRelease")
	mustPanic(t, func() { b.Write(nil) }, "Write after CopyAndRelease")
	mustPanic(t, func() { b.CopyAndRelease() }, "CopyAndRelease after CopyAndRelease")
}

func TestAZeroPoolPanicsInWords(t *testing.T) {
	for name, use := range map[string]func(p *Pool){
		"Get":     func(p *Pool) { p.Get(10) },
		"Get(0)":  func(p *Pool) { p.Get(0) },
		"Append":  func(p *Pool) { p.Append() },
		"Sized":   func(p *Pool) { p.Sized(10) },
		"Bytes":   func(p *Pool) { p.Bytes(10) },
		"Free":    func(p *Pool) { p.Free(make([]byte, 64)) },
		"Copy":    func(p *Pool) { p.Copy(io.MultiWriter(), io.LimitReader(nil, 1)) },
		"Stats":   func(p *Pool) { p.Stats() },
		"Trim":    func(p *Pool) { p.Trim(0) },
		"GetPtr":  func(p *Pool) { p.GetPtr(10) },
		"PutPtr":  func(p *Pool) { x := make([]byte, 64); p.PutPtr(&x) },
		"nil":     func(p *Pool) { p.PutPtr(nil) },
		"Options": func(p *Pool) { p.Options() },
	} {
		t.Run(name, func(t *testing.T) {
			mustPanic(t, func() { use(new(Pool)) }, "buffer: use of a Pool that was not made by New")
		})
	}
	for _, use := range []func(s *Sized){func(s *Sized) { s.GetPtr() }, func(s *Sized) { s.PutPtr(nil) }, func(s *Sized) { s.Bytes() }, func(s *Sized) { s.Free(nil) }} {
		mustPanic(t, func() { use(new(Sized)) }, "buffer: use of a Sized that was not made by Pool.Sized")
	}
	says := "nil Pool" // the words of sync.Pool; see there
	if checked {
		says = "buffer: use of a Sized that was not made by Pool.Sized"
	} else if raceDetector {
		return // sync.Pool panics where it has switched the race detector off, which stays so
	}
	mustPanic(t, func() { new(Sized).Get() }, says)
}

func TestWriteRuneAppendsUTF8(t *testing.T) {
	var want bytes.Buffer
	b := New(Options{Start: 64}).Append()
	for range 40 {
		for _, r := range []rune{0, 'a', 0x7f, 0x80, 'ß', '世', 0x10ffff, 0x110000, -1, 0xd800} {
			n, err := want.WriteRune(r)
			if m, e := b.WriteRune(r); m != n || e != err {
				t.Errorf("WriteRune(%#x) = %d, %v, want %d, %v", r, m, e, n, err)
			}
		}
	}
	if b.String() != want.String() {
		t.Error("other bytes than bytes.Buffer wrote")
	}
}
