package core

import (
	"reflect"
	"testing"
	"time"
)

type mailbox struct {
	n    int
	mail chan int
	tm   *time.Timer
}

// A channel is the object's only where the program's text says so: another may have a reader that
// waits for the next user.
func TestAChannelNeedsTheText(t *testing.T) {
	const name = "github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/core.mailbox.mail"
	for line, want := range map[string]int{"": 0, "-" + name: 0, "!" + name: 0, "?" + name: 0, "+" + name: 1} {
		l := newLayouts(t, line)
		layout := l.Add(descriptor(reflect.TypeFor[mailbox]()))
		n := 0
		for _, s := range layout.Slots[:layout.Len] {
			if s.Offset == 8 {
				n++
				if s.Rule != Own || s.Kind != SlotPointer || s.Elem != hostChanSize || s.ElemType != 0 || !s.Changes || s.Noscan {
					t.Errorf("%q: %+v", line, s)
				}
			}
		}
		if n != want {
			t.Errorf("%q: %d slots for the channel, want %d", line, n, want)
		}
	}
	if timer := newLayouts(t, "+time.Timer.D").Add(descriptor(reflect.TypeFor[time.Timer]())); timer.Len != 0 {
		t.Errorf("a timer's channel: %+v", timer.Slots[:timer.Len])
	}
}
