package mdns_test

import (
	"context"
	"testing"
	"time"

	"github.com/poolproof/poolproof/internal/mutate"
)

// mutant is a small error in a package below this folder that its tests must
// notice.
type mutant struct {
	name  string
	dir   string // of the package
	edits []mutate.Edit
	run   string // the tests that notice
	tags  string
}

const (
	transportDir = "transport"
	messageDir   = "message"
)

// mutants are the errors with pools first: those that were found in published
// code, and their kin.
var mutants = []mutant{
	{"no pool", transportDir, mutate.In("transport/socket.go", "	s.slots[last] = packets.Get()", "	s.slots[last] = new(Owned)"), "Allocates", ""},
	{"the lent memory is returned without a copy", transportDir, mutate.In("transport/receive.go", "bytes.Clone(p.Data)", "p.Data", "	\"bytes\"\n", ""), "CopiesStay|Allocates", ""},
	{"never put", transportDir, mutate.In("transport/packet.go", "		c.puts.Add(1)\n		packets.Put(o)\n", "		c.puts.Add(1)\n"), "Allocates", ""},
	{"not cleared", transportDir, mutate.In("transport/packet.go", "		clear(used)\n", ""), "Cleared", ""},
	{"more than the used bytes cleared", transportDir, mutate.In("transport/packet.go", "		clear(used)\n", "		clear(o.buf[:])\n"), "Cleared", ""},
	{"put twice", transportDir, mutate.In("transport/packet.go", "		c.puts.Add(1)\n		packets.Put(o)\n", "		c.puts.Add(1)\n		packets.Put(o)\n		packets.Put(o)\n"), "Owned|ManyReceivers", ""},
	{"a packet counted as handed out when there is an error", transportDir, mutate.In("transport/receive.go", "	s, err := c.await(ctx)\n	if err != nil {\n		return nil, err\n	}\n	c.gets.Add(1)\n", "	c.gets.Add(1)\n	s, err := c.await(ctx)\n	if err != nil {\n		return nil, err\n	}\n"), "Context|Close", ""},
	{"the turn kept after an error", transportDir, mutate.In("transport/receive.go", "	defer c.leave()\n	s, err := c.await(ctx)\n	if err != nil {\n		return nil, err\n	}\n	c.gets.Add(1)\n	return", "	s, err := c.await(ctx)\n	if err != nil {\n		return nil, err\n	}\n	defer c.leave()\n	c.gets.Add(1)\n	return"), "WaitingEnds", ""},
	{"the slots not given back by Close", transportDir, mutate.In("transport/socket.go", "		o.Packet = Packet{}\n		packets.Put(o)\n", "		o.Packet = Packet{}\n"), "Close", "poolproofdebug"},
	{"memory held by the socket and by an owner", transportDir, mutate.In("transport/socket.go", "	s.slots[last] = packets.Get()\n", ""), "Owned|Copies|ManyReceivers", ""},
	{"the slot taken, the kernel not told", transportDir, mutate.In("transport/socket.go", "	s.batch.aim(last, s.slots[last])\n", ""), "Owned|FormsDeliver", ""},
	{"a Release too many unnoticed", transportDir, mutate.In("transport/packet.go", "		panic(\"transport: Release of a packet that was released\")", "		return"), "Misuse", ""},
	{"a Retain too late unnoticed", transportDir, mutate.In("transport/packet.go", "	if o.count(+1) < 2 {", "	if o.count(+1) < -1 {"), "Misuse", ""},

	{"truncation not told in a batch", transportDir, mutate.In("transport/batch_linux.go", "h.Hdr.Flags&unix.MSG_TRUNC != 0", "false"), "Truncated", ""},
	{"truncation not told of one packet", transportDir, mutate.In("transport/socket.go", "flags&flagTruncated != 0", "flags < 0"), "Truncated", ""},
	{"the room for addresses not told again", transportDir, mutate.In("transport/batch_linux.go", "		h.Namelen = unix.SizeofSockaddrInet6\n", "		_ = unix.SizeofSockaddrInet6\n"), "Room", ""},
	{"the room for control bytes not told again", transportDir, mutate.In("transport/batch_linux.go", "		h.SetControllen(controlSize)\n", "		_ = h\n"), "Room", ""},
	{"no interface", transportDir, mutate.In("transport/control_unix.go", "			m.IfIndex = int(binary.NativeEndian.Uint32(data))\n", ""), "FormsDeliver", ""},
	{"no hop limit", transportDir, mutate.In("transport/control_unix.go", "h.Level == unix.IPPROTO_IP && h.Type == ttlType", "h.Level == -1 && h.Type == ttlType"), "FormsDeliver", ""},
	{"no destination means the group", transportDir, mutate.In("transport/send.go", "		return ErrNoDestination\n", "		addr = GroupIPv4\n"), "Destination", ""},
	{"the rest of a batch dropped", transportDir, mutate.In("transport/conn.go", "	if s != nil && s.next < s.n {\n		return s, nil\n	}\n", ""), "Stay", ""},
	{"a late wake taken for one's own", transportDir, mutate.In("transport/conn.go", "		case !isTimeout(err):", "		case true:"), "LateWake|Disturb", ""},
	{"the deadline not cleared", transportDir, mutate.In("transport/conn.go", "s.udp.SetReadDeadline(time.Time{})", "error(nil)", "	\"time\"\n", "	\"time\"\n\n	_ \"os\"\n"), "LateWake|WaitingEnds", ""},
	{"drops not counted", transportDir, mutate.In("transport/control_linux.go", "return h.Level == unix.SOL_SOCKET && h.Type == unix.SO_RXQ_OVFL", "return false"), "Burst", ""},

	{"a pointer may aim at itself", messageDir, mutate.In("message/reader.go", "target >= limit", "target > limit"), "Malformed", ""},
	{"a pointer may aim anywhere", messageDir, mutate.In("message/reader.go", "target >= limit ||", "limit < 0 ||"), "Malformed", ""},
	{"names of 255 bytes at most", messageDir, mutate.In("message/name.go", "MaxName = 256", "MaxName = 255"), "Longest", ""},
	{"no cap on pointers", messageDir, mutate.In("message/reader.go", "pointers > MaxName/2", "pointers > 1<<20"), "Malformed", ""},
	{"data past the end", messageDir, mutate.In("message/reader.go", "	if end > len(r.msg) {\n		return r.fail(ShortData, at)\n	}\n", "	end = min(end, len(r.msg))\n"), "Malformed", ""},
	{"a question's fixed part not checked", messageDir, mutate.In("message/reader.go", "len(r.msg)-at < questionFixed", "false"), "Malformed", ""},
	{"the length of a string in a byte", messageDir, mutate.In("message/resource.go", "end := 1 + int(data[0])", "end := int(1 + data[0])"), "TextRecords", ""},
	{"case matters", messageDir, mutate.In("message/name.go", "		if x|0x20 != y|0x20 ||", "		if x != y ||"), "Fold", ""},
	{"case folds beyond letters", messageDir, mutate.In("message/name.go", " || x|0x20 < 'a' || x|0x20 > 'z'", ""), "Fold", ""},
	{"pointers beyond their reach", messageDir, mutate.In("message/builder.go", "at < maxPointer", "at < 1<<20"), "Reach", ""},

	{"a known answer of any age suppresses", ".", mutate.In("answers.go", "return ok && ttl >= a.resource.TTL/2", "return ok && ttl < 1<<31"), "HalfLife", ""},
	{"old answers listed as known", ".", mutate.In("question.go", "left <= time.Duration(e.resource.TTL)*time.Second/2", "left <= 0"), "Known", ""},
	{"queries do not back off", ".", mutate.In("question.go", "q.gap = min(2*q.gap, maxGap)", "q.gap = min(q.gap, maxGap)"), "BackOff", ""},
	{"no refresh", ".", mutate.In("querier.go", "		q.refresh(e)\n", "		_ = e\n"), "BeforeTheyEnd", ""},
	{"a goodbye ignored", ".", mutate.In("querier.go", "			q.cache.expire(known, now.Add(goodbyeLife))\n", "			_ = known\n"), "Gone", ""},
	{"the cache without a bound", ".", mutate.In("querier.go", "len(q.cache.known) >= maxRecords", "false"), "Building", ""},
	{"pointers without a bound", ".", mutate.In("querier.go", "q.cache.loose.n < maxLoose", "true"), "Bounded", ""},
	{"a caller changes what the browser compares", ".", mutate.In("known.go", "Event{Added, s.clone()}", "Event{Added, s}"), "BelongsToTheCaller", ""},
	{"records of a host are no claim", ".", mutate.In("host.go", "	h.claim.types = typesOf(more, message.TypeA, message.TypeAAAA)\n", ""), "OtherNames", ""},
	{"records of a host without a goodbye", ".", mutate.In("host.go", "slices.Equal(h.more, more) && ", ""), "OtherNames", ""},
	{"a real service has no room beside false pointers", ".", mutate.In("querier.go", "	q.loop.stats.CacheEvicted++\n	q.drop(e)\n	return true\n", "	return false\n"), "FalsePointers", ""},
	{"a pointer whose service is known makes room", ".", mutate.In("cache.go", "		for _, p := range c.pointers[e.key.name] {\n			c.loose.remove(p)\n		}\n", ""), "FalsePointers", ""},
	{"off the link accepted", ".", mutate.In("receive.go", "!m.group && !n.links.onLink", "false && !n.links.onLink"), "Ignored", ""},
	{"own packets taken for another host's", ".", mutate.In("claim.go", "	return !c.resp.sent.has(c.resp.links.at, message.Resource{Name: c.name, Type: r.Type(), Data: string(r.Data())})\n", "	return true\n"), "OwnPackets|OwnServices", ""},
	{"what was sent is forgotten at once", ".", mutate.In("sent.go", "time.Since(last.at) >= echoLife && !ours(k)", "!ours(k)"), "OwnServices", ""},
	{"own probes known on their own interface alone", ".", mutate.In("tiebreak.go", "!r.sent.has(r.links.at, t)", "!r.sent.has(r.links.at[:1], t)"), "AreBridged", ""},
	{"what was sent is never forgotten", ".", mutate.In("sent.go", "time.Since(last.at) >= echoLife && !ours(k)", "false && !ours(k)"), "IsForgotten", ""},
	{"a copy of what made us probe is an answer", ".", mutate.In("claim.go", "	if !c.owned && !c.asked {\n		return\n	}\n", ""), "LaterConflict|OneConflict", ""},
	{"goodbyes of others answered at once", ".", mutate.In("responder.go", "multicastGap-r.sent.since(key), func() { r.save(at) }", "0, func() { r.save(at) }", "left := multicastGap - r.sent.since(key); left > 0", "left := -r.sent.since(key); left > 0"), "Goodbyes", ""},
	{"goodbyes of others not answered", ".", mutate.In("responder.go", "			r.rescue(m.at, record)\n", "			_ = record\n"), "Goodbyes", ""},
	{"a flood of queries mutes the defence", ".", mutate.In("answer.go", "	if len(p.answers.list) == 0 {\n		return\n	}\n", "	if len(p.answers.list) == 0 || len(r.pending) >= maxPending {\n		return\n	}\n"), "Flood", ""},
	{"no bound on replies that wait", ".", mutate.In("answer.go", "len(r.pending) >= maxPending", "false"), "Flood", ""},
	{"the tie-break the other way round", ".", mutate.In("tiebreak.go", "compareRecords(c.unique(m.at.ifIndex), theirs) >= 0", "compareRecords(c.unique(m.at.ifIndex), theirs) <= 0"), "TieBreak", ""},
	{"announced where it is still probed for", ".", mutate.In("arrive.go", "(a == nil || a.announcements > 0)", "(a == nil || a != nil)"), "BeforeItIsProbedFor", ""},
	{"no tie-break where a link came up", ".", mutate.In("tiebreak.go", "!a.probing() && (c.owned", "(c.owned"), "ALinkThatComesUpIsShared", ""},
	{"a reverse name taken from another program", ".", mutate.In("reverse.go", "	case r.TTL() > 0:\n", "	case r.TTL() > 1<<30:\n"), "ReverseName", ""},
	{"a reverse name answered for unasked", ".", mutate.In("reverse.go", "		if v.state[name] == ours {\n", "		if v.state[name] != theirs+1 {\n"), "ReverseName", ""},
	{"no goodbye for shared records", ".", mutate.In("register.go", "	resp.goodbye(r.claim.places(), func(int) []message.Resource { return gone })\n", "	_ = gone\n"), "SayGoodbye", ""},
	{"closed nodes kept by their timers", ".", mutate.In("node.go", "	n.loop.end()\n", "	n.loop.ended = true\n"), "ClosedNodes|CallsEnd", ""},
	{"questions that are due do not wait for others", ".", mutate.In("question.go", "func() { a.again(q, joinWait) }", "func() { a.again(q, 0) }"), "GoTogether", ""},
	{"a question heard on one interface left out on all", ".", mutate.In("question.go", "q != nil && a.links.single()", "q != nil"), "OneInterface", ""},
	{"unicast answers within half of a life", ".", mutate.In("answer.go", "time.Duration(a.resource.TTL)*time.Second/4", "time.Duration(a.resource.TTL)*time.Second/2"), "QuarterOfTheirLife", ""},
	{"what cannot be joined is not told", ".", mutate.In("links.go", "	l.loop.stats.LinkError = l.loop.net.refresh()\n", "	_ = l.loop.net.refresh()\n"), "TroubleIsTold", ""},
	{"addresses compared without case", ".", mutate.In("claim.go", "	fixed := len(a)\n", "	fixed := 0\n"), "SameData", ""},
}

// Each edit follows the source. Whether tests notice it is what the next test
// says, which takes minutes.
func TestMutantsFollowTheSource(t *testing.T) {
	for _, m := range mutants {
		if _, err := mutate.Texts(".", m.edits); err != nil {
			t.Errorf("%s: %v", m.name, err)
		}
	}
}

// Each mutant compiles and is noticed.
func TestMutantsAreNoticed(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: builds each package with each error; run without -short")
	}
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
			defer cancel()
			overlay, err := mutate.Overlay(t.TempDir(), ".", m.edits)
			if err != nil {
				t.Fatal(err)
			}
			noticed, out, err := mutate.Test(ctx, m.dir, overlay, "-short", "-vet=off", "-timeout=60s", "-tags="+m.tags, "-run="+m.run)
			if err != nil {
				t.Fatal(err)
			}
			if !noticed {
				t.Errorf("no test notices:\n%s", out)
			}
		})
	}
}
