package mdns

import (
	"encoding/binary"
	"net"
	"net/netip"
	"syscall"
)

// addresses asks the system once for the addresses of all interfaces, by their
// index: [net.Interface.Addrs] asks for all of them each time.
func addresses([]net.Interface) (map[int][]netip.Prefix, error) {
	table, err := syscall.NetlinkRIB(syscall.RTM_GETADDR, syscall.AF_UNSPEC)
	if err != nil {
		return nil, err
	}
	messages, err := syscall.ParseNetlinkMessage(table)
	if err != nil {
		return nil, err
	}
	all := map[int][]netip.Prefix{}
	for _, m := range messages {
		if m.Header.Type != syscall.RTM_NEWADDR || len(m.Data) < syscall.SizeofIfAddrmsg {
			continue
		}
		attributes, err := syscall.ParseNetlinkRouteAttr(&m)
		if err != nil {
			return nil, err
		}
		// The head is an ifaddrmsg: family, bits, flags and scope are a byte each.
		bits, index := int(m.Data[1]), int(binary.NativeEndian.Uint32(m.Data[4:]))
		var found netip.Addr
		for _, a := range attributes {
			// Of a link between two hosts, the local address is its own attribute.
			if local := a.Attr.Type == syscall.IFA_LOCAL; local || a.Attr.Type == syscall.IFA_ADDRESS && !found.IsValid() {
				if addr, ok := netip.AddrFromSlice(a.Value); ok {
					found = addr
				}
			}
		}
		if p := netip.PrefixFrom(found, bits); p.IsValid() {
			all[index] = append(all[index], p)
		}
	}
	return all, nil
}
