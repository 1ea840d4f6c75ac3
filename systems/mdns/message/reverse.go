package message

import (
	"net/netip"
	"strconv"
)

// ReverseName returns the name whose PTR record holds the name of the host that
// has address a: its bytes from the last to the first below in-addr.arpa (RFC
// 1035, section 3.5), or its half bytes below ip6.arpa (RFC 3596, section 2.5).
// A zone is left out. The zero Addr has no such name: the result is "".
func ReverseName(a netip.Addr) Name {
	a = a.Unmap()
	var labels []string
	switch {
	case a.Is4():
		b := a.As4()
		for i := len(b) - 1; i >= 0; i-- {
			labels = append(labels, strconv.Itoa(int(b[i])))
		}
		labels = append(labels, "in-addr", "arpa")
	case a.Is6():
		const digits = "0123456789abcdef"
		b := a.As16()
		for i := len(b) - 1; i >= 0; i-- {
			low, high := b[i]&0xf, b[i]>>4
			labels = append(labels, digits[low:low+1], digits[high:high+1])
		}
		labels = append(labels, "ip6", "arpa")
	default:
		return ""
	}
	n, err := NewName(labels...)
	if err != nil {
		panic(err) // 34 labels of a few bytes are a name
	}
	return n
}

// Reverse reports whether a name, in wire form, ends as those of [ReverseName]
// do. It does not look at the labels before.
func Reverse[T ~string | ~[]byte](name T) bool {
	const end = "\x04arpa\x00"
	return len(name) > len(end) && EqualFold(name[len(name)-len(end):], T(end))
}
