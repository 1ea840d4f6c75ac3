package mdns

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

// Registration is a service that a Node announces. Its methods are safe for
// concurrent use.
type Registration struct {
	node    *Node
	claim   *claim
	offer   offer
	host    *host       // nil if the service points to a host that is not ours
	changed []time.Time // the last updates
	renamed chan string
}

// Register announces a service. It returns when the name is known to be ours,
// after about a second; if another host has it, the service gets another name,
// as "Name (2)" ([Registration.Instance]). The host's name is claimed first, the
// node's own or that of [Service].Host if it has Addrs. An error is that of a
// service which cannot be, ctx.Err(), or that of a node that has ended.
func (n *Node) Register(ctx context.Context, s Service) (*Registration, error) {
	r, err := n.newRegistration(s)
	if err != nil {
		return nil, err
	}
	n.loop.mu.Lock()
	defer n.loop.mu.Unlock()
	if n.loop.ended {
		return nil, n.ended()
	}
	r.settle()
	if r.host != nil {
		if err := n.await(ctx, r.host.claim.ready); err != nil {
			r.end()
			return nil, err
		}
	}
	if n.loop.ended {
		return nil, n.ended()
	}
	r.build()
	r.claim.begin()
	if err := n.await(ctx, r.claim.ready); err != nil {
		r.end()
		return nil, err
	}
	return r, nil
}

// await waits for ready, without the lock, which the caller has.
func (n *Node) await(ctx context.Context, ready <-chan struct{}) error {
	n.loop.mu.Unlock()
	defer n.loop.mu.Lock()
	select {
	case <-ready:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-n.done:
		n.loop.mu.Lock()
		defer n.loop.mu.Unlock()
		return n.ended()
	}
}

func (n *Node) newRegistration(s Service) (*Registration, error) {
	o, err := newOffer(s)
	if err != nil {
		return nil, err
	}
	r := &Registration{node: n, offer: o, renamed: make(chan string, 1)}
	r.claim = &claim{
		resp:    n.resp,
		name:    o.name(),
		ready:   make(chan struct{}),
		types:   o.types(),
		rename:  r.rename,
		allowed: r.allows,
	}
	return r, nil
}

// settle finds the service's host.
func (r *Registration) settle() {
	resp := r.node.resp
	switch {
	case r.offer.host == "" || resp.isOwn(r.offer.host):
		r.host = resp.ownHost()
		r.host.users = append(r.host.users, r)
	case len(r.offer.Addrs) > 0:
		r.host = resp.join(r.offer.host, r.offer.Addrs, nil, r.offer.life(hostTTL), r)
	}
}

// allows reports whether the service is to be announced at a place.
func (r *Registration) allows(at place) bool {
	return allows(r.offer.Interfaces, r.node.loop.net.zone(at.ifIndex))
}

// target is the name of the service's host as it is now.
func (r *Registration) target() message.Name {
	if r.host != nil {
		return r.host.name
	}
	// Another call may have registered the host, and had to rename it.
	if h := r.node.resp.hosts[r.offer.host.Fold()]; h != nil {
		return h.name
	}
	return r.offer.host
}

// build makes the records of the service as it is. The caller lists new names.
func (r *Registration) build() {
	c := r.claim
	records := r.offer.unique(r.target())
	c.name, c.types, c.shared = r.offer.name(), r.offer.types(), r.offer.shared()
	c.unique = func(int) []message.Resource { return records }
}

// retarget has the service point to its host's new name.
func (r *Registration) retarget() {
	if r.claim.unique == nil {
		return // it is built when the host has its name
	}
	r.build()
	if r.claim.owned {
		r.claim.announce()
	}
}

// rename gives the service its next name.
func (r *Registration) rename() {
	r.offer.Instance = nextInstance(r.offer.Instance)
	r.build()
	tell(r.renamed, r.offer.Instance)
}

// tell puts the last name into a channel that has room for one.
func tell(renamed chan string, name string) {
	select {
	case <-renamed: // one that is free
	default:
	}
	renamed <- name
}

// Instance returns the service's name as it is now.
func (r *Registration) Instance() string {
	r.node.loop.mu.Lock()
	defer r.node.loop.mu.Unlock()
	return r.offer.Instance
}

// Host returns the full name of the service's host as it is now: it changes if
// another host has it.
func (r *Registration) Host() string {
	r.node.loop.mu.Lock()
	defer r.node.loop.mu.Unlock()
	return hostText(r.target())
}

// Renamed returns a channel with the service's name each time that another host
// had it and a new one was chosen. Of several names the last one is kept.
func (r *Registration) Renamed() <-chan string { return r.renamed }

