package bufferclasses

import (
	"testing"
)

func realSizes(t *testing.T) []int {
	t.Helper()
	sizes, err := Sizes()
	if err != nil {
		t.Skip(err)
	}
	return sizes
}

// TestArmsAgree runs before the study times anything.
func TestArmsAgree(t *testing.T) {
	sizes, err := Sizes()
	if err != nil {
		t.Fatal(err)
	}
	want, total := sumOf(sizes), 0
	for _, size := range sizes {
		total += size
	}
	for _, w := range ways {
		for _, flight := range []int{1, 16} {
			for _, arm := range arms {
				a := arm.create(flight)
				for i := range 2 { // the second finds a used pool
					if sum := round(a, w, sizes); sum != want {
						t.Errorf("%s, %d in flight, %s, round %d: sum %d, want %d", w.name, flight, arm.name, i, sum, want)
					}
				}
				a.Drain()
			}
		}
	}
	for _, arm := range arms {
		var all []Arm
		for range usesRare {
			all = append(all, arm.create(1))
		}
		if sum, want := rare(all, sizes[:usesRare]), sumOf(sizes[:usesRare]); sum != want {
			t.Errorf("rare, %s: sum %d, want %d", arm.name, sum, want)
		}
	}
	t.Logf("result: sum %d", want)
	t.Logf("result: bytes %d", total)
}

func TestReadSeesEachChunk(t *testing.T) {
	b := make([]byte, 3*chunk+9)
	before := read(b)
	for _, i := range []int{0, chunk, 2 * chunk, 3 * chunk} {
		b[i]++
		if sum := read(b); sum == before {
			t.Errorf("a change of byte %d is not seen", i)
		}
		b[i]--
	}
	if read(b[:len(b)-8]) == read(b[:len(b)-7]) {
		t.Error("a length is not seen")
	}
}

// A buffer in flight must not be anybody else's: what is written into the next
// must not be seen in it.
func TestBuffersInFlightDoNotOverlap(t *testing.T) {
	sizes := realSizes(t)
	for _, arm := range arms {
		t.Run(arm.name, func(t *testing.T) {
			check := func(contents [][]byte) {
				seen := map[*byte]bool{}
				for _, c := range contents {
					if seen[&c[0]] {
						t.Fatal("one memory is in flight twice")
					}
					seen[&c[0]] = true
				}
			}
			for _, w := range ways {
				a := arm.create(16)
				for _, size := range sizes[:256] {
					w.use(a, size)
					contents := a.(interface{ inFlight() [][]byte }).inFlight()
					check(contents)
					for _, c := range contents {
						for i := range c {
							if c[i] != source[i%chunk] {
								t.Fatalf("%s: byte %d of %d in flight is not what was written", w.name, i, len(c))
							}
						}
					}
				}
			}
		})
	}
}

func (r *ring[B, K]) inFlight() (contents [][]byte) {
	for _, s := range r.slots {
		if s.used {
			contents = append(contents, r.keeper.bytes(s.buffer))
		}
	}
	return contents
}

func TestARingHoldsSoManyBuffersAndCountsThem(t *testing.T) {
	for _, arm := range arms {
		for _, flight := range []int{1, 16} {
			a := arm.create(flight)
			var before Counts
			for i := range 40 {
				a.Known(4096)
				c := a.Counts().Sub(before)
				before = a.Counts()
				if want := uint64(4096 * min(i+1, flight)); c.Needed != want || c.Held != want {
					t.Fatalf("%s, %d in flight, use %d: %d held and %d needed, want %d", arm.name, flight, i, c.Held, c.Needed, want)
				}
			}
			a.Drain()
			a.Known(100)
			if c := a.Counts().Sub(before); c.Needed != 100 {
				t.Errorf("%s: after Drain %d bytes are needed, want 100", arm.name, c.Needed)
			}
		}
	}
}
