package mdns

import (
	"errors"
	"fmt"
	"math"
	"net/netip"
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

// offer is a service that was checked: what its records are made of.
type offer struct {
	Service              // Instance is the name as it is now
	asked   string       // the instance's name that was asked for
	typ     message.Name // of the service
	host    message.Name // the name that was asked for; "" means the node's own
	text    string       // the data of the TXT record
	ttl     uint32       // seconds, 0 for the defaults
}

// newOffer checks a service and takes it.
func newOffer(s Service) (o offer, err error) {
	o.asked = s.Instance
	if o.typ, err = typeName(s.Type); err != nil {
		return o, err
	}
	if len(slices.Collect(o.typ.Labels())) != 3 {
		return o, fmt.Errorf("mdns: service type %q: name subtypes in Subtypes", s.Type)
	}
	if _, err := instanceName(s.Instance, o.typ); err != nil {
		return o, err
	}
	if err := written("instance name", s.Instance); err != nil {
		return o, err
	}
	for _, sub := range s.Subtypes {
		if _, err := o.subtype(sub); err != nil {
			return o, fmt.Errorf("mdns: subtype %q: %w", sub, err)
		}
	}
	if o.text, err = message.TXT(s.Text...); err != nil {
		return o, fmt.Errorf("mdns: %w", err)
	}
	if len(o.text) > maxData {
		return o, fmt.Errorf("mdns: the strings of Text have %d bytes, at most %d fit into a packet", len(o.text), maxData)
	}
	switch {
	case s.Host != "":
		if o.host, err = hostName(s.Host); err != nil {
			return o, err
		}
	case len(s.Addrs) > 0:
		return o, errors.New("mdns: a service with Addrs needs a Host, whose addresses they are")
	}
	if o.ttl, err = seconds(s.TTL); err != nil {
		return o, err
	}
	if err := checkRecords(s.Records, message.TypeSRV, message.TypeTXT); err != nil {
		return o, err
	}
	if s.Addrs, err = givenAddrs(s.Addrs); err != nil {
		return o, err
	}
	s.Text, s.Subtypes, s.Interfaces, s.Records = slices.Clone(s.Text), slices.Clone(s.Subtypes), slices.Clone(s.Interfaces), slices.Clone(s.Records)
	o.Service = s
	return o, nil
}

// maxData is how many bytes the data of a record may have, so that a packet holds
// it with names around it.
const maxData = 8000

// seconds returns a TTL in seconds, 0 if none is given.
func seconds(ttl time.Duration) (uint32, error) {
	switch {
	case ttl == 0:
		return 0, nil
	case ttl < time.Second || ttl%time.Second != 0 || ttl/time.Second > math.MaxInt32:
		return 0, fmt.Errorf("mdns: a TTL of %v: want whole seconds, from 1 to %d", ttl, math.MaxInt32)
	}
	return uint32(ttl / time.Second), nil
}

// checkRecords checks further records of a name, which must not be of the types that it
// has otherwise.
func checkRecords(records []message.Resource, has ...message.Type) error {
	for i, r := range records {
		switch {
		case slices.Contains(has, r.Type), r.Type == 0, r.Type == message.TypeNSEC, r.Type == message.TypeCNAME, r.Type == message.TypeOPT, r.Type == message.TypeANY:
			return fmt.Errorf("mdns: record %d of Records: a further record cannot be of type %v", i+1, r.Type)
		}
		if r.TTL > math.MaxInt32 {
			return fmt.Errorf("mdns: record %d of Records: a TTL of %d seconds: want at most %d", i+1, r.TTL, math.MaxInt32)
		}
		var b message.Builder
		b.Reset(0, 0, math.MaxInt)
		r.Name = metaQuery
		err := b.Record(message.Answers, r)
		if err == nil {
			err = message.Check(b.Bytes()).Err()
		}
		switch {
		case err != nil:
			return fmt.Errorf("mdns: record %d of Records, of type %v: %w", i+1, r.Type, err)
		case len(r.Data) > maxData:
			return fmt.Errorf("mdns: record %d of Records has %d bytes, at most %d fit into a packet", i+1, len(r.Data), maxData)
		}
	}
	return nil
}

// givenAddrs checks addresses that are to be announced, and returns them without
// repetition: nil for nil alone.
func givenAddrs(addrs []netip.Addr) (all []netip.Addr, err error) {
	if addrs != nil {
		all = []netip.Addr{}
	}
	for _, a := range addrs {
		a = a.Unmap()
		if !a.IsValid() || a.IsUnspecified() || a.IsMulticast() {
			return nil, fmt.Errorf("mdns: %v is not the address of a host", a)
		}
		if !slices.Contains(all, a) {
			all = append(all, a)
		}
	}
	return all, nil
}

// name is the name of the instance.
func (o *offer) name() message.Name {
	n, _ := instanceName(o.Instance, o.typ) // newOffer has checked that it is one
	return n
}

func (o *offer) subtype(sub string) (message.Name, error) {
	labels := append([]string{sub, "_sub"}, slices.Collect(o.typ.Labels())...)
	return message.NewName(labels...)
}

// unique returns the records with the instance's name; target is that of its host.
func (o *offer) unique(target message.Name) []message.Resource {
	name := o.name()
	all := []message.Resource{
		{Name: name, Type: message.TypeSRV, Class: message.ClassIN, Flush: true, TTL: o.life(hostTTL), Data: message.SRV(o.Priority, o.Weight, o.Port, target)},
		{Name: name, Type: message.TypeTXT, Class: message.ClassIN, Flush: true, TTL: o.life(otherTTL), Data: o.text},
	}
	return append(all, further(name, o.Records, o.life(otherTTL))...)
}

// further returns further records of a name, unique as all of them.
func further(name message.Name, records []message.Resource, ttl uint32) (all []message.Resource) {
	for _, r := range records {
		if r.TTL == 0 {
			r.TTL = ttl
		}
		r.Name, r.Class, r.Flush = name, message.ClassIN, true
		all = append(all, r)
	}
	return all
}

// types returns the types of the records of unique.
func (o *offer) types() []message.Type {
	return typesOf(o.Records, message.TypeSRV, message.TypeTXT)
}

// typesOf returns types and those of further records.
func typesOf(records []message.Resource, all ...message.Type) []message.Type {
	for _, r := range records {
		if !slices.Contains(all, r.Type) {
			all = append(all, r.Type)
		}
	}
	return all
}

// shared returns the pointers to the instance and its type.
func (o *offer) shared() []message.Resource {
	ttl := o.life(otherTTL)
	all := []message.Resource{pointer(o.typ, o.name(), ttl), pointer(metaQuery, o.typ, ttl)}
	for _, sub := range o.Subtypes {
		name, _ := o.subtype(sub) // newOffer has checked it
		if r := pointer(name, o.name(), ttl); !slices.Contains(all, r) {
			all = append(all, r)
		}
	}
	return all
}

// life is the TTL of a record that has a default.
func (o *offer) life(ttl uint32) uint32 {
	if o.ttl != 0 {
		return o.ttl
	}
	return ttl
}

// pointer is the shared PTR record from one name to another.
func pointer(from, to message.Name, ttl uint32) message.Resource {
	return message.Resource{Name: from, Type: message.TypePTR, Class: message.ClassIN, TTL: ttl, Data: string(to)}
}

// allows reports whether the interface of a name is one of those listed; none
// listed means that all are.
func allows(interfaces []string, zone string) bool {
	return len(interfaces) == 0 || slices.Contains(interfaces, zone)
}
