package conform

import (
	"math/rand/v2"
	"strings"
	"time"

	"github.com/miekg/dns"
)

// This file has the check with packets that are no messages.

// malformed sends ten crafted packets and 300 mutations of a query and a
// response.
func (r *run) malformed() error {
	for _, b := range crafted() {
		r.mdns.WriteToUDP(b, r.group)
	}
	for i, b := range mutations(Query(service+" PTR", instance+" SRV"), Response("Other._pp._tcp.local. 120 FLUSH SRV 0 0 1 other.local.", "other.local. 120 FLUSH A 10.99.0.9")) {
		r.mdns.WriteToUDP(b, r.group)
		if i%10 == 9 {
			time.Sleep(2 * time.Millisecond)
		}
	}
	time.Sleep(3 * time.Second)
	return r.answered(Query(service+" PTR"), isPTR)
}

// mutations are 300 packets that a few random bytes make of good ones, the same
// each time.
func mutations(good ...*dns.Msg) (all [][]byte) {
	random := rand.New(rand.NewPCG(6762, 6763))
	for i := range 300 {
		b, _ := good[i%len(good)].Pack()
		for range 1 + random.IntN(8) {
			b[random.IntN(len(b))] = byte(random.Uint32())
		}
		if random.IntN(4) == 0 {
			b = b[:random.IntN(len(b))]
		}
		all = append(all, b)
	}
	return all
}

// crafted are packets that parsers have failed at.
func crafted() [][]byte {
	header := func(response byte, counts ...byte) []byte {
		b := make([]byte, 12)
		b[2] = response
		copy(b[4:], counts)
		return b
	}
	question := []byte{0, 1, 0, 0, 0, 0, 0, 0}
	full := []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}
	long := append(header(0, question...), []byte(strings.Repeat("\x01a", 4400))...)
	return [][]byte{
		{},
		{0},
		header(0, full...),
		header(0x84, full...),
		append(header(0, question...), 0xc0, 0x0c, 0, 12, 0, 1),
		append(header(0, question...), 0xc0, 0xff, 0, 12, 0, 1),
		append(header(0, question...), 0x40, 'a', 0, 0, 12, 0, 1),
		append(header(0x84, 0, 0, 0, 1), 0, 0, 1, 0, 1, 0, 0, 0, 1, 0xff, 0xff),
		append(long, 0xc0, 0x0c, 0, 12, 0, 1),
		make([]byte, 20000),
	}
}
