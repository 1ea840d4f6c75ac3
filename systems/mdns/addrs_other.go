//go:build !linux

package mdns

import (
	"net"
	"net/netip"
)

// addresses asks the system for the addresses of interfaces, by their index.
func addresses(interfaces []net.Interface) (map[int][]netip.Prefix, error) {
	return eachAddresses(interfaces), nil
}
