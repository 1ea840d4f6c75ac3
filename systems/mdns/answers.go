package mdns

import (
	"slices"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

// answer is a record of ours that a question asks for.
type answer struct {
	claim    *claim
	resource message.Resource
	unicast  bool // the question asks for a unicast response
}

// answers are records, each once. The zero value has none.
type answers struct {
	list []answer
	seen map[message.Resource]struct{} // of list, once there are many
}

// few is how many records are searched one by one.
const few = 8

func (s *answers) has(r message.Resource) bool {
	if s.seen != nil {
		_, ok := s.seen[r]
		return ok
	}
	return slices.ContainsFunc(s.list, func(a answer) bool { return a.resource == r })
}

func (s *answers) add(a answer) {
	if s.has(a.resource) {
		return
	}
	s.list = append(s.list, a)
	switch {
	case s.seen != nil:
		s.seen[a.resource] = struct{}{}
	case len(s.list) > few:
		s.seen = make(map[message.Resource]struct{}, 2*len(s.list))
		for _, a := range s.list {
			s.seen[a.resource] = struct{}{}
		}
	}
}

// remove removes what f says yes to.
func (s *answers) remove(f func(answer) bool) {
	s.list = slices.DeleteFunc(s.list, func(a answer) bool {
		gone := f(a)
		if gone && s.seen != nil {
			delete(s.seen, a.resource)
		}
		return gone
	})
}

// knownKey is a record as a querier may spell it: the case of names does not matter.
type knownKey struct {
	name message.Name
	typ  message.Type
	data string
}

func knownKeyOf(r message.Resource) knownKey {
	k := knownKey{r.Name.Fold(), r.Type, r.Data}
	if r.Type == message.TypePTR {
		k.data = string(message.Name(r.Data).Fold())
	}
	return k
}

// dropKnown removes the answers that a message lists with half of their life left
// at least (RFC 6762, section 7.1).
func (s *answers) dropKnown(msg []byte) {
	var known map[knownKey]uint32
	var r message.Reader
	r.Open(msg)
	for r.Next() {
		if r.Section() == message.Answers && r.Class() == message.ClassIN {
			if known == nil {
				known = map[knownKey]uint32{}
			}
			k := knownKeyOf(r.Resource())
			known[k] = max(known[k], r.TTL())
		}
	}
	if known == nil {
		return
	}
	s.remove(func(a answer) bool {
		ttl, ok := known[knownKeyOf(a.resource)]
		return ok && ttl >= a.resource.TTL/2
	})
}

// denial is the NSEC record that says of which types a name's records are, and
// so that it has no others (RFC 6762, section 6.1).
func denial(name message.Name, records ...message.Resource) message.Resource {
	var types []message.Type
	for _, r := range records {
		types = append(types, r.Type)
	}
	return message.Resource{Name: name, Type: message.TypeNSEC, Class: message.ClassIN, Flush: true, TTL: hostTTL, Data: message.NSEC(name, types...)}
}
