//go:build poolproofexplore

package explore_test

import (
	"fmt"

	"github.com/poolproof/poolproof/hotswap/internal/atom"
	"github.com/poolproof/poolproof/hotswap/internal/explore"
	"github.com/poolproof/poolproof/hotswap/internal/slots"
)

// raw is a cell without values, for scenarios of package slots alone.
type raw struct {
	t       *slots.Table
	c       slots.Cell
	readers map[*slots.Slot]int
	updates int
	holds   func(*slots.Slot) int64 // of all slots, or of one
}

func newRaw(t *slots.Table) *raw {
	atom.Shards, atom.Places = t.Shards(), 1
	w := &raw{t: t, readers: make(map[*slots.Slot]int)}
	w.holds = func(*slots.Slot) int64 { return t.Holds() }
	t.Reclaimed = w.unread
	w.c.Init(t)
	w.update()
	return w
}

// unread panics if s has readers, whose owner the caller is.
func (w *raw) unread(s *slots.Slot) {
	if w.readers[s] != 0 {
		panic("a slot with a reader has an owner")
	}
}

// update publishes a slot, if there is one.
func (w *raw) update() {
	s := w.t.Claim()
	if s == nil {
		return
	}
	w.unread(s)
	if w.c.Publish(s, s.Word().Gen(), nil) != slots.Published {
		panic("not published")
	}
	w.updates++
}

// settled is the end of each scenario.
func (w *raw) settled() error {
	for s := range w.t.All {
		if state := s.Word().State(); state == slots.Retired || w.holds(s) != 0 {
			return fmt.Errorf("at the end a slot is in state %d with %d holds", state, w.holds(s))
		}
	}
	return nil
}

// anyShard is the protocol of package poolswap.
func anyShard() explore.Scenario {
	w := newRaw(slots.NewAnyShard(2, 0))
	w.holds = (*slots.Slot).SumAny
	read := func() {
		s := w.c.EnterAny()
		w.readers[s]++
		explore.Point()
		w.readers[s]--
		s.LeaveAny()
	}
	return alike(2, explore.Scenario{Threads: []func(){read, read, times(2, w.update)}, End: w.settled})
}

// generations has one reader anywhere, while another one holds the slot in the
// generation that follows: a claim of the first generation that comes late finds
// the slot retired again. Some of the order is arranged, by threads that wait for
// each other: without that, five preemptions are needed.
func generations() explore.Scenario {
	w := newRaw(slots.NewTable(1, 2))
	read := func(hold func()) {
		_, s, n, gen := w.c.Enter()
		w.readers[s]++
		hold()
		w.readers[s]--
		s.Leave(n, gen)
	}
	var held, written bool
	return explore.Scenario{
		Threads: []func(){
			func() { read(explore.Point) },
			func() {
				explore.Block(func() bool { return w.updates == 3 || written })
				read(func() {
					held = true
					explore.Block(func() bool { return written })
				})
			},
			func() {
				w.update()
				w.update()
				if w.updates == 3 {
					explore.Block(func() bool { return held })
				}
				w.update()
				written = true
			},
		},
		End: w.settled,
	}
}
