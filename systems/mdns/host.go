package mdns

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

// host is a host name that we announce with addresses: the node's own, another name
// for it, or that of a host that does not speak for itself.
type host struct {
	resp  *responder
	asked message.Name // the name that was asked for, folded: its key
	name  message.Name // as it is now
	claim *claim
	addrs []netip.Addr // nil means the node's own addresses on each interface
	more  []message.Resource
	ttl   uint32
	users []hostUser
	own   bool

	reverses *reverses // of the node's own host
}

// hostUser is a service or a call for which a host is announced.
type hostUser interface {
	// allows reports whether it is to be announced at a place.
	allows(at place) bool
	// retarget is called when the host has another name.
	retarget()
}

// ownHost returns the node's own host, and begins to claim its name if it has not
// yet.
func (r *responder) ownHost() *host {
	if r.own == nil {
		h := r.newHost(ownName(r.label), nil, hostTTL)
		h.own, h.reverses = true, &reverses{host: h}
		r.own = h
		h.reverses.look()
		h.claim.sure = h.reverses.records
		h.claim.begin()
	}
	return r.own
}

// newHost returns a host whose claim has not begun.
func (r *responder) newHost(name message.Name, addrs []netip.Addr, ttl uint32) *host {
	h := &host{resp: r, asked: name.Fold(), name: name, addrs: addrs, ttl: ttl}
	h.claim = &claim{
		resp:    r,
		name:    name,
		ready:   make(chan struct{}),
		types:   []message.Type{message.TypeA, message.TypeAAAA},
		unique:  h.unique,
		rename:  h.rename,
		allowed: h.allows,
	}
	r.hosts[h.asked] = h
	return h
}

// isOwn reports whether a name is that of the node's own host.
func (r *responder) isOwn(name message.Name) bool {
	own := ownName(r.label)
	if message.EqualFold(name, own) {
		return true
	}
	return r.own != nil && message.EqualFold(name, r.own.name)
}

// hostName returns the name of the node's own host as it is now.
func (r *responder) hostName() message.Name {
	if r.own != nil {
		return r.own.name
	}
	return ownName(r.label)
}

// join has a user announce a host beside those that do already; the addresses and
// further records that are given last count for all. A nil more leaves the records.
func (r *responder) join(name message.Name, addrs []netip.Addr, more []message.Resource, ttl uint32, u hostUser) *host {
	h := r.hosts[name.Fold()]
	if h == nil {
		h = r.newHost(name, addrs, ttl)
		h.setMore(more)
		h.users = []hostUser{u}
		h.claim.begin()
		return h
	}
	h.users = append(h.users, u)
	h.claim.cover()
	if more == nil {
		more = h.more
	}
	h.set(addrs, more, ttl)
	return h
}

func (h *host) setMore(more []message.Resource) {
	h.more = more
	h.claim.types = typesOf(more, message.TypeA, message.TypeAAAA)
}

// leave ends what join began. A host without users is withdrawn; the node's own is
// not.
func (h *host) leave(u hostUser) {
	h.users = slices.DeleteFunc(h.users, func(v hostUser) bool { return u == v })
	if h.own {
		return
	}
	if len(h.users) > 0 {
		h.claim.cover()
		return
	}
	delete(h.resp.hosts, h.asked)
	if !h.claim.ended {
		h.claim.withdraw()
	}
}

func (h *host) allows(at place) bool {
	return h.own || slices.ContainsFunc(h.users, func(u hostUser) bool { return u.allows(at) })
}

// rename gives the host its next name, and has the services point to it.
func (h *host) rename() {
	h.name = nextHostName(h.name)
	h.claim.name = h.name
	for _, u := range h.users {
		u.retarget()
	}
}

// unique returns the host's records on an interface.
func (h *host) unique(ifIndex int) []message.Resource {
	return append(h.addresses(ifIndex), further(h.name, h.more, otherTTL)...)
}

// addresses returns those that are addresses.
func (h *host) addresses(ifIndex int) []message.Resource {
	if h.addrs == nil {
		return h.records(ifIndex, h.resp.links.addrs[ifIndex])
	}
	var all []netip.Prefix
	zone := h.resp.loop.net.zone(ifIndex)
	for _, a := range h.addrs {
		if a.Zone() == "" || a.Zone() == zone {
			all = append(all, netip.PrefixFrom(a.WithZone(""), a.BitLen()))
		}
	}
	return h.records(ifIndex, all)
}

// records returns the records of addresses: all that are valid on an interface,
// and no others (RFC 6762, section 6.2).
func (h *host) records(ifIndex int, addrs []netip.Prefix) (all []message.Resource) {
	for _, p := range addrs {
		a := p.Addr()
		if a.IsMulticast() || a.IsUnspecified() || a.IsLoopback() && h.addrs == nil && !strings.HasPrefix(h.resp.loop.net.zone(ifIndex), "lo") {
			continue
		}
		typ, data := message.A(a)
		r := message.Resource{Name: h.name, Type: typ, Class: message.ClassIN, Flush: true, TTL: h.ttl, Data: data}
		if !slices.Contains(all, r) {
			all = append(all, r)
		}
	}
	return all
}

// set gives the host other addresses, nil for the node's own, and further records.
func (h *host) set(addrs []netip.Addr, more []message.Resource, ttl uint32) {
	if h.own || slices.Equal(h.addrs, addrs) && (h.addrs == nil) == (addrs == nil) && slices.Equal(h.more, more) && h.ttl == ttl {
		return
	}
	had := map[int][]message.Resource{}
	for _, at := range h.claim.at {
		had[at.ifIndex] = h.claim.all(at.ifIndex)
	}
	h.addrs, h.ttl = addrs, ttl
	h.setMore(more)
	h.changed(had)
}

// readdress follows a change of the node's addresses.
func (h *host) readdress(before map[int][]netip.Prefix) {
	if h.addrs != nil {
		return
	}
	had := map[int][]message.Resource{}
	for ifIndex, addrs := range before {
		had[ifIndex] = h.records(ifIndex, addrs)
		if h.own {
			had[ifIndex] = append(had[ifIndex], h.reverses.records(ifIndex)...)
		}
	}
	if h.own {
		h.reverses.look()
	}
	h.changed(had)
	if h.own && h.claim.owned {
		h.reverses.seek(0)
	}
}

// changed says goodbye for the records that the host has had and has no more, and
// announces those that it has.
func (h *host) changed(had map[int][]message.Resource) {
	if h.claim.owned {
		h.resp.goodbye(h.claim.places(), func(ifIndex int) []message.Resource { return had[ifIndex] })
		h.claim.announce()
	}
}
