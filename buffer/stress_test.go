package buffer

import (
	"encoding/binary"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/poolproof/poolproof/pool"
)

// TestEachBufferHasOneOwner lets 64 goroutines get buffers in every form, stamp
// all of their memory, hand some to other goroutines, and look for the stamps of
// others before they give the memory up; collections run all the time. With the
// race detector a second owner is a data race; without, a wrong stamp.
func TestEachBufferHasOneOwner(t *testing.T) {
	uses := 400
	if testing.Short() || raceDetector {
		uses = 100
	}
	for _, o := range []Options{
		{Stats: pool.Leaks, Reserve: 256 << 10},
		{Zero: ZeroUsed, Max: 4096},
	} {
		p := New(o)
		stop := make(chan struct{})
		var collector sync.WaitGroup
		collector.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					runtime.GC()
					p.Trim(64 << 10)
					p.Stats()
				}
			}
		})
		var owners sync.WaitGroup
		handed := make(chan parcel, 32)
		for owner := range uint64(64) {
			owners.Go(func() {
				rng := rand.New(rand.NewPCG(owner, 9))
				for use := range uses {
					d := getStamped(p, rng, owner<<32|uint64(use))
					runtime.Gosched()
					d.check(t)
					if rng.IntN(4) == 0 {
						select {
						case handed <- d:
							continue
						default:
						}
					}
					select {
					case other := <-handed:
						other.check(t)
						other.giveBack()
					default:
					}
					d.giveBack()
				}
			})
		}
		owners.Wait()
		close(handed)
		for d := range handed {
			d.check(t)
			d.giveBack()
		}
		close(stop)
		collector.Wait()
		if st := p.Stats(); st.Foreign != 0 || st.Lost != 0 || st.InUse > 0 {
			t.Errorf("%d refused, %d lost, %d in use", st.Foreign, st.Lost, st.InUse)
		}
	}
}

// parcel is stamped memory of one of the forms.
type parcel struct {
	stamp    uint64
	bytes    []byte
	giveBack func()
}

func (d parcel) check(t *testing.T) {
	for i := 0; i+8 <= len(d.bytes); i += 8 {
		if got := binary.LittleEndian.Uint64(d.bytes[i:]); got != d.stamp {
			t.Errorf("owner %d found the stamp of owner %d", d.stamp>>32, got>>32)
			return
		}
	}
}

func getStamped(p *Pool, rng *rand.Rand, stamp uint64) parcel {
	d := parcel{stamp: stamp}
	n := 8 * (1 + rng.IntN(700))
	switch rng.IntN(6) {
	case 0:
		b := p.Get(n)
		d.bytes, d.giveBack = b.Bytes(), b.Release
	case 1:
		b := p.Append()
		for range n / 8 {
			b.Write(binary.LittleEndian.AppendUint64(b.AvailableBuffer(), stamp))
		}
		d.bytes, d.giveBack = b.Bytes(), b.Release
	case 2:
		b := p.Bytes(n)
		d.bytes, d.giveBack = b, func() { p.Free(b) }
	case 3:
		s := p.Sized(n % 4096)
		x := s.GetPtr()
		d.bytes, d.giveBack = *x, func() { s.PutPtr(x) }
	case 4:
		b := p.Sized(n % 4096).Get()
		d.bytes, d.giveBack = b.Bytes(), func() {
			b.Grow(10)
			b.Release()
		}
	case 5:
		b := p.Get(n)
		bytes := b.Bytes()
		for i := 0; i+8 <= len(bytes); i += 8 {
			binary.LittleEndian.PutUint64(bytes[i:], stamp)
		}
		s := b.Share()
		two := s.Retain()
		s.Release()
		d.bytes, d.giveBack = two.Bytes(), func() { two.Own().Release() }
		return d
	}
	for i := 0; i+8 <= len(d.bytes); i += 8 {
		binary.LittleEndian.PutUint64(d.bytes[i:], stamp)
	}
	return d
}
