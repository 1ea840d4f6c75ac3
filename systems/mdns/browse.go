package mdns

import (
	"context"
	"errors"
	"iter"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

// EventKind says what happened to a service.
type EventKind uint8

// The kinds of events.
const (
	Added   EventKind = iota // the service and its address are known
	Updated                  // its port, text, host or addresses have changed
	Removed                  // it has said goodbye, or not been heard of for the life of its records
)

// String returns the kind in lower case.
func (k EventKind) String() string { return [...]string{"added", "updated", "removed"}[k] }

// Event is what happened to a service while it was browsed for.
type Event struct {
	Kind    EventKind
	Service Service // of Removed, as it was last known
}

// Browse returns an iterator over the services of a type, as "_http._tcp", or
// of a subtype, as "_printer._sub._http._tcp": those that are there, and what
// happens to them, until ctx ends. It asks again and again, at times that double
// up to an hour, and asks for what it knows shortly before that ends. If the
// loop is slow, it gets the last state of each service and not all between.
//
// The iterator yields an error once and ends if the type is none or the node has
// ended. When ctx ends, it ends without one.
func (n *Node) Browse(ctx context.Context, service string) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		name, err := typeName(service)
		if err != nil {
			yield(Event{}, err)
			return
		}
		w := n.watch(true, name, message.TypePTR)
		defer n.unwatch(w)
		seen := map[message.Name]Service{}
		for {
			for _, e := range n.changes(name, seen) {
				if ctx.Err() != nil || !yield(e, nil) {
					return
				}
			}
			if err := w.wait(ctx, n); err != nil {
				if ctx.Err() == nil {
					yield(Event{}, err)
				}
				return
			}
		}
	}
}

// changes returns the differences from seen, and brings seen up to date. A service
// with a missing part counts as gone.
func (n *Node) changes(name message.Name, seen map[message.Name]Service) (events []Event) {
	n.mu.Lock()
	defer n.mu.Unlock()
	there := map[message.Name]bool{}
	for _, e := range n.find(name.Fold(), message.TypePTR) {
		instance := message.Name(e.resource.Data)
		key := instance.Fold()
		if there[key] || instance.First() == "" {
			continue
		}
		s, ok := n.service(instance)
		if !ok {
			continue
		}
		there[key] = true
		before, was := seen[key]
		switch {
		case !was:
			events = append(events, Event{Added, s})
		case !before.equal(s):
			events = append(events, Event{Updated, s})
		}
		seen[key] = s
	}
	for key, s := range seen {
		if !there[key] {
			events = append(events, Event{Removed, s})
			delete(seen, key)
		}
	}
	return events
}

// Lookup returns the instance of a service type. It waits until its port, text
// and an address are known, or ctx ends: then the error is ctx.Err().
func (n *Node) Lookup(ctx context.Context, instance, service string) (Service, error) {
	typ, err := typeName(service)
	if err != nil {
		return Service{}, err
	}
	name, err := instanceName(instance, typ)
	if err != nil {
		return Service{}, err
	}
	w := n.watch(true, name, message.TypeSRV, message.TypeTXT)
	defer n.unwatch(w)
	for {
		n.mu.Lock()
		s, ok := n.service(name)
		n.mu.Unlock()
		if ok {
			return s, nil
		}
		if err := w.wait(ctx, n); err != nil {
			return Service{}, err
		}
	}
}

// otherFamily is how long Resolve waits for the addresses of a second family.
const otherFamily = 250 * time.Millisecond

// Resolve returns the addresses of a host, as "printer.local", "printer" or the
// Host of a [Service], those of IPv4 first. It waits until there is one, and for those of the other
// family a moment longer, unless the host says that it has none. If ctx ends
// before, the error is ctx.Err().
func (n *Node) Resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	name, err := hostName(host)
	if err != nil {
		return nil, err
	}
	w := n.watch(true, name, message.TypeA, message.TypeAAAA)
	defer n.unwatch(w)
	short, cancel := ctx, context.CancelFunc(nil)
	for {
		addrs, all := n.resolved(name)
		if all {
			return addrs, nil
		}
		if len(addrs) > 0 && cancel == nil {
			short, cancel = context.WithTimeout(ctx, otherFamily)
			defer cancel()
		}
		if err := w.wait(short, n); err != nil {
			if addrs, _ := n.resolved(name); len(addrs) > 0 {
				return addrs, nil
			}
			return nil, err
		}
	}
}

// resolved returns the addresses of a host, and whether these are all: some of
// each family that it does not deny.
func (n *Node) resolved(name message.Name) (addrs []netip.Addr, all bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	addrs = n.hostAddrs(name)
	has := func(is6 bool, t message.Type) bool {
		return n.denied(questionKey{name.Fold(), t}) ||
			slices.ContainsFunc(addrs, func(a netip.Addr) bool { return a.Is6() == is6 })
	}
	return addrs, len(addrs) > 0 && has(false, message.TypeA) && has(true, message.TypeAAAA)
}

// LookupAddr returns the names of the host that has an address, as
// "printer.local". It waits until there is one. An IPv6 address with a zone is
// looked up on that interface, others on all. If ctx ends before, the error is
// ctx.Err().
func (n *Node) LookupAddr(ctx context.Context, addr netip.Addr) ([]string, error) {
	name := message.ReverseName(addr)
	if name == "" {
		return nil, errors.New("mdns: the zero address has no name")
	}
	w := n.watch(false, name, message.TypePTR)
	defer n.unwatch(w)
	for {
		if names := n.namesOf(name, addr.Zone()); len(names) > 0 {
			return names, nil
		}
		if err := w.wait(ctx, n); err != nil {
			return nil, err
		}
	}
}

// namesOf returns what the pointers of a reverse name lead to on the interface
// of a zone; on all if it is empty.
func (n *Node) namesOf(reverse message.Name, zone string) (all []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, e := range n.find(reverse, message.TypePTR) {
		host := hostText(message.Name(e.resource.Data))
		if (zone == "" || n.net.zone(e.ifIndex) == zone) && !slices.Contains(all, host) {
			all = append(all, host)
		}
	}
	slices.Sort(all)
	return all
}

// ServiceTypes returns an iterator over the service types that there are, each
// once, as "_http._tcp", until ctx ends (RFC 6763, section 9). It yields an
// error once and ends if the node has ended.
func (n *Node) ServiceTypes(ctx context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		w := n.watch(false, metaQuery, message.TypePTR)
		defer n.unwatch(w)
		seen := map[string]bool{}
		for {
			for _, t := range n.types() {
				if key := strings.ToLower(t); !seen[key] {
					seen[key] = true
					if ctx.Err() != nil || !yield(t, nil) {
						return
					}
				}
			}
			if err := w.wait(ctx, n); err != nil {
				if ctx.Err() == nil {
					yield("", err)
				}
				return
			}
		}
	}
}

// types returns the service types in the cache.
func (n *Node) types() (all []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, e := range n.find(metaQuery, message.TypePTR) {
		all = append(all, serviceType(message.Name(e.resource.Data)))
	}
	slices.Sort(all)
	return all
}
