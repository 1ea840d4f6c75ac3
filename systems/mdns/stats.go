package mdns

import (
	"github.com/poolproof/poolproof/systems/mdns/message"
	"github.com/poolproof/poolproof/systems/mdns/transport"
)

// Stats holds the counts of a Node.
type Stats struct {
	Transport transport.Stats

	Queries   uint64 // received and not ignored
	Responses uint64 // received and not ignored
	OffLink   uint64 // sent to one of our addresses by a host that is not on the link
	Ignored   uint64 // an operation or response code other than zero, a response from another port, or an interface that is not ours

	// Malformed counts packets that cannot be read, by reason; Malformed[OK]
	// counts those that were truncated.
	Malformed [message.Reasons]uint64

	CacheRecords int    // in the cache now
	CacheFull    uint64 // records that the cache had no room for
	CacheEvicted uint64 // pointers that made room, to services that did not answer
	SendErrors   uint64 // messages that the system refused to send
	Conflicts    uint64 // names of ours that another host claimed

	LinkErrors uint64 // looks at the interfaces that found one which cannot be used
	LinkError  error  // which and why, by the last look; nil if all are used
}
