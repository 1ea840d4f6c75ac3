package conform

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/miekg/dns"
)

// This file has the checks of names: of probing and announcing, of conflicts and
// goodbyes.

func isProbe(p Packet) bool { return asksFor(p, instance) }

// probeList returns the probes for the instance before its first announcement.
func probeList(heard []Packet) (all []Packet) {
	for _, p := range heard {
		if isSRV(p) {
			break
		}
		if isProbe(p) {
			all = append(all, p)
		}
	}
	return all
}

func probes(heard []Packet) error {
	all := probeList(heard)
	if len(all) < 3 {
		return fmt.Errorf("%d probes for %s", len(all), instance)
	}
	for i := range 2 {
		if gap := all[i+1].At.Sub(all[i].At); gap < 200*time.Millisecond {
			return fmt.Errorf("probes %d and %d are %v apart", i+1, i+2, gap)
		}
	}
	return nil
}

func probesHaveAuthority(heard []Packet) error {
	all := probeList(heard)
	for i, p := range all {
		if !has(p.Msg.Ns, instance, dns.TypeSRV) {
			return fmt.Errorf("probe %d has authority records %v", i+1, p.Msg.Ns)
		}
		for _, rr := range p.Msg.Ns {
			if rr.Header().Class&topBit != 0 {
				return fmt.Errorf("probe %d: the cache-flush bit is set in %v", i+1, rr)
			}
		}
	}
	if len(all) == 0 {
		return errNotSeen
	}
	return nil
}

func probesAreQU(heard []Packet) error {
	all := probeList(heard)
	for i, p := range all {
		for _, q := range p.Msg.Question {
			if strings.EqualFold(q.Name, instance) && q.Qclass&topBit == 0 {
				return fmt.Errorf("probe %d asks for a multicast response", i+1)
			}
		}
	}
	if len(all) == 0 {
		return errNotSeen
	}
	return nil
}

func announcements(heard []Packet) error {
	var all []time.Time
	for _, p := range heard {
		if isSRV(p) && !p.Unicast {
			all = append(all, p.At)
		}
	}
	if len(all) < 2 {
		return fmt.Errorf("%d announcements", len(all))
	}
	if gap := all[1].Sub(all[0]); gap < 950*time.Millisecond {
		return fmt.Errorf("the second announcement comes %v after the first", gap)
	}
	return nil
}

// defends asks as a host would that probes for our name.
func (r *run) defends() error {
	m := WithQU(Query(instance + " ANY"))
	m.Ns = Records(instance + " 120 IN SRV 0 0 1 other.local.")
	p, err := r.answer(m, isSRV)
	if err != nil {
		return err
	}
	if sent := r.Since(p.At); len(sent) == 0 {
		return errNotSeen
	}
	return nil
}

// tieBreak probes for the same name at the same time, with greater data.
func (r *run) tieBreak() error {
	if _, ok := r.Await(r.since, 15*time.Second, isProbe); !ok {
		return errNotSeen
	}
	m := WithQU(Query(instance + " ANY"))
	// Of the data's bytes the first is the length of a string.
	m.Ns = Records(instance+" 120 IN TXT \"a=string longer than theirs\"", instance+" 120 IN SRV 65535 65535 65535 zz.local.")
	sent := r.Send(r.t, m)
	again, ok := r.Await(sent.Add(50*time.Millisecond), 3*time.Second, isProbe)
	if !ok {
		return errors.New("does not probe again")
	}
	if d := again.At.Sub(sent); d < 900*time.Millisecond {
		return fmt.Errorf("probes again after %v", d)
	}
	if _, ok := r.Await(sent, 5*time.Second, isSRV); !ok {
		return errors.New("does not announce the name in the end")
	}
	return nil
}

// rename defends the name against the responder that probes for it.
func (r *run) rename() error {
	if _, ok := r.Await(r.since, 15*time.Second, isProbe); !ok {
		return errNotSeen
	}
	r.Send(r.t, Response(instance+" 120 FLUSH SRV 0 0 4242 first.local.", instance+" 4500 FLUSH TXT \"first\""))
	p, ok := r.Await(r.since, 10*time.Second, func(p Packet) bool { return p.Response() && has(p.Msg.Answer, service, dns.TypePTR) })
	if !ok {
		return errors.New("announces nothing after the conflict")
	}
	if pointsTo(p.Msg.Answer, service, instance) {
		return errors.New("announces the name that another host has")
	}
	return nil
}

// laterConflict claims the name with other data.
func (r *run) laterConflict() error {
	sent := r.Send(r.t, Response(instance+" 120 FLUSH SRV 0 0 4242 evil.local."))
	_, ok := r.Await(sent, 3*time.Second, func(p Packet) bool {
		return asksFor(p, instance, dns.TypeANY) || isSRV(p)
	})
	if !ok {
		return errors.New("neither probed nor defended")
	}
	r.Settle(2500 * time.Millisecond)
	return r.answered(Query(instance+" SRV"), isSRV)
}

// goodbye stops the responder.
func (r *run) goodbye() error {
	_, err := r.leaves()
	return err
}

func (r *run) goodbyeRenamed() error {
	r.Settle(2500 * time.Millisecond)
	p, err := r.leaves()
	if err == nil && pointsTo(p.Msg.Answer, service, instance) {
		err = errors.New("a goodbye for the name that another host has")
	}
	return err
}

// leaves stops the responder, and waits for its goodbye.
func (r *run) leaves() (Packet, error) {
	sent := time.Now()
	r.stop()
	p, ok := r.Await(sent, 2*time.Second, func(p Packet) bool {
		rr := find(p.Msg.Answer, service, dns.TypePTR)
		return p.Response() && rr != nil && rr.Header().Ttl == 0
	})
	if !ok {
		return p, fmt.Errorf("no PTR with TTL 0: %v", texts(r.Since(sent)))
	}
	return p, nil
}
