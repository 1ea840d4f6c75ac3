package buffer

import (
	"sync"
	"sync/atomic"
)

// learner finds the class that Append begins with: the one that holds about two
// thirds of the final lengths. Most buffers then need no growth at all, and the
// few that are long, which hold most of the bytes, decide nothing. A class that
// held half of the bytes would be too large for nearly every buffer.
//
// One use in sampleEvery is sampled: Append decides it. Each header counts its own, so
// that the shared histogram is off the path of most uses. Headers begin to count at
// different numbers: if the first use of each were sampled, then lengths that
// follow one above Options.Max, which takes a header with it, would count more
// than others. After every relearnEvery samples the start is computed afresh and
// all counts are halved, so that a program whose sizes change is followed.
type learner struct {
	start  atomic.Int32 // position of the class that Append begins with
	learns bool         // the start is learned

	samples atomic.Uint32
	mu      sync.Mutex      // held while the start is computed
	lengths []atomic.Uint32 // samples by position of the class that holds them; the last one has what no class holds
}

const (
	sampleEvery  = 8
	relearnEvery = 64
)

// init sets the first start: fixed, or defaultStart if that is 0 and the start
// is to be learned.
func (l *learner) init(s *set, fixed int) {
	if fixed == 0 {
		l.learns = true
		l.lengths = make([]atomic.Uint32, len(s.classes))
		fixed = min(defaultStart, s.max)
	}
	l.start.Store(int32(s.of(fixed)))
}

// learn is told of each buffer of Append that is sampled, when it is given up.
func (p *Pool) learn(b *Buffer) {
	i := len(p.lengths) - 1
	if n := len(b.b); n <= p.plain.max {
		i = p.plain.of(n)
	}
	p.sample(i)
}

// putLearning is Buffer.put of a buffer of Append that is sampled.
func putLearning(front *sync.Pool, x any) {
	b := x.(*Buffer)
	b.home.set.pool.learn(b)
	b.put = b.home.door
	b.put(front, b)
}

// sample adds one length that the class at position i holds.
func (l *learner) sample(i int) {
	l.lengths[i].Add(1)
	if l.samples.Add(1)%relearnEvery == 0 && l.mu.TryLock() {
		l.relearn()
		l.mu.Unlock()
	}
}

// relearn computes the start and halves the counts. The caller holds mu. Samples
// that others add meanwhile may be halved or not.
func (l *learner) relearn() {
	total := uint32(0)
	for i := range l.lengths {
		total += l.lengths[i].Load()
	}
	start, below := 0, uint32(0)
	for i := range l.lengths {
		n := l.lengths[i].Load()
		if below += n; 3*below < 2*total {
			start = i + 1
		}
		l.lengths[i].Add(-(n / 2))
	}
	l.start.Store(int32(min(start, len(l.lengths)-2)))
}
