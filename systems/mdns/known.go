package mdns

import (
	"net/netip"
	"slices"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

// service returns what the cache has of an instance, and whether that is all: a
// SRV, a TXT and an address record. The newest SRV and TXT count.
func (q *querier) service(instance message.Name) (s Service, complete bool) {
	folded := instance.Fold()
	srv, txt := newest(q.cache.find(questionKey{folded, message.TypeSRV})), newest(q.cache.find(questionKey{folded, message.TypeTXT}))
	if srv == nil || txt == nil {
		return Service{}, false
	}
	priority, weight, port, target, ok := message.ReadSRV(srv.resource.Data)
	if !ok {
		return Service{}, false
	}
	s = Service{
		Instance: instance.First(),
		Type:     serviceType(instance.Parent()),
		Port:     port,
		Priority: priority,
		Weight:   weight,
		Text:     message.ReadTXT(txt.resource.Data),
		Host:     hostText(target),
	}
	s.Endpoints = q.endpoints(target)
	s.Addrs = addrsOf(s.Endpoints)
	for _, e := range s.Endpoints {
		s.Interfaces = append(s.Interfaces, e.Interface)
	}
	slices.Sort(s.Interfaces)
	s.Interfaces = slices.Compact(s.Interfaces)
	return s, len(s.Addrs) > 0
}

// newest returns the entry that was received last, nil if there is none.
func newest(entries []*entry) (e *entry) {
	for _, o := range entries {
		if e == nil || o.received.After(e.received) || o.received.Equal(e.received) && o.resource.Data > e.resource.Data {
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

// endpoints returns the addresses of a host in the cache, those of IPv4 first,
// each with the interfaces on which it is known.
func (q *querier) endpoints(host message.Name) (all []Endpoint) {
	folded := host.Fold()
	for _, t := range []message.Type{message.TypeA, message.TypeAAAA} {
		for _, e := range q.cache.find(questionKey{folded, t}) {
			a, ok := netip.AddrFromSlice([]byte(e.resource.Data))
			if !ok {
				continue
			}
			zone := q.loop.net.zone(e.ifIndex)
			if a.Is6() && a.IsLinkLocalUnicast() {
				a = a.WithZone(zone)
			}
			all = append(all, Endpoint{a, zone})
		}
	}
	slices.SortFunc(all, compareEndpoints)
	return all
}

// addrsOf returns the addresses of endpoints that are in order, each once.
func addrsOf(endpoints []Endpoint) (all []netip.Addr) {
	for _, e := range endpoints {
		if len(all) == 0 || all[len(all)-1] != e.Addr {
			all = append(all, e.Addr)
		}
	}
	return all
}

// resolved returns the addresses of a host, and whether these are all: some of
// each family that it does not deny.
func (q *querier) resolved(name message.Name) (addrs []netip.Addr, all bool) {
	q.loop.mu.Lock()
	defer q.loop.mu.Unlock()
	addrs = addrsOf(q.endpoints(name))
	has := func(is6 bool, t message.Type) bool {
		return q.denied(questionKey{name.Fold(), t}) ||
			slices.ContainsFunc(addrs, func(a netip.Addr) bool { return a.Is6() == is6 })
	}
	return addrs, len(addrs) > 0 && has(false, message.TypeA) && has(true, message.TypeAAAA)
}

// namesOf returns what the pointers of a reverse name lead to on the interface of
// a zone; on all if it is empty.
func (q *querier) namesOf(reverse message.Name, zone string) (all []string) {
	q.loop.mu.Lock()
	defer q.loop.mu.Unlock()
	for _, e := range q.cache.find(questionKey{reverse, message.TypePTR}) {
		host := hostText(message.Name(e.resource.Data))
		if (zone == "" || q.loop.net.zone(e.ifIndex) == zone) && !slices.Contains(all, host) {
			all = append(all, host)
		}
	}
	slices.Sort(all)
	return all
}

// changes returns what has changed of the services that a watch seeks, since they
// were as in seen, which is brought up to date. A service with a missing part
// counts as gone.
func (q *querier) changes(w *watch, seen map[message.Name]Service) (events []Event) {
	q.loop.mu.Lock()
	defer q.loop.mu.Unlock()
	for _, key := range w.news() {
		s, there := Service{}, false
		if w.seeks[key] > 0 && key.First() != "" {
			s, there = q.service(q.spelled(key))
		}
		before, was := seen[key]
		switch {
		case there && !was:
			events = append(events, Event{Added, s.clone()})
		case there && !before.equal(s):
			events = append(events, Event{Updated, s.clone()})
		case !there && was:
			events = append(events, Event{Removed, before})
		}
		if there {
			seen[key] = s
		} else {
			delete(seen, key)
		}
	}
	return events
}

// spelled returns a folded name as the pointers to it spell it.
func (q *querier) spelled(folded message.Name) message.Name {
	if p := q.cache.pointers[folded]; len(p) > 0 {
		return message.Name(p[0].resource.Data)
	}
	return folded
}

// newTypes returns the service types that have come since the last call, in order.
func (q *querier) newTypes(w *watch, seen map[message.Name]bool) (all []string) {
	q.loop.mu.Lock()
	defer q.loop.mu.Unlock()
	for _, key := range w.news() {
		if w.seeks[key] > 0 && !seen[key] {
			seen[key] = true
			all = append(all, serviceType(q.spelled(key)))
		}
	}
	slices.Sort(all)
	return all
}
