package conform

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/miekg/dns"
)

// This file has the checks of when a responder keeps quiet, or waits.

// knownPTR is the answer to the service's question.
func knownPTR(ttl int) dns.RR {
	return Records(fmt.Sprintf("%s %d IN PTR %s", service, ttl, instance))[0]
}

func isPTR(p Packet) bool { return p.Response() && pointsTo(p.Msg.Answer, service, instance) }

func isSRV(p Packet) bool { return p.Response() && has(p.Msg.Answer, instance, dns.TypeSRV) }

// control asks again once the rate limit has passed: an answer shows that silence was
// meant.
func (r *run) control() error {
	r.pause()
	if err := r.answered(Query(service+" PTR"), isPTR); err != nil {
		return fmt.Errorf("the control: %w", err)
	}
	return nil
}

func (r *run) known(ttl int, answered bool) error {
	m := Query(service + " PTR")
	m.Answer = []dns.RR{knownPTR(ttl)}
	sent := r.Send(r.t, m)
	_, ok := r.Await(sent, 900*time.Millisecond, isPTR)
	if ok != answered {
		return fmt.Errorf("with a known answer of TTL %d: answered %v", ttl, ok)
	}
	return r.control()
}

func (r *run) moreKnown() error {
	m := Query(service + " PTR")
	m.Truncated = true
	sent := r.Send(r.t, m)
	time.Sleep(100 * time.Millisecond)
	r.Send(r.t, &dns.Msg{Answer: []dns.RR{knownPTR(4500)}})
	if _, ok := r.Await(sent, 1200*time.Millisecond, isPTR); ok {
		return errors.New("answered, though the answer is known by the second packet")
	}
	m = Query(service + " PTR")
	m.Truncated = true
	sent = r.Send(r.t, m)
	p, ok := r.Await(sent, 1500*time.Millisecond, isPTR)
	if !ok {
		return errors.New("the control: a truncated query is not answered when no more comes")
	}
	if d := p.At.Sub(sent); d < 350*time.Millisecond {
		return fmt.Errorf("a truncated query is answered after %v", d)
	}
	return nil
}

func (r *run) rateLimit() error {
	first, err := r.answer(Query(service+" PTR"), isPTR)
	if err != nil {
		return err
	}
	time.Sleep(250 * time.Millisecond)
	sent := r.Send(r.t, Query(service+" PTR"))
	if p, ok := r.Await(sent, time.Until(first.At.Add(950*time.Millisecond)), func(p Packet) bool { return isPTR(p) && !p.Unicast }); ok {
		return fmt.Errorf("multicast again after %v", p.At.Sub(first.At))
	}
	return r.control()
}

func (r *run) delayed() error {
	for range 3 {
		sent := r.Send(r.t, Query(service+" PTR"))
		p, ok := r.Await(sent, 1500*time.Millisecond, isPTR)
		if !ok {
			return errNotSeen
		}
		if d := p.At.Sub(sent); d < 19*time.Millisecond {
			return fmt.Errorf("answered after %v", d)
		}
		r.pause()
	}
	return nil
}

// duplicate answers the question itself, before the responder's delay has
// passed: a shared record with the same data and TTL.
func (r *run) duplicate() error {
	for range 3 {
		sent := r.Send(r.t, Query(service+" PTR"))
		r.Send(r.t, &dns.Msg{MsgHdr: dns.MsgHdr{Response: true, Authoritative: true}, Answer: []dns.RR{knownPTR(4500)}})
		if _, ok := r.Await(sent, 900*time.Millisecond, isPTR); ok {
			return errors.New("answered again")
		}
		r.pause()
	}
	return r.answered(Query(service+" PTR"), isPTR)
}

func (r *run) opcode() error {
	m := Query(service + " PTR")
	m.Opcode = dns.OpcodeNotify
	sent := r.Send(r.t, m)
	if _, ok := r.Await(sent, 900*time.Millisecond, isPTR); ok {
		return errors.New("answered")
	}
	return r.answered(Query(service+" PTR"), isPTR)
}

// offLink asks from an address that is on no subnet of the responder, though it
// could be reached.
func (r *run) offLink() error {
	source, route := "10.77.0.9/32", &net.UDPAddr{IP: net.IPv4(10, 77, 0, 9)}
	if r.IPv6 {
		source, route = "2001:db8:77::9/128 nodad", &net.UDPAddr{IP: net.ParseIP("2001:db8:77::9")}
	}
	dev := r.host.Links[0].Name
	r.host.IP(r.t, "addr add dev "+dev+" "+source)
	defer r.host.IP(r.t, "addr del dev "+dev+" "+strings.Fields(source)[0])
	var from *net.UDPConn
	var err error
	r.host.Do(r.t, func() {
		from, err = net.ListenUDP(map[bool]string{false: "udp4", true: "udp6"}[r.IPv6], route)
	})
	if err != nil {
		return err
	}
	defer from.Close()
	ask := func(c *net.UDPConn) (answered bool, err error) {
		b, _ := Query(instance + " SRV").Pack()
		if _, err := c.WriteToUDP(b, r.Peer()); err != nil {
			return false, err
		}
		c.SetReadDeadline(time.Now().Add(1200 * time.Millisecond))
		_, _, err = c.ReadFromUDP(make([]byte, 9000))
		return err == nil, nil
	}
	if answered, err := ask(from); err != nil || answered {
		return fmt.Errorf("answered a host off the link: %v, %v", answered, err)
	}
	// The control: the same from an address on the link.
	sent := r.SendTo(r.t, r.other, r.Peer(), Query(instance+" SRV"))
	if _, ok := r.Await(sent, 1500*time.Millisecond, func(p Packet) bool { return p.Unicast && has(p.Msg.Answer, instance, dns.TypeSRV) }); !ok {
		return errors.New("the control: a unicast query from the link is not answered")
	}
	return nil
}