// Update changes the service in all but its names, and announces that. Instance
// may be the name that the service has, the one that it was registered with if it
// had to take another one, or empty. Update returns an error if the instance's
// name, type or host differs, if the service was updated ten times in the last
// minute (RFC 6762, section 8.4), or the registration has ended.
func (r *Registration) Update(s Service) error {
	n := r.node
	n.loop.mu.Lock()
	defer n.loop.mu.Unlock()
	if n.loop.ended || r.claim.ended {
		return errors.New("mdns: update of a service that is not registered any more")
	}
	if s.Instance == "" || s.Instance == r.offer.asked {
		s.Instance = r.offer.Instance
	}
	next, err := newOffer(s)
	if err != nil {
		return err
	}
	if !message.EqualFold(next.typ, r.offer.typ) || s.Instance != r.offer.Instance {
		return fmt.Errorf("mdns: update of %q, %s to %q, %s: the names must stay; close the registration and make another one", r.offer.Instance, r.offer.Type, s.Instance, s.Type)
	}
	if !r.sameHost(next) {
		return fmt.Errorf("mdns: update of %q: the host must stay %s; close the registration and make another one", s.Instance, hostText(r.target()))
	}
	now := time.Now()
	r.changed = slices.DeleteFunc(r.changed, func(t time.Time) bool { return now.Sub(t) >= time.Minute })
	if len(r.changed) >= 10 {
		return fmt.Errorf("mdns: %q was updated 10 times in a minute; wait %v", s.Instance, time.Minute-now.Sub(r.changed[0]).Truncate(time.Second))
	}
	r.changed = append(r.changed, now)
	next.asked, next.typ, next.host = r.offer.asked, r.offer.typ, r.offer.host
	r.replace(next)
	return nil
}

// sameHost reports whether an update names the host that the service has, and
// gives addresses if and only if we announce these.
func (r *Registration) sameHost(next offer) bool {
	switch {
	case r.host != nil && r.host.own:
		return next.host == "" || r.node.resp.isOwn(next.host)
	case next.host == "":
		return false
	case !message.EqualFold(next.host, r.offer.host) && !message.EqualFold(next.host, r.target()):
		return false
	}
	return (r.host != nil) == (len(next.Addrs) > 0)
}

// replace takes the new state of a service, and announces it.
func (r *Registration) replace(next offer) {
	before, resp := r.claim.all(0), r.node.resp
	r.offer = next
	r.build()
	resp.registry.put(r.claim)
	r.claim.cover()
	if r.host != nil && !r.host.own {
		r.host.claim.cover()
		r.host.set(next.Addrs, r.host.more, next.life(hostTTL))
	}
	if !r.claim.owned {
		return
	}
	// What is unique replaces the records of its type, of others nothing does.
	gone := slices.DeleteFunc(before, func(o message.Resource) bool { return o.Flush && slices.Contains(r.claim.types, o.Type) })
	resp.goodbye(r.claim.places(), func(int) []message.Resource { return gone })
	r.claim.announce()
}

// end withdraws what has begun. The caller has the lock.
func (r *Registration) end() {
	if r.claim.listed != "" && !r.claim.ended {
		r.claim.withdraw()
	}
	r.claim.ended = true
	if r.host != nil && !r.node.loop.ended {
		r.host.leave(r)
	}
}

// Close says goodbye under the name that the service has now, and ends the
// registration. It may be called more than once.
func (r *Registration) Close() error {
	r.node.loop.mu.Lock()
	defer r.node.loop.mu.Unlock()
	if !r.node.loop.ended && !r.claim.ended {
		r.end()
	}
	return nil
}

// Host is a host name to be registered beside the node's own.
type Host struct {
	// Name is the full name, as "app.local".
	Name string

	// Addrs are its addresses: those of a host that does not announce itself. One
	// with a zone is announced on that interface alone. Nil means the node's own,
	// on each interface those that are valid there: Name is another name for it. An
	// empty slice that is not nil means none: then Name has the Records alone.
	Addrs []netip.Addr

	// Records are further records with Name, of any types but addresses, unique as
	// these. Only Type and Data count (package message has what makes the data), and
	// TTL unless it is 0, which means 75 minutes. They are not found by a [Node].
	Records []message.Resource

	// Interfaces are the names of the interfaces on which it is announced, now or
	// when they come up. None means all of the node.
	Interfaces []string

	// TTL is how long others may keep the addresses, in whole seconds. 0 means 2
	// minutes (RFC 6762, section 10).
	TTL time.Duration
}

// HostRegistration is a host name that a Node announces. Its methods are safe for
// concurrent use.
type HostRegistration struct {
	node    *Node
	asked   Host
	host    *host
	renamed chan string
	closed  bool
}

