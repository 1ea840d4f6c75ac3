package mdns

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

// Service is an instance of a service, to be registered or as it was found.
type Service struct {
	// Instance is the name that people see: 1 to 63 bytes of UTF-8, dots and
	// spaces included (RFC 6763, section 4.1.1).
	Instance string

	// Type is the application protocol and the transport, as "_http._tcp".
	Type string

	// Subtypes are narrower types under which the service can be browsed for,
	// as "_printer" (RFC 6763, section 7.1). They are used for registering and
	// are not found.
	Subtypes []string

	// Port is the port on which the service listens.
	Port uint16

	// Priority and Weight choose among services of one kind: the lowest priority
	// first and, of equal ones, each in proportion to its weight (RFC 2782).
	Priority, Weight uint16

	// Text are the strings of the TXT record, "key=value" or "key" each.
	Text []string

	// Host is the full name of the service's host, as "printer.local". When a
	// service is registered, the empty string means the node's own host.
	Host string

	// Addrs are the addresses of the host, in order. IPv6 link-local addresses
	// have the name of the interface as their zone.
	//
	// When a service is registered with another Host, the node announces Host with
	// Addrs, as a proxy for a host that does not announce itself; one with a zone
	// is announced on that interface alone. Without Addrs that is left to the host
	// itself, or to [Node.RegisterHost]. They are not used with the node's own
	// host, of which each interface announces its own addresses, and an error
	// without a Host.
	Addrs []netip.Addr

	// Endpoints are the addresses of the host with the interface on which each is
	// known: one that is known on two interfaces is there twice. They are found.
	Endpoints []Endpoint

	// Interfaces are the names of the interfaces of Endpoints, each once, in
	// alphabetical order. When a service is registered, they are those on which it
	// is announced, now or when they come up; none means all of the node.
	Interfaces []string

	// TTL is how long others may keep the records of a service that is registered,
	// in whole seconds. 0 means what RFC 6762, section 10, recommends: 2 minutes
	// for records with the host's name, 75 minutes for others. It is not found.
	TTL time.Duration

	// Records are further records with the instance's name, unique as its SRV and
	// TXT records. Only Type and Data count (package message has what makes the
	// data), and TTL unless it is 0. They are registered and are not found.
	Records []message.Resource
}

// Endpoint is an address and the name of the interface on which it is known.
type Endpoint struct {
	Addr      netip.Addr
	Interface string
}

func compareEndpoints(a, b Endpoint) int {
	return cmp.Or(a.Addr.Compare(b.Addr), strings.Compare(a.Interface, b.Interface))
}

// Value returns the value of a key in Text, "" if it has none, and whether the
// key is there. Of equal keys the first counts; case does not matter (RFC 6763,
// section 6.4).
func (s Service) Value(key string) (value string, ok bool) {
	for _, t := range s.Text {
		k, v, _ := strings.Cut(t, "=")
		if k != "" && strings.EqualFold(k, key) {
			return v, true
		}
	}
	return "", false
}

// clone returns s with slices of its own.
func (s Service) clone() Service {
	s.Text, s.Addrs = slices.Clone(s.Text), slices.Clone(s.Addrs)
	s.Endpoints, s.Interfaces = slices.Clone(s.Endpoints), slices.Clone(s.Interfaces)
	return s
}

// equal reports whether two services are the same in all that is found.
func (s Service) equal(t Service) bool {
	return s.Instance == t.Instance && s.Type == t.Type && s.Port == t.Port && s.Host == t.Host &&
		s.Priority == t.Priority && s.Weight == t.Weight && slices.Equal(s.Text, t.Text) && slices.Equal(s.Endpoints, t.Endpoints)
}

const domain = "local"

// metaQuery is the name whose PTR records are the types that there are (RFC
// 6763, section 9).
var metaQuery = mustName("_services", "_dns-sd", "_udp", domain)

// mustName returns a name of constants.
func mustName(labels ...string) message.Name {
	n, err := message.NewName(labels...)
	if err != nil {
		panic(err)
	}
	return n
}

// typeName returns the name of a service type: "_http._tcp", with or without
// "local" and a dot at the end.
func typeName(service string) (message.Name, error) {
	n, err := message.ParseName(service)
	if err != nil {
		return "", fmt.Errorf("mdns: service type: %w", err)
	}
	var labels []string
	for l := range n.Labels() {
		labels = append(labels, l)
	}
	if len(labels) > 2 && strings.EqualFold(labels[len(labels)-1], domain) {
		labels = labels[:len(labels)-1]
	}
	sub := len(labels) == 4 && labels[1] == "_sub"
	if !sub && len(labels) != 2 {
		return "", fmt.Errorf("mdns: service type %q: want two labels, as in _http._tcp", service)
	}
	last := labels[len(labels)-2:]
	if len(last[0]) < 2 || last[0][0] != '_' || !strings.EqualFold(last[1], "_tcp") && !strings.EqualFold(last[1], "_udp") {
		return "", fmt.Errorf("mdns: service type %q: want an underscore before the protocol, and _tcp or _udp after it, as in _http._tcp", service)
	}
	return message.NewName(append(labels, domain)...)
}

// instanceName returns the name of an instance of a type.
func instanceName(instance string, service message.Name) (message.Name, error) {
	if instance == "" || len(instance) > message.MaxLabel {
		return "", fmt.Errorf("mdns: instance name %q has %d bytes, want 1 to %d", instance, len(instance), message.MaxLabel)
	}
	n := message.Name(string(byte(len(instance)))+instance) + service
	if !n.Valid() {
		return "", fmt.Errorf("mdns: instance name %q and type %s together have more than 255 bytes", instance, service)
	}
	return n, nil
}

// hostName returns the name of a host as people write it: "printer",
// "printer.local." or, with several labels, "printer.hall.local".
func hostName(host string) (message.Name, error) {
	n, err := message.ParseName(host)
	if err != nil {
		return "", fmt.Errorf("mdns: host name: %w", err)
	}
	labels := slices.Collect(n.Labels())
	if len(labels) > 1 && strings.EqualFold(labels[len(labels)-1], domain) {
		labels = labels[:len(labels)-1]
	}
	if len(labels) == 0 {
		return "", fmt.Errorf("mdns: host name %q: want a label, as in printer.local", host)
	}
	if n, err = message.NewName(append(labels, domain)...); err != nil {
		return "", fmt.Errorf("mdns: host name: %w", err)
	}
	return n, nil
}

// ownLabel returns the first label of the name that a host is to have, from text
// as hostName reads it.
func ownLabel(host string) (string, error) {
	n, err := hostName(host)
	if err != nil {
		return "", err
	}
	if len(n) != len(ownName(n.First())) {
		return "", fmt.Errorf("mdns: host name %q: want one label, as in printer or printer.local (write a dot in it as \\.)", host)
	}
	return n.First(), written("host name", n.First())
}

// ownName is the name of a host with a first label that ownLabel has returned.
func ownName(label string) message.Name { return mustName(label, domain) }

// written returns an error if a name is not as RFC 6763, section 4.1.1, wants
// the names that people see: UTF-8 without control characters. Names of others
// are taken as they are.
func written(what, name string) error {
	if !utf8.ValidString(name) {
		return fmt.Errorf("mdns: %s %q is not UTF-8", what, name)
	}
	if i := strings.IndexFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f }); i >= 0 {
		return fmt.Errorf("mdns: %s %q has a control character at byte %d", what, name, i)
	}
	return nil
}

// serviceType is the text of a type's name, as [Service] has it.
func serviceType(n message.Name) string {
	return strings.TrimSuffix(strings.TrimSuffix(n.String(), "."), "."+domain)
}
