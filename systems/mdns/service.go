package mdns

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
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

	// Text are the strings of the TXT record, "key=value" or "key" each.
	Text []string

	// Host is the full name of the service's host. It is found; what is
	// registered runs on the node's own host.
	Host string

	// Addrs are the addresses of the host, in order. IPv6 link-local addresses
	// have the name of the interface as their zone. They are found; a node
	// announces its own on each interface.
	Addrs []netip.Addr
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

// equal reports whether two services are the same in all that is found.
func (s Service) equal(t Service) bool {
	if s.Instance != t.Instance || s.Type != t.Type || s.Port != t.Port || s.Host != t.Host || len(s.Text) != len(t.Text) || len(s.Addrs) != len(t.Addrs) {
		return false
	}
	for i := range s.Text {
		if s.Text[i] != t.Text[i] {
			return false
		}
	}
	for i := range s.Addrs {
		if s.Addrs[i] != t.Addrs[i] {
			return false
		}
	}
	return true
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
