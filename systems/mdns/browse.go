package mdns

import (
	"context"
	"errors"
	"iter"
	"net/netip"
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

// Event is a change of a service that is browsed for.
type Event struct {
	Kind    EventKind
	Service Service // of Removed, as it was last known; its slices are the caller's
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
		w := n.quer.watch(true, name, message.TypePTR)
		defer n.quer.unwatch(w)
		seen := map[message.Name]Service{}
		for {
			for _, e := range n.quer.changes(w, seen) {
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
	w := n.quer.watch(true, name, message.TypeSRV, message.TypeTXT)
	defer n.quer.unwatch(w)
	for {
		n.loop.mu.Lock()
		s, ok := n.quer.service(name)
		n.loop.mu.Unlock()
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
	w := n.quer.watch(true, name, message.TypeA, message.TypeAAAA)
	defer n.quer.unwatch(w)
	short, cancel := ctx, context.CancelFunc(nil)
	for {
		addrs, all := n.quer.resolved(name)
		if all {
			return addrs, nil
		}
		if len(addrs) > 0 && cancel == nil {
			short, cancel = context.WithTimeout(ctx, otherFamily)
			defer cancel()
		}
		if err := w.wait(short, n); err != nil {
			if addrs, _ := n.quer.resolved(name); len(addrs) > 0 {
				return addrs, nil
			}
			return nil, err
		}
	}
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
	w := n.quer.watch(false, name, message.TypePTR)
	defer n.quer.unwatch(w)
	for {
		if names := n.quer.namesOf(name, addr.Zone()); len(names) > 0 {
			return names, nil
		}
		if err := w.wait(ctx, n); err != nil {
			return nil, err
		}
	}
}

// ServiceTypes returns an iterator over the service types that there are, each
// once, as "_http._tcp", until ctx ends (RFC 6763, section 9). It yields an
// error once and ends if the node has ended.
func (n *Node) ServiceTypes(ctx context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		w := n.quer.watch(false, metaQuery, message.TypePTR)
		defer n.quer.unwatch(w)
		seen := map[message.Name]bool{}
		for {
			for _, t := range n.quer.newTypes(w, seen) {
				if ctx.Err() != nil || !yield(t, nil) {
					return
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
