package poolthreshold

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"unsafe"

	"github.com/poolproof/poolproof/studies/internal/crew"
)

// observe makes an arm call f in place of use.
func (u *user) observe(f func(block, data []byte) uint64) { u.use = f }

type observable interface {
	Arm
	observe(f func(block, data []byte) uint64)
}

func TestUsesReadWhatTheyWrote(t *testing.T) {
	for _, s := range Sizes {
		for _, arm := range arms {
			a := arm.create(s)
			for _, n := range []int{0, 1, 3} {
				if got, want := a.Uses(n), uint64(n)*sumOf(s); got != want {
					t.Errorf("%s, %d uses of %v: sum %d, want %d", arm.name, n, s, got, want)
				}
			}
		}
	}
	for _, s := range Sizes {
		if got, want := NewMake(s, true).Uses(3), 3*sumOf(s); got != want {
			t.Errorf("make without leaving, 3 uses of %v: sum %d, want %d", s, got, want)
		}
	}
}

func TestSizesHaveSumsOfTheirOwn(t *testing.T) {
	seen := map[uint64]Size{}
	for _, s := range Sizes {
		sum := sumOf(s)
		if other, ok := seen[sum]; ok && !(s <= line && other <= line) { // these read the same first word
			t.Errorf("a block of %v and one of %v have the same sum", s, other)
		}
		seen[sum] = s
	}
}

func TestUseWritesABlockAndReadsAWordInEachLine(t *testing.T) {
	for _, s := range Sizes {
		block := make([]byte, s)
		sum, want := use(block, source()), uint64(0)
		if string(block) != string(source()[:s]) {
			t.Errorf("a use of %v did not fill the block with the source", s)
		}
		for rest := source()[:s]; len(rest) > 0; rest = rest[min(64, len(rest)):] {
			want += binary.LittleEndian.Uint64(rest)
		}
		if sum != want {
			t.Errorf("a use of %v returned the sum %d, want %d", s, sum, want)
		}
	}
}

func TestArmsGiveBlocksOfTheirSizeOneAfterTheOther(t *testing.T) {
	for _, s := range Sizes {
		for _, arm := range arms {
			uses := 0
			a := arm.create(s).(observable)
			a.observe(func(block, data []byte) uint64 {
				uses++
				if len(block) != int(s) || len(data) != int(s) {
					t.Errorf("%s: block of %d bytes and %d to write, want %v", arm.name, len(block), len(data), s)
				}
				return 1
			})
			if sum := a.Uses(5); uses != 5 || sum != 5 {
				t.Errorf("%s: %d uses with the sum %d, want 5 of 1 each", arm.name, uses, sum)
			}
		}
	}
}

func TestABlockHasOneOwnerAtATime(t *testing.T) {
	for _, arm := range arms {
		t.Run(arm.name, func(t *testing.T) {
			var mu sync.Mutex
			owned := map[*byte]bool{}
			a := arm.create(64).(observable)
			a.observe(func(block, data []byte) uint64 {
				first := unsafe.SliceData(block)
				mu.Lock()
				if owned[first] {
					t.Error("a block was given out that is in use")
				}
				owned[first] = true
				mu.Unlock()
				runtime.Gosched() // to whom else has it
				mu.Lock()
				delete(owned, first)
				mu.Unlock()
				return 0
			})
			group := crew.New(8, func(int) { a.Uses(1000) })
			defer group.Close()
			group.Run()
		})
	}
}

func TestOperationsShareTheirUsesEvenly(t *testing.T) {
	for _, s := range Sizes {
		for _, goroutines := range []int{1, 2, 3, 64} {
			var counted counter
			hot(&counted, s, goroutines).run()
			if want := min(most, moved/int(s)); counted.uses != want || counted.most-counted.least > 1 {
				t.Errorf("%v, %d goroutines: %d uses in shares of %d to %d, want %d in even ones", s, goroutines, counted.uses, counted.least, counted.most, want)
			}
			each := make([]counter, min(mostRare, moved/int(s)))
			var places []Arm
			for i := range each {
				places = append(places, &each[i])
			}
			rare(places, s, goroutines).run()
			for i := range each {
				if each[i].uses != 1 {
					t.Errorf("%v, %d goroutines: place %d was used %d times in an operation, want once", s, goroutines, i, each[i].uses)
				}
			}
		}
	}
}

// run is one operation by one goroutine.
func (w *work) run() {
	for i := range w.goroutines {
		w.share(i)
	}
}

// counter is an Arm that counts.
type counter struct{ calls, uses, least, most int }

func (c *counter) Uses(n int) uint64 {
	if c.calls++; c.calls == 1 {
		c.least = n
	}
	c.uses, c.least, c.most = c.uses+n, min(c.least, n), max(c.most, n)
	return 0
}

func TestParseSize(t *testing.T) {
	for _, s := range Sizes {
		if got, err := ParseSize(s.String()); err != nil || got != s {
			t.Errorf("ParseSize(%q) = %v, %v", s.String(), got, err)
		}
	}
	for _, text := range []string{"", "1", "1K", "32B", "2MiB", " 1KiB"} {
		if got, err := ParseSize(text); err == nil {
			t.Errorf("ParseSize(%q) = %v, want an error", text, got)
		}
	}
	if got, want := fmt.Sprint(Sizes), "[16B 64B 256B 1KiB 4KiB 16KiB 64KiB 256KiB 1MiB]"; got != want {
		t.Errorf("the sizes print as %s, want %s", got, want)
	}
}

// TestArmsAgree runs before the study times anything.
func TestArmsAgree(t *testing.T) {
	for _, s := range Sizes {
		for _, team := range teams {
			for _, arm := range arms {
				for name, w := range map[string]*work{
					"hot":  hot(arm.create(s), s, team.size()),
					"rare": rare(rareArms(arm.create, s), s, team.size()),
				} {
					group := crew.New(w.goroutines, w.share)
					for range 2 { // the second finds a used pool
						group.Run()
						if err := w.check(); err != nil {
							t.Errorf("%s, %v, %s goroutines, %s: %v", name, s, team.name, arm.name, err)
						}
					}
					group.Close()
				}
			}
		}
		t.Logf("result: %v %d", s, sumOf(s))
	}
	for _, s := range Sizes {
		for _, arm := range stackArms {
			w := hot(arm.create(s), s, 1)
			w.run()
			if err := w.check(); err != nil {
				t.Errorf("stack, %v, %s: %v", s, arm.name, err)
			}
		}
	}
}
