package bufferpeers

import (
	"math"
	"testing"
)

func measured(t *testing.T) []int {
	t.Helper()
	if raceDetector {
		t.Skip("under the race detector sync.Pool drops one in four")
	}
	sizes, err := Sizes()
	if err != nil {
		t.Skip(err)
	}
	return sizes
}

func peer(t *testing.T, name string) Peer {
	t.Helper()
	for _, p := range Peers {
		if p.Name == name {
			return p
		}
	}
	t.Fatalf("no peer has the name %s", name)
	panic("unreachable")
}

func TestMakeIsMeasuredAsItIs(t *testing.T) {
	sizes := measured(t)
	Exact(func() {
		m := peer(t, "make")
		b := MeasureBurst(m, sizes[:2000], sizes[2000:4000])
		if b.Handed[0] != 1 || b.Handed[1] != 1 || b.Kept[0] != b.Asked || b.Kept[1] > 64 { // buffers under 16 bytes share a block
			t.Errorf("without a pool: %+v, want what was asked and nothing kept", b)
		}
		if least := uint64(sum(sizes[2000:4000])); b.Made < least || b.Made > least*6/5 {
			t.Errorf("without a pool %d bytes were made for %d that were asked", b.Made, least)
		}
		if f := MeasureFlow(m, sizes[:2048], true, 16); f.Held != 1 {
			t.Errorf("without a pool %.3f bytes are held for each that is needed, want 1", f.Held)
		}
		if got := MeasureRare(m, 9000); got != 9472 {
			t.Errorf("without a pool a use of 9000 bytes makes %d, want 9472", got)
		}
	})
}

func TestOneSyncPoolDriftsToItsLargestBuffer(t *testing.T) {
	sizes := measured(t)
	Exact(func() {
		p := newSyncPool(0, false)
		p.Hold(1 << 20).Release()
		if h := p.Hold(10); h.Capacity != 1<<20 {
			t.Errorf("the buffer for 10 bytes has %d", h.Capacity)
		}
		if f := MeasureFlow(peer(t, "sync"), sizes[:4096], false, 16); f.Held < 10 {
			t.Errorf("16 in flight: %.1f bytes are held for each that is needed; a pool that drifts holds more than 10", f.Held)
		}
	})
}

// What is published of package buffer, and the reason to have it: size classes
// hand out at most 1.10 bytes for each that is asked, and hold a few for each
// that was appended.
func TestClassesHoldLittle(t *testing.T) {
	sizes := measured(t)
	Exact(func() {
		get := peer(t, "ours,get")
		b := MeasureBurst(get, sizes[:2000], sizes[2000:4000])
		if math.Max(b.Handed[0], b.Handed[1]) > 1.10 {
			t.Errorf("handed out for each byte asked: %.3f, want at most 1.10", b.Handed)
		}
		if f := MeasureFlow(get, sizes[:4096], false, 16); f.Held > 2.5 {
			t.Errorf("append, 16 in flight: %.2f bytes are held for each that is needed, want at most 2.5", f.Held)
		}
		if f := MeasureFlow(get, sizes[:4096], true, 1); f.Held > 1.10 {
			t.Errorf("known sizes, one in flight: %.2f bytes are held for each that is needed, want at most 1.10", f.Held)
		}
	})
}

func TestOnlyAReserveServesRareUses(t *testing.T) {
	measured(t)
	Exact(func() {
		if got := MeasureRare(peer(t, "ours,get"), 9000); got < 9472 {
			t.Errorf("without a reserve a rare use makes %d bytes, want the buffer again", got)
		}
		if got := MeasureRare(peer(t, "ours,get,reserve"), 9000); got > 4000 {
			t.Errorf("with a reserve a rare use makes %d bytes, want less than the buffer", got)
		}
	})
}

func TestPeersThatAreSaidToKeepMemoryAlikeDo(t *testing.T) {
	sizes := measured(t)
	Exact(func() {
		for _, p := range Peers {
			if p.Like == "" {
				continue
			}
			got, want := MeasureBurst(p, sizes[:500], sizes[500:1000]), MeasureBurst(peer(t, p.Like), sizes[:500], sizes[500:1000])
			// A Sized for each size is memory of its own, made in the second burst.
			if got.Made = want.Made; got != want {
				t.Errorf("%s: %+v, want those of %s: %+v", p.Name, got, p.Like, want)
			}
			for _, known := range []bool{true, false} {
				got, want := MeasureFlow(p, sizes[:1024], known, 4), MeasureFlow(peer(t, p.Like), sizes[:1024], known, 4)
				if got.Held != want.Held {
					t.Errorf("%s: %.3f bytes held for each that is needed, %s: %.3f", p.Name, got.Held, p.Like, want.Held)
				}
			}
		}
	})
}

func sum(sizes []int) (total int) {
	for _, size := range sizes {
		total += size
	}
	return total
}
