package mdns

import (
	"maps"
	"slices"
	"time"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

const (
	// A record is multicast at a place once a second at most, and once in 250 ms in
	// answers to probes (RFC 6762, section 6).
	multicastGap = time.Second
	probeGap     = 250 * time.Millisecond

	// echoLife is how long a record that is ours no more is remembered: for as long
	// a packet of ours may wait in a queue, or come back by a reflector.
	echoLife = time.Minute
)

// sentKey is a record at a place, without its TTL.
type sentKey struct {
	at   place
	name message.Name
	typ  message.Type
	data string
}

func keyOf(at place, r message.Resource) sentKey { return sentKey{at, r.Name, r.Type, r.Data} }

// sentLog remembers which records were multicast, by us or in our place: not to repeat
// them at once, and to know what is ours when it comes back.
type sentLog struct {
	records map[sentKey]said
	swept   time.Time
}

// said is when a record was multicast last.
type said struct {
	at   time.Time
	live bool // it is in the caches of others: not by a probe or goodbye
}

func (s *sentLog) note(key sentKey, live bool) { s.records[key] = said{time.Now(), live} }

// claim notes a record that a probe claims.
func (s *sentLog) claim(key sentKey) {
	if _, ok := s.records[key]; !ok {
		s.note(key, false)
	}
}

// within reports whether a record was multicast less than gap ago, so that others
// have it.
func (s *sentLog) within(key sentKey, gap time.Duration) bool {
	last := s.records[key]
	return last.live && time.Since(last.at) < gap
}

// since returns how long ago a record was multicast; a long time if it was not.
func (s *sentLog) since(key sentKey) time.Duration { return time.Since(s.records[key].at) }

// has reports whether we have sent a record from one of the places.
func (s *sentLog) has(places []place, r message.Resource) bool {
	return slices.ContainsFunc(places, func(at place) bool {
		_, ok := s.records[keyOf(at, r)]
		return ok
	})
}

// leave forgets what belongs to places that are not there any more.
func (s *sentLog) leave(gone []place) {
	if len(gone) > 0 {
		maps.DeleteFunc(s.records, func(k sentKey, _ said) bool { return slices.Contains(gone, k.at) })
	}
}

// sweep forgets, once in echoLife, what was sent before that and is not ours now.
// If the process stood still meanwhile, what it has sent may come back yet.
func (s *sentLog) sweep(ours func(sentKey) bool) {
	since := time.Since(s.swept)
	if since < echoLife {
		return
	}
	s.swept = time.Now()
	if since > echoLife+2*lookWait {
		return
	}
	maps.DeleteFunc(s.records, func(k sentKey, last said) bool {
		return time.Since(last.at) >= echoLife && !ours(k)
	})
}
