package mdns

import (
	"fmt"
	"net/netip"
	"strings"

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

// hostName returns the name of a host: one label, or one before "local".
func hostName(host string) (message.Name, error) {
	label := strings.TrimSuffix(strings.TrimSuffix(host, "."), "."+domain)
	n, err := message.NewName(label, domain)
	if err != nil {
		return "", fmt.Errorf("mdns: host name: %w", err)
	}
	return n, nil
}

// serviceType is the text of a type's name, as [Service] has it.
func serviceType(n message.Name) string {
	return strings.TrimSuffix(strings.TrimSuffix(n.String(), "."), "."+domain)
}
