package bufferpeers

import (
	"bytes"
	"testing"
	"unsafe"
)

// eachPeer runs f once for each peer.
func eachPeer(t *testing.T, f func(t *testing.T, peer Peer)) {
	seen := map[string]bool{}
	for _, peer := range Peers {
		if seen[peer.Name] {
			t.Errorf("two peers have the name %s", peer.Name)
		}
		seen[peer.Name] = true
		t.Run(peer.Name, func(t *testing.T) { f(t, peer) })
	}
}

var someSizes = []int{1, 2, 63, 64, 65, 255, 512, 513, 1000, 4096, 4097, 9000, 65535, 65536, 65537, 300_000, 1 << 20, 1<<20 + 1}

func TestBuffersHaveTheLengthThatIsAskedAndKeepWhatIsWritten(t *testing.T) {
	eachPeer(t, func(t *testing.T, peer Peer) {
		pool := peer.New()
		for round := range 3 { // later rounds get what the first gave back
			var held []Held
			for i, size := range someSizes {
				if !peer.Takes(size) {
					continue
				}
				h := pool.Hold(size)
				if len(h.Bytes) != size || h.Capacity < size {
					t.Fatalf("round %d: asked for %d bytes, got %d of %d", round, size, len(h.Bytes), h.Capacity)
				}
				if peer.Clears && !isZero(h.Bytes) {
					t.Errorf("round %d: a buffer of %d bytes is not clear", round, size)
				}
				for j := range h.Bytes {
					h.Bytes[j] = byte(i + 1)
				}
				held = append(held, h)
			}
			owners := map[*byte]bool{}
			for _, h := range held {
				if first := unsafe.SliceData(h.Bytes); owners[first] {
					t.Errorf("round %d: one memory has two owners", round)
				} else {
					owners[first] = true
				}
				if want := h.Bytes[0]; bytes.Count(h.Bytes, []byte{want}) != len(h.Bytes) || want == 0 {
					t.Errorf("round %d: what was written into %d bytes is not there any more", round, len(h.Bytes))
				}
			}
			for _, h := range held {
				h.Release()
			}
		}
	})
}

func isZero(b []byte) bool { return bytes.Count(b, []byte{0}) == len(b) }

func TestWhatIsAppendedIsThere(t *testing.T) {
	eachPeer(t, func(t *testing.T, peer Peer) {
		for _, flight := range []int{1, 16} {
			ring := peer.New().Ring(flight)
			for range 3 {
				for _, size := range someSizes {
					if !peer.Takes(2 * size) { // what grows asks for twice as much
						continue
					}
					ring.Append(size)
					var want []byte
					for len(want) < size {
						want = append(want, chunk[:min(Chunk, size-len(want))]...)
					}
					if !bytes.Equal(ring.Content(), want) {
						t.Fatalf("%d in flight: %d bytes were appended and are not there", flight, size)
					}
					content := ring.Content()
					for i := range content { // so that what is used again is not right by chance
						content[i] = 0xFF
					}
				}
			}
			ring.Drain()
		}
	})
}

func TestDropAbove64KiBKeeps64KiB(t *testing.T) {
	if raceDetector {
		t.Skip("under the race detector sync.Pool drops one in four")
	}
	Exact(func() {
		for size, kept := range map[int]bool{64 << 10: true, 64<<10 + 1: false} {
			p := newSyncPool(64<<10, false)
			p.Hold(size).Release()
			if c := p.Hold(1).Capacity; (c == size) != kept {
				t.Errorf("after a buffer of %d bytes one of %d is handed out for 1", size, c)
			}
		}
	})
}

func TestARingCountsWhatIsInFlight(t *testing.T) {
	ring := newMake().Ring(2)
	for _, step := range []struct{ size, held, needed int }{
		{1000, 1000, 1000}, {2000, 3000, 3000}, {500, 2500, 2500}, // 1000 was the oldest
	} {
		held, needed := ring.Flow()
		ring.Known(step.size)
		h, n := ring.Flow()
		if int(h-held) != step.held || int(n-needed) != step.needed {
			t.Errorf("after one of %d: %d held and %d needed, want %d and %d", step.size, h-held, n-needed, step.held, step.needed)
		}
	}
	ring.Drain()
	held, needed := ring.Flow()
	ring.Known(7)
	if h, n := ring.Flow(); h-held != 7 || n-needed != 7 {
		t.Errorf("after Drain and one of 7: %d held and %d needed, want 7 and 7", h-held, n-needed)
	}
}

// The loops that benchmarks time must do what a Ring does: take a buffer of the
// size, and give it back.
func TestPairsAllocateWhatPeersAreKnownToAllocate(t *testing.T) {
	if raceDetector {
		t.Skip("under the race detector sync.Pool drops one in four")
	}
	want := map[string]float64{"make": 1, "gobwas": 1, "prometheus": 2}
	eachPeer(t, func(t *testing.T, peer Peer) {
		Exact(func() {
			for _, size := range []int{4096, 9000, 65536, 1 << 20} {
				if !peer.Takes(size) {
					continue
				}
				pool := peer.New()
				pool.Pairs(size, 10)
				want := want[peer.Name]
				if peer.Name == "sync,64KiB" && size > 64<<10 {
					want = 2 // the buffer, and the header that New makes
				}
				if got := testing.AllocsPerRun(20, func() { pool.Pairs(size, 10) }) / 10; got != want {
					t.Errorf("a pair of %d bytes allocates %.1f times, want %.0f", size, got, want)
				}
			}
		})
	})
}
