package mdns

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

// Lifetimes of records in seconds: of those that have a host's name as their own
// or in their data, and of others (RFC 6762, section 10).
const (
	hostTTL  = 120
	otherTTL = 4500
)

// Registration is a service that a Node announces. Its methods are safe for
// concurrent use.
type Registration struct {
	node    *Node
	claim   *claim
	service Service      // Instance is the name as it is now
	typ     message.Name // of the service
	changed []time.Time  // the last updates
	renamed chan string
}

// Register announces a service. It returns when the name is known to be ours,
// after about a second; if another host has it, the service gets another name,
// as "Name (2)" ([Registration.Instance]). The host's name is claimed first. An
// error is that of a service which cannot be, ctx.Err(), or that of a node that
// has ended.
func (n *Node) Register(ctx context.Context, s Service) (*Registration, error) {
	r, err := n.newRegistration(s)
	if err != nil {
		return nil, err
	}
	n.mu.Lock()
	host := n.claimHost()
	n.mu.Unlock()
	if err := n.wait(ctx, host.ready); err != nil {
		return nil, err
	}
	n.mu.Lock()
	if n.closed {
		n.mu.Unlock()
		return nil, n.err()
	}
	r.build()
	r.claim.begin()
	n.mu.Unlock()
	if err := n.wait(ctx, r.claim.ready); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// wait waits for ready.
func (n *Node) wait(ctx context.Context, ready <-chan struct{}) error {
	select {
	case <-ready:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-n.done:
		return n.err()
	}
}

func (n *Node) newRegistration(s Service) (*Registration, error) {
	typ, err := typeName(s.Type)
	if err != nil {
		return nil, err
	}
	if len(slices.Collect(typ.Labels())) != 3 {
		return nil, fmt.Errorf("mdns: service type %q: name subtypes in Subtypes", s.Type)
	}
	r := &Registration{node: n, typ: typ, renamed: make(chan string, 1)}
	if err := r.set(s); err != nil {
		return nil, err
	}
	r.claim = &claim{
		node:   n,
		name:   r.name(),
		ready:  make(chan struct{}),
		types:  []message.Type{message.TypeSRV, message.TypeTXT},
		rename: r.rename,
	}
	return r, nil
}

// set checks a service and takes it.
func (r *Registration) set(s Service) error {
	if _, err := instanceName(s.Instance, r.typ); err != nil {
		return err
	}
	if err := written("instance name", s.Instance); err != nil {
		return err
	}
	for _, sub := range s.Subtypes {
		if _, err := r.subtype(sub); err != nil {
			return fmt.Errorf("mdns: subtype %q: %w", sub, err)
		}
	}
	data, err := message.TXT(s.Text...)
	if err != nil {
		return fmt.Errorf("mdns: %w", err)
	}
	if len(data) > 8000 {
		return fmt.Errorf("mdns: the strings of Text have %d bytes, at most 8000 fit into a packet", len(data))
	}
	s.Text, s.Subtypes = slices.Clone(s.Text), slices.Clone(s.Subtypes)
	r.service = s
	return nil
}

// name is the name of the instance; set has checked that it is one.
func (r *Registration) name() message.Name {
	n, _ := instanceName(r.service.Instance, r.typ)
	return n
}

func (r *Registration) subtype(sub string) (message.Name, error) {
	labels := append([]string{sub, "_sub"}, slices.Collect(r.typ.Labels())...)
	return message.NewName(labels...)
}

// build makes the records of the service as it is.
func (r *Registration) build() {
	c, n := r.claim, r.node
	c.name = r.name()
	text, _ := message.TXT(r.service.Text...)
	records := []message.Resource{
		{Name: c.name, Type: message.TypeSRV, Class: message.ClassIN, Flush: true, TTL: hostTTL, Data: message.SRV(0, 0, r.service.Port, ownName(n.hostLabel))},
		{Name: c.name, Type: message.TypeTXT, Class: message.ClassIN, Flush: true, TTL: otherTTL, Data: text},
	}
	c.unique = func(int) []message.Resource { return records }
	c.shared = []message.Resource{
		pointer(r.typ, c.name),
		pointer(metaQuery, r.typ),
	}
	for _, sub := range r.service.Subtypes {
		if name, err := r.subtype(sub); err == nil {
			c.shared = append(c.shared, pointer(name, c.name))
		}
	}
}

// pointer is the shared PTR record from one name to another.
func pointer(from, to message.Name) message.Resource {
	return message.Resource{Name: from, Type: message.TypePTR, Class: message.ClassIN, TTL: otherTTL, Data: string(to)}
}

// rename gives the service its next name.
func (r *Registration) rename() {
	r.service.Instance = nextInstance(r.service.Instance)
	r.build()
	select {
	case <-r.renamed: // one that nobody has taken
	default:
	}
	r.renamed <- r.service.Instance
}

// Instance returns the service's name as it is now.
func (r *Registration) Instance() string {
	r.node.mu.Lock()
	defer r.node.mu.Unlock()
	return r.service.Instance
}

// Renamed returns a channel with the service's name each time that another host
// had it and a new one was chosen. Of several names the last one is kept.
func (r *Registration) Renamed() <-chan string { return r.renamed }

// Update changes the port, text and subtypes of the service, and announces
// them. It returns an error if the instance's name or the type differs, if the
// service was updated ten times in the last minute (RFC 6762, section 8.4), or
// the registration has ended.
func (r *Registration) Update(s Service) error {
	n := r.node
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed || r.claim.ended {
		return errors.New("mdns: update of a service that is not registered any more")
	}
	typ, err := typeName(s.Type)
	if err != nil {
		return err
	}
	if !message.EqualFold(typ, r.typ) || s.Instance != r.service.Instance {
		return fmt.Errorf("mdns: update of %q, %s to %q, %s: the names must stay; close the registration and make another one", r.service.Instance, r.service.Type, s.Instance, s.Type)
	}
	now := time.Now()
	r.changed = slices.DeleteFunc(r.changed, func(t time.Time) bool { return now.Sub(t) >= time.Minute })
	if len(r.changed) >= 10 {
		return fmt.Errorf("mdns: %q was updated 10 times in a minute; wait %v", s.Instance, time.Minute-now.Sub(r.changed[0]).Truncate(time.Second))
	}
	before := r.claim.shared
	if err := r.set(s); err != nil {
		return err
	}
	r.changed = append(r.changed, now)
	r.build()
	if r.claim.owned {
		// Of shared records nothing replaces those that are not there any more.
		n.goodbye(r.claim.places(), func(int) []message.Resource { return before })
		r.claim.announce()
	}
	return nil
}

// Close says goodbye under the name that the service has now, and ends the
// registration. It may be called more than once.
func (r *Registration) Close() error {
	n := r.node
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.closed && !r.claim.ended {
		r.claim.withdraw()
	}
	return nil
}