// RegisterHost announces a host name beside the node's own: another name for it,
// the name and addresses of a host that does not announce itself, or any name with
// records of its own. It returns
// when the name is known to be ours, after about a second; if another host has it,
// it gets another one, as "app-2.local" ([HostRegistration.Name]). Services that
// are registered with this host share it: of their addresses and Records those that
// were given last count. An error is that of a host which cannot be, ctx.Err(), or that of a
// node that has ended.
func (n *Node) RegisterHost(ctx context.Context, h Host) (*HostRegistration, error) {
	name, addrs, ttl, err := h.check()
	if err != nil {
		return nil, err
	}
	h.Interfaces, h.Records = slices.Clone(h.Interfaces), slices.Clone(h.Records)
	n.loop.mu.Lock()
	defer n.loop.mu.Unlock()
	switch {
	case n.loop.ended:
		return nil, n.ended()
	case n.resp.isOwn(name):
		return nil, fmt.Errorf("mdns: %s is the node's own host, which is announced with its first service", h.Name)
	}
	r := &HostRegistration{node: n, asked: h, renamed: make(chan string, 1)}
	r.host = n.resp.join(name, addrs, h.Records, ttl, r)
	if err := n.await(ctx, r.host.claim.ready); err != nil {
		r.end()
		return nil, err
	}
	return r, nil
}

// check checks a host.
func (h Host) check() (name message.Name, addrs []netip.Addr, ttl uint32, err error) {
	if name, err = hostName(h.Name); err != nil {
		return "", nil, 0, err
	}
	for l := range name.Labels() {
		if err := written("host name", l); err != nil {
			return "", nil, 0, err
		}
	}
	if addrs, err = givenAddrs(h.Addrs); err != nil {
		return "", nil, 0, err
	}
	if err := checkRecords(h.Records, message.TypeA, message.TypeAAAA); err != nil {
		return "", nil, 0, err
	}
	if addrs != nil && len(addrs) == 0 && len(h.Records) == 0 {
		return "", nil, 0, fmt.Errorf("mdns: %s has neither addresses nor records; nil Addrs are the node's own", h.Name)
	}
	if ttl, err = seconds(h.TTL); err != nil {
		return "", nil, 0, err
	}
	if ttl == 0 {
		ttl = hostTTL
	}
	return name, addrs, ttl, nil
}

func (r *HostRegistration) allows(at place) bool {
	return allows(r.asked.Interfaces, r.node.loop.net.zone(at.ifIndex))
}

func (r *HostRegistration) retarget() { tell(r.renamed, hostText(r.host.name)) }

// Name returns the host's full name as it is now.
func (r *HostRegistration) Name() string {
	r.node.loop.mu.Lock()
	defer r.node.loop.mu.Unlock()
	return hostText(r.host.name)
}

// Renamed returns a channel with the host's name each time that another host had
// it and a new one was chosen. Of several names the last one is kept.
func (r *HostRegistration) Renamed() <-chan string { return r.renamed }

// Update changes the addresses of the host, and announces that: nil means the
// node's own. It returns an error if the registration has ended.
func (r *HostRegistration) Update(addrs ...netip.Addr) error {
	addrs, err := givenAddrs(addrs)
	if err != nil {
		return err
	}
	r.node.loop.mu.Lock()
	defer r.node.loop.mu.Unlock()
	if r.closed || r.node.loop.ended {
		return errors.New("mdns: update of a host that is not registered any more")
	}
	r.host.set(addrs, r.host.more, r.host.ttl)
	return nil
}

// UpdateRecords changes the further records of the host, and announces that: none
// takes them away. It returns an error if a record cannot be, as [Node.RegisterHost]
// does, or the registration has ended.
func (r *HostRegistration) UpdateRecords(records ...message.Resource) error {
	if err := checkRecords(records, message.TypeA, message.TypeAAAA); err != nil {
		return err
	}
	r.node.loop.mu.Lock()
	defer r.node.loop.mu.Unlock()
	if r.closed || r.node.loop.ended {
		return errors.New("mdns: update of a host that is not registered any more")
	}
	r.host.set(r.host.addrs, slices.Clone(records), r.host.ttl)
	return nil
}

// end withdraws the host if no other call has registered it. The caller has the
// lock.
func (r *HostRegistration) end() {
	if !r.closed && !r.node.loop.ended {
		r.host.leave(r)
	}
	r.closed = true
}

// Close says goodbye for the host, unless a service is registered with it, and
// ends the registration. It may be called more than once.
func (r *HostRegistration) Close() error {
	r.node.loop.mu.Lock()
	defer r.node.loop.mu.Unlock()
	r.end()
	return nil
}
