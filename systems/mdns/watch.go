package mdns

import (
	"context"
	"net/netip"
	"slices"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

// watch is a call that waits for answers: questions that it begins with, and
// those to which their answers lead.
type watch struct {
	roots  map[questionKey]message.Name
	follow bool // from pointers to services, and from these to hosts
	wanted map[questionKey]message.Name
	kick   chan struct{} // has an element when the cache has changed
}

// watch begins to ask. The caller calls unwatch in the end.
func (n *Node) watch(follow bool, name message.Name, types ...message.Type) *watch {
	w := &watch{roots: map[questionKey]message.Name{}, follow: follow, kick: make(chan struct{}, 1)}
	for _, t := range types {
		w.roots[questionKey{name.Fold(), t}] = name
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.watches[w] = struct{}{}
	if !n.closed {
		n.rewatch()
	}
	return w
}

func (n *Node) unwatch(w *watch) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.watches, w)
	for key := range w.wanted {
		n.release(key)
	}
}

// kick tells all watches that the cache has changed.
func (n *Node) kick() {
	for w := range n.watches {
		select {
		case w.kick <- struct{}{}:
		default:
		}
	}
}

// wait waits until the cache has changed. It returns ctx.Err(), or why the node
// has ended.
func (w *watch) wait(ctx context.Context, n *Node) error {
	select {
	case <-w.kick:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-n.done:
		return n.err()
	}
}

// rewatch has each watch ask what the cache leads it to. It reports whether
// there are new questions.
func (n *Node) rewatch() (more bool) {
	for w := range n.watches {
		wanted := n.leads(w)
		for key, name := range wanted {
			if _, ok := w.wanted[key]; !ok && n.demand(key, name) {
				more = true
			}
		}
		for key := range w.wanted {
			if _, ok := wanted[key]; !ok {
				n.release(key)
			}
		}
		w.wanted = wanted
	}
	return more
}

// leads returns all questions of a watch.
func (n *Node) leads(w *watch) map[questionKey]message.Name {
	all := map[questionKey]message.Name{}
	open := make([]questionKey, 0, len(w.roots))
	add := func(name message.Name, types ...message.Type) {
		for _, t := range types {
			key := questionKey{name.Fold(), t}
			if _, ok := all[key]; !ok {
				all[key] = name
				open = append(open, key)
			}
		}
	}
	for key, name := range w.roots {
		add(name, key.typ)
	}
	for w.follow && len(open) > 0 {
		key := open[len(open)-1]
		open = open[:len(open)-1]
		for _, e := range n.find(key.name, key.typ) {
			switch key.typ {
			case message.TypePTR:
				add(message.Name(e.resource.Data), message.TypeSRV, message.TypeTXT)
			case message.TypeSRV:
				if _, _, _, target, ok := message.ReadSRV(e.resource.Data); ok {
					add(target, message.TypeA, message.TypeAAAA)
				}
			}
		}
	}
	return all
}

// service returns what the cache has of an instance, and whether that is all: a
// SRV, a TXT and an address record. The newest SRV and TXT count.
func (n *Node) service(instance message.Name) (s Service, complete bool) {
	folded := instance.Fold()
	srv, txt := newest(n.find(folded, message.TypeSRV)), newest(n.find(folded, message.TypeTXT))
	if srv == nil || txt == nil {
		return Service{}, false
	}
	_, _, port, target, ok := message.ReadSRV(srv.resource.Data)
	if !ok {
		return Service{}, false
	}
	s = Service{
		Instance: instance.First(),
		Type:     serviceType(instance.Parent()),
		Port:     port,
		Text:     message.ReadTXT(txt.resource.Data),
		Host:     hostText(target),
		Addrs:    n.hostAddrs(target),
	}
	return s, len(s.Addrs) > 0
}

// newest returns the entry that was received last, of several the later one.
func newest(entries []*entry) (e *entry) {
	for _, o := range entries {
		if e == nil || !o.received.Before(e.received) {
			e = o
		}
	}
	return e
}

// hostText is a host's name without the dot at its end.
func hostText(n message.Name) string {
	s := n.String()
	return s[:len(s)-1]
}

// hostAddrs returns the addresses of a host in the cache, those of IPv4 first.
func (n *Node) hostAddrs(host message.Name) (all []netip.Addr) {
	folded := host.Fold()
	for _, e := range slices.Concat(n.find(folded, message.TypeA), n.find(folded, message.TypeAAAA)) {
		a, ok := netip.AddrFromSlice([]byte(e.resource.Data))
		if !ok {
			continue
		}
		if a.Is6() && a.IsLinkLocalUnicast() {
			a = a.WithZone(n.net.zone(e.ifIndex))
		}
		if !slices.Contains(all, a) {
			all = append(all, a)
		}
	}
	slices.SortFunc(all, netip.Addr.Compare)
	return all
}
