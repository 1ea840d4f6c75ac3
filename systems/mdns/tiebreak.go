package mdns

import (
	"cmp"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

// tieBreak compares the records of a probe with those of our claims that probe
// for the same name: the later ones win, in the order of RFC 6762, section 8.2,
// and the loser tries again after a second.
func (r *responder) tieBreak(m *packet) {
	var reader message.Reader
	var buf [message.MaxName]byte
	reader.Open(m.msg)
	for reader.Next() && reader.Section() == message.Questions {
		name := append(buf[:0], reader.Name()...)
		message.FoldBytes(name)
		c := r.registry.names[message.Name(name)]
		if c == nil {
			continue
		}
		a := c.arrivals[m.at]
		if !a.probing() && (c.owned || c.probes == 0) {
			continue
		}
		theirs := authority(m.msg, c.name)
		if r.said(theirs) || compareRecords(c.unique(m.at.ifIndex), theirs) >= 0 {
			continue
		}
		if c.owned {
			a.begin(deferWait)
		} else {
			c.probe(deferWait)
		}
	}
}

// said reports whether all records are such as we have sent: a probe of ours that
// comes back, on another interface too, as links may be bridged, or after its
// records have changed.
func (r *responder) said(records []message.Resource) bool {
	return !slices.ContainsFunc(records, func(t message.Resource) bool { return !r.sent.has(r.links.at, t) })
}

// authority returns the authority records of a name.
func authority(msg []byte, name message.Name) (all []message.Resource) {
	var r message.Reader
	r.Open(msg)
	for r.Next() {
		if r.Section() == message.Authority && message.EqualFold(r.Name(), name) {
			all = append(all, r.Resource())
		}
	}
	return all
}

// compareRecords compares two sets of records: sorted by class, type and data
// as unsigned bytes, pair by pair; a set that ends first is the earlier one.
func compareRecords(a, b []message.Resource) int {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.SortFunc(a, compareRecord)
	slices.SortFunc(b, compareRecord)
	return slices.CompareFunc(a, b, compareRecord)
}

func compareRecord(a, b message.Resource) int {
	return cmp.Or(cmp.Compare(a.Class, b.Class), cmp.Compare(a.Type, b.Type), strings.Compare(a.Data, b.Data))
}
