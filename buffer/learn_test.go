package buffer

import (
	"math/rand/v2"
	"testing"

	"github.com/poolproof/poolproof/pool"
)

func TestAppendBeginsWith4KiB(t *testing.T) {
	if n := New(Options{}).Append().Cap(); n != 4096 {
		t.Errorf("capacity %d, want 4096", n)
	}
	if n := New(Options{Max: 1000}).Append().Cap(); n != 1024 {
		t.Errorf("with Max 1000 capacity %d, want 1024", n)
	}
}

func TestAppendBeginsWithWhatIsFixed(t *testing.T) {
	p := New(Options{Start: 1000})
	for range 2000 {
		b := p.Append()
		if b.Cap() != 1024 {
			t.Fatalf("capacity %d, want 1024", b.Cap())
		}
		b.Write(make([]byte, 1024))
		b.Release()
	}
}

func TestAppendLearnsWhatHoldsTwoThirds(t *testing.T) {
	exactly(t)
	for _, c := range []struct {
		name  string
		sizes []int
		want  int
	}{
		{"one size", []int{1000}, 1024},
		{"six in seven are small", []int{100, 100, 100, 100, 100, 100, 50_000}, 128},
		{"half are small", []int{100, 100, 50_000, 50_000}, 57344},
		{"a few are above Max", []int{700, 700, 700, 700, 700, 700, 2 << 20}, 768},
		{"nothing is written", []int{0}, 64},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := New(Options{})
			rng := rand.New(rand.NewPCG(7, 8)) // no order that could be in step with the sampling
			for range sampleEvery * relearnEvery * 3 {
				b := p.Append()
				b.Resize(c.sizes[rng.IntN(len(c.sizes))])
				b.Release()
			}
			if n := p.Append().Cap(); n != c.want {
				t.Errorf("capacity %d, want %d", n, c.want)
			}
		})
	}
}

// A length above Max takes its header with it. What follows it gets a new one, and
// must not count more for that.
func TestNewHeadersDoNotCountMore(t *testing.T) {
	exactly(t)
	p := New(Options{Max: 64 << 10})
	for i := range sampleEvery * relearnEvery * 4 {
		b := p.Append()
		switch i % 14 {
		case 0:
			b.Resize(100_000)
		case 1:
			b.Resize(50_000)
		default:
			b.Resize(700)
		}
		b.Release()
	}
	if n := p.Append().Cap(); n != 768 {
		t.Errorf("capacity %d, want 768, which holds 12 of 14", n)
	}
}

// A program whose sizes change is followed, because old samples are halved.
func TestAppendForgets(t *testing.T) {
	var l learner
	p := New(Options{})
	l.init(&p.plain, 0)
	small, large := p.plain.of(100), p.plain.of(10_000)
	for range 1000 {
		l.sample(small)
	}
	if got := int(l.start.Load()); got != small {
		t.Fatalf("start %d, want %d", got, small)
	}
	n := 0
	for int(l.start.Load()) != large && n < 10_000 {
		l.sample(large)
		n++
	}
	if n > 5*relearnEvery {
		t.Errorf("the new size was learned after %d samples, want at most %d", n, 5*relearnEvery)
	}
}

func TestOtherBuffersTeachNothing(t *testing.T) {
	p := New(Options{})
	for range 2000 {
		p.Get(100).Release()
	}
	if n := p.Append().Cap(); n != 4096 {
		t.Errorf("capacity %d, want 4096", n)
	}
}

// appendAll writes content of each size to a buffer, 512 bytes at a time, and
// keeps inFlight buffers before it releases the oldest. It returns the bytes that
// were in flight, length and capacity, added up over all sizes.
func appendAll(p *Pool, sizes []int, inFlight int) (needed, held int64) {
	var chunk [512]byte
	ring := make([]*Buffer, inFlight)
	for i, size := range sizes {
		slot := i % inFlight
		if ring[slot] != nil {
			ring[slot].Release()
		}
		b := p.Append()
		for n := size; n > 0; n -= len(chunk) {
			b.Write(chunk[:min(n, len(chunk))])
		}
		ring[slot] = b
		for _, b := range ring {
			if b != nil {
				needed += int64(len(b.b))
				held += int64(cap(b.b))
			}
		}
	}
	for _, b := range ring {
		if b != nil {
			b.Release()
		}
	}
	return needed, held
}

