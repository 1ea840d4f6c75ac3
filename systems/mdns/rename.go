package mdns

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

// mostNumber bounds the numbers of names: a larger one is part of the name.
const mostNumber = 1_000_000

// nextInstance returns the name to try after instance was taken: "Name" becomes
// "Name (2)", "Name (2)" becomes "Name (3)" (RFC 6763, appendix D).
func nextInstance(instance string) string {
	base, n := instance, 1
	if open := strings.LastIndex(instance, " ("); open > 0 && strings.HasSuffix(instance, ")") {
		if i, err := strconv.Atoi(instance[open+2 : len(instance)-1]); err == nil && i > 1 && i < mostNumber {
			base, n = instance[:open], i
		}
	}
	return within(base, fmt.Sprintf(" (%d)", n+1))
}

// nextHost returns the name to try after host was taken: "name" becomes
// "name-2", "name-2" becomes "name-3".
func nextHost(host string) string {
	base, n := host, 1
	if dash := strings.LastIndexByte(host, '-'); dash > 0 {
		if i, err := strconv.Atoi(host[dash+1:]); err == nil && i > 1 && i < mostNumber {
			base, n = host[:dash], i
		}
	}
	return within(base, fmt.Sprintf("-%d", n+1))
}

// nextHostName returns the name to try after a host's full name was taken.
func nextHostName(name message.Name) message.Name {
	labels := slices.Collect(name.Labels())
	for base := labels[0]; ; {
		labels[0] = nextHost(base)
		if n, err := message.NewName(labels...); err == nil {
			return n
		}
		// The whole name has no room for a longer label.
		_, size := utf8.DecodeLastRuneInString(base)
		base = base[:len(base)-size]
	}
}

// within appends suffix to base, which loses characters at its end if the label
// would be too long.
func within(base, suffix string) string {
	for len(base)+len(suffix) > message.MaxLabel {
		_, size := utf8.DecodeLastRuneInString(base)
		base = base[:len(base)-size]
	}
	return base + suffix
}
