package mdns

import (
	"net/netip"
)

// packet is a message as it came in, lent while it is handled.
type packet struct {
	msg   []byte
	at    place
	src   netip.AddrPort
	group bool // sent to the group
}
