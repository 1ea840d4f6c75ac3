package mdns

import (
	"log/slog"
	"net/netip"
	"sync"
	"time"

	"github.com/poolproof/poolproof/systems/mdns/message"
	"github.com/poolproof/poolproof/systems/mdns/transport"
)

// loop is shared by the parts of a node, which run one at a time: each packet,
// call and task has the lock. It also has what they share to send a message.
type loop struct {
	mu    sync.Mutex         // guards all of the node
	tasks map[*task]struct{} // that are to come
	ended bool

	net     network
	builder message.Builder
	failing map[place]bool // the last message could not be sent
	stats   Stats
	log     *slog.Logger
}

func newLoop(world network, log slog.Handler) *loop {
	if log == nil {
		log = slog.DiscardHandler
	}
	return &loop{tasks: map[*task]struct{}{}, net: world, failing: map[place]bool{}, log: slog.New(log)}
}

// task is a call in the future, which can be cancelled.
type task struct {
	loop  *loop
	timer *time.Timer
}

// after calls f after d, with the lock held, unless the task is cancelled or the
// loop ends before.
func (l *loop) after(d time.Duration, f func()) *task {
	if l.ended {
		return nil
	}
	t := &task{loop: l}
	l.tasks[t] = struct{}{}
	t.timer = time.AfterFunc(d, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if _, ok := l.tasks[t]; ok {
			delete(l.tasks, t)
			f()
		}
	})
	return t
}

// cancel ends a task. The caller has the lock. A nil task has nothing to end.
func (t *task) cancel() {
	if t != nil {
		delete(t.loop.tasks, t)
		t.timer.Stop()
	}
}

// end cancels all tasks, so that no timer holds the node, and those to come.
func (l *loop) end() {
	l.ended = true
	for t := range l.tasks {
		t.cancel()
	}
}

// send sends what the builder holds.
func (l *loop) send(at place, dst netip.AddrPort) {
	err := l.net.send(at, dst, l.builder.Bytes())
	if err != nil { // an interface may be down, or have no address of the family
		l.stats.SendErrors++
	}
	if failing := err != nil; failing != l.failing[at] {
		l.failing[at] = failing
		if failing {
			l.log.Warn("mdns: a message could not be sent", "interface", l.net.zone(at.ifIndex), "family", at.family(), "to", dst, "error", err)
		}
	}
}

// room returns how long a message of several records may be at a place, and one
// of a single record (RFC 6762, section 17).
func (l *loop) room(at place) (several, single int) {
	single = transport.BufferSize - at.headers()
	several = l.net.mtu(at.ifIndex) - at.headers()
	if several < 512 || several > single {
		several = min(1500-at.headers(), single)
	}
	return several, single
}