// The bytes that buffers of unknown size hold for each byte in them: 16 in
// flight, sizes of real files, after one pass to learn. A single sync.Pool comes
// to tens of bytes here, since each of its buffers ends with the largest size.
func TestWhatIsInFlightHoldsLittleMoreThanItNeeds(t *testing.T) {
	exactly(t)
	sizes := realSizes(t)
	p := New(Options{})
	appendAll(p, sizes, 16)
	before := p.Stats().Misses
	needed, held := appendAll(p, sizes, 16)
	ratio := float64(held) / float64(needed)
	t.Logf("%d files, %d bytes each on average: %.3f bytes held for each byte in flight; Append begins with %d bytes; %d misses after the first pass",
		len(sizes), needed/int64(16*len(sizes)), ratio, p.Append().Cap(), p.Stats().Misses-before)
	if ratio > 2.5 {
		t.Errorf("%.3f bytes held for each byte in flight, want at most 2.5", ratio)
	}
}

// The bytes handed out for each byte asked, sizes known.
func TestClassesWasteLittleOnRealSizes(t *testing.T) {
	exactly(t)
	sizes := realSizes(t)
	p := New(Options{Stats: pool.Leaks})
	for _, size := range sizes {
		p.Get(size).Release()
	}
	st := p.Stats()
	t.Logf("%d files: %.4f bytes handed out for each byte asked, %d above Max", len(sizes), st.Waste(), st.Oversize)
	if st.Waste() > 1.09 || st.Waste() < 1 {
		t.Errorf("%.4f bytes handed out for each byte asked, want at most 1.09", st.Waste())
	}
	asked := uint64(0)
	for _, size := range sizes {
		asked += uint64(size)
	}
	if st.Asked != asked || st.Gets != uint64(len(sizes)) {
		t.Errorf("%d Gets of %d bytes counted, want %d of %d", st.Gets, st.Asked, len(sizes), asked)
	}
}

// teach gives p what n buffers of Append tell it, which end by end, two in five of
// them with a long content.
func teach(p *Pool, n int, short, long int, end func(b *Buffer)) {
	for i := range n {
		b := p.Append()
		if i/sampleEvery%5 < 2 { // of the samples, whichever is taken of a round
			b.Write(make([]byte, long))
		} else {
			b.Write(make([]byte, short))
		}
		end(b)
	}
}

func TestAppendBeginsWithWhatHoldsTwoThirdsAndNotHalf(t *testing.T) {
	exactly(t)
	normalBuild(t, "makes headers, each of which has a turn of its own")
	p := New(Options{})
	teach(p, 20*sampleEvery*relearnEvery, 100, 10_000, func(b *Buffer) { b.Release() })
	if got := p.Append().Cap(); got < 10_000 {
		t.Errorf("capacity %d: three in five contents fit, which is less than two thirds", got)
	}
}

func TestAppendNeverBeginsAboveMax(t *testing.T) {
	p := New(Options{Max: 4096})
	for range 20 * sampleEvery * relearnEvery {
		b := p.Append()
		b.Write(make([]byte, 5000))
		b.Release()
	}
	b := p.Append()
	if b.Cap() != 4096 {
		t.Errorf("capacity %d, want the largest class", b.Cap())
	}
	b.Release()
}

func TestWhatIsTakenTeachesToo(t *testing.T) {
	p := New(Options{})
	teach(p, 2*sampleEvery*relearnEvery, 20_000, 20_000, func(b *Buffer) { b.Take() })
	if got := p.Append().Cap(); got < 20_000 {
		t.Errorf("capacity %d after contents of 20000 bytes that were taken", got)
	}
}
