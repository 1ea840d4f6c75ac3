package conform

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/miekg/dns"
)

// This file has the checks of what a response holds and where it goes.

func flushBit(heard []Packet, unique bool) error {
	seen := 0
	for _, p := range heard {
		if !p.Response() || p.Unicast && p.Src.Port() != 5353 {
			continue
		}
		for _, rr := range p.Msg.Answer {
			h := rr.Header()
			if isUnique := h.Rrtype == dns.TypeSRV || h.Rrtype == dns.TypeTXT || h.Rrtype == dns.TypeA || h.Rrtype == dns.TypeAAAA; isUnique != unique {
				continue
			}
			if !unique && !strings.EqualFold(h.Name, service) {
				continue
			}
			seen++
			if set := h.Class&topBit != 0; set != unique {
				return fmt.Errorf("cache-flush bit %v: %v", set, rr)
			}
		}
	}
	if seen == 0 {
		return errNotSeen
	}
	return nil
}

func ttl(heard []Packet) error {
	for _, p := range heard {
		if p.TTL != 255 {
			return fmt.Errorf("a packet with TTL %d", p.TTL)
		}
	}
	if len(heard) == 0 {
		return errNotSeen
	}
	return nil
}

func header(heard []Packet) error {
	seen := 0
	for _, p := range heard {
		if !p.Response() || p.Unicast {
			continue
		}
		seen++
		if m := p.Msg; m.Id != 0 || !m.Authoritative || m.Rcode != 0 || len(m.Question) != 0 {
			return fmt.Errorf("a multicast response with ID %d, AA %v, code %d and %d questions", m.Id, m.Authoritative, m.Rcode, len(m.Question))
		}
	}
	if seen == 0 {
		return errNotSeen
	}
	return nil
}

func (r *run) additionals() error {
	p, err := r.answer(Query(service+" PTR"), isPTR)
	if err != nil {
		return err
	}
	rrs := records(p.Msg)
	address := has(rrs, host, dns.TypeA) || has(rrs, host, dns.TypeAAAA)
	if !has(rrs, instance, dns.TypeSRV) || !has(rrs, instance, dns.TypeTXT) || !address {
		return fmt.Errorf("with the PTR come only %v", rrs)
	}
	return nil
}

// unicast causes a multicast first: a responder may multicast what it has not
// for a quarter of the TTL.
func (r *run) unicast() error {
	if err := r.answered(Query(service+" PTR"), func(p Packet) bool { return !p.Unicast }); err != nil {
		return err
	}
	r.pause()
	p, err := r.answer(WithQU(Query(service+" PTR")), isPTR)
	if err == nil && !p.Unicast {
		return errors.New("answered by multicast")
	}
	return err
}

func (r *run) twoQuestions() error {
	sent := r.Send(r.t, Query(instance+" SRV", service+" PTR"))
	for _, want := range []func(Packet) bool{isSRV, isPTR} {
		if _, ok := r.Await(sent, 1500*time.Millisecond, want); !ok {
			return fmt.Errorf("not both are answered: %v", texts(r.Since(sent)))
		}
	}
	return nil
}

func (r *run) legacy() error {
	m := Query(instance + " SRV")
	m.Id = 0x1234
	sent := r.SendTo(r.t, r.other, r.group, m)
	p, ok := r.Await(sent, 1500*time.Millisecond, func(p Packet) bool { return p.Response() && p.Unicast })
	switch {
	case !ok:
		return errors.New("no answer by unicast")
	case p.Msg.Id != 0x1234:
		return fmt.Errorf("ID %#x", p.Msg.Id)
	case len(p.Msg.Question) != 1 || !strings.EqualFold(p.Msg.Question[0].Name, instance):
		return fmt.Errorf("questions %v", p.Msg.Question)
	case !has(p.Msg.Answer, instance, dns.TypeSRV):
		return fmt.Errorf("answers %v", p.Msg.Answer)
	}
	for _, rr := range records(p.Msg) {
		if h := rr.Header(); h.Class&topBit != 0 || h.Ttl > 10 {
			return fmt.Errorf("cache-flush bit or a TTL of more than 10: %v", rr)
		}
	}
	return nil
}

func (r *run) nsec() error {
	p, err := r.answer(Query(instance+" AAAA"), func(p Packet) bool { return find(p.Msg.Answer, instance, dns.TypeNSEC) != nil })
	if err != nil {
		return err
	}
	n := find(p.Msg.Answer, instance, dns.TypeNSEC).(*dns.NSEC)
	if !strings.EqualFold(n.NextDomain, instance) || slices.Contains(n.TypeBitMap, dns.TypeAAAA) || !slices.Contains(n.TypeBitMap, dns.TypeSRV) || !slices.Contains(n.TypeBitMap, dns.TypeTXT) || slices.Contains(n.TypeBitMap, dns.TypeNSEC) {
		return fmt.Errorf("%v", n)
	}
	return nil
}
