package mdns

import (
	"github.com/poolproof/poolproof/systems/mdns/message"
)

// watch is a call that waits for answers: questions that it begins with, and
// those to which their answers lead. Each record that comes or goes changes only
// what depends on it.
type watch struct {
	roots  map[questionKey]bool // what it begins with
	follow bool                 // from pointers to services, and from these to hosts
	wants  map[questionKey]int  // how many roots and records lead to each question
	kick   chan struct{}        // has an element when there is news
	seeks  map[message.Name]int // names that a pointer of a root leads to, folded; how many do

	// The services whose SRV record leads to a host, by its folded name, and how
	// many records of each do.
	hosts map[message.Name]map[message.Name]int

	// What has changed since news was called last: folded names that the pointers
	// lead to, each once, in order.
	changed map[message.Name]struct{}
	order   []message.Name
}

func newWatch(follow bool) *watch {
	return &watch{
		roots:   map[questionKey]bool{},
		follow:  follow,
		wants:   map[questionKey]int{},
		kick:    make(chan struct{}, 1),
		seeks:   map[message.Name]int{},
		hosts:   map[message.Name]map[message.Name]int{},
		changed: map[message.Name]struct{}{},
	}
}

// wake says that there is news.
func (w *watch) wake() {
	select {
	case w.kick <- struct{}{}:
	default:
	}
}

// note says that what is known of a name has changed.
func (w *watch) note(name message.Name) {
	if _, ok := w.changed[name]; !ok {
		w.changed[name] = struct{}{}
		w.order = append(w.order, name)
	}
	w.wake()
}

// news returns the names of which other things are known than at the last call.
// The caller has the lock.
func (w *watch) news() []message.Name {
	all := w.order
	w.order = nil
	clear(w.changed)
	return all
}

// noteRecord notes what depends on a record.
func (w *watch) noteRecord(e *entry) {
	switch e.key.typ {
	case message.TypePTR:
		w.note(e.target)
	case message.TypeSRV, message.TypeTXT:
		w.note(e.key.name)
	case message.TypeA, message.TypeAAAA:
		for instance := range w.hosts[e.key.name] {
			w.note(instance)
		}
		w.wake()
	}
}

// lead counts d more records that lead from a service to a host.
func (w *watch) lead(instance, host message.Name, d int) {
	from := w.hosts[host]
	if from == nil {
		from = map[message.Name]int{}
		w.hosts[host] = from
	}
	if from[instance] += d; from[instance] == 0 {
		delete(from, instance)
	}
	if len(from) == 0 {
		delete(w.hosts, host)
	}
}
