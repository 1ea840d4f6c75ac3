package mdns

import (
	"net"
	"slices"
	"testing"
)

// The addresses of all interfaces are those that each tells.
func TestAddressesOfAllInterfaces(t *testing.T) {
	interfaces, err := net.Interfaces()
	if err != nil {
		t.Skip("SKIPPED: the system does not list its interfaces:", err)
	}
	all, err := addresses(interfaces)
	if err != nil {
		t.Fatal(err)
	}
	for index, want := range eachAddresses(interfaces) {
		if !slices.Equal(all[index], want) {
			t.Errorf("interface %d has %v, want %v", index, all[index], want)
		}
		delete(all, index)
	}
	if len(all) > 0 {
		t.Errorf("addresses of interfaces without any: %v", all)
	}
}
