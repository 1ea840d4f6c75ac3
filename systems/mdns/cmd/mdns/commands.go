package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/systems/mdns"
)

// printer prints lines for people or, with json, for programs.
type printer struct {
	w    io.Writer
	json bool
}

// line is a line of a command's output.
type line struct {
	Event    string       `json:"event,omitempty"` // added, updated, removed; registered, renamed
	Instance string       `json:"instance,omitempty"`
	Type     string       `json:"type,omitempty"`
	Host     string       `json:"host,omitempty"`
	Port     uint16       `json:"port,omitempty"`
	Text     []string     `json:"text,omitempty"`
	Addrs    []netip.Addr `json:"addrs,omitempty"`

	// With -json only.
	Priority  uint16     `json:"priority,omitempty"`
	Weight    uint16     `json:"weight,omitempty"`
	Endpoints []endpoint `json:"endpoints,omitempty"`
}

// endpoint is an address and the interface on which it is known.
type endpoint struct {
	Addr      netip.Addr `json:"addr"`
	Interface string     `json:"interface"`
}

func (p *printer) print(l line) error {
	if p.json {
		return json.NewEncoder(p.w).Encode(l)
	}
	var parts []string
	if l.Event != "" {
		parts = append(parts, fmt.Sprintf("%-7s", l.Event))
	}
	if l.Instance != "" {
		parts = append(parts, strconv.Quote(l.Instance))
	}
	if l.Type != "" {
		parts = append(parts, l.Type)
	}
	if l.Host != "" {
		host := l.Host
		if l.Port != 0 {
			host = net.JoinHostPort(l.Host, strconv.Itoa(int(l.Port)))
		}
		parts = append(parts, host)
	}
	for _, a := range l.Addrs {
		parts = append(parts, a.String())
	}
	for _, t := range l.Text {
		parts = append(parts, strconv.Quote(t))
	}
	_, err := fmt.Fprintln(p.w, strings.Join(parts, "  "))
	return err
}

func lineOf(event string, s mdns.Service) line {
	l := line{
		Event: event, Instance: s.Instance, Type: s.Type, Host: s.Host, Port: s.Port, Text: s.Text, Addrs: s.Addrs,
		Priority: s.Priority, Weight: s.Weight,
	}
	for _, e := range s.Endpoints {
		l.Endpoints = append(l.Endpoints, endpoint{e.Addr, e.Interface})
	}
	return l
}

func browse(ctx context.Context, n *mdns.Node, out *printer, _ options, args []string) error {
	for e, err := range n.Browse(ctx, args[0]) {
		if err != nil {
			return err
		}
		if err := out.print(lineOf(e.Kind.String(), e.Service)); err != nil {
			return err
		}
	}
	return nil
}

func lookup(ctx context.Context, n *mdns.Node, out *printer, _ options, args []string) error {
	if addr, err := netip.ParseAddr(args[0]); err == nil && len(args) == 1 {
		names, err := n.LookupAddr(ctx, addr)
		if err != nil {
			return notFound(args[0], err)
		}
		for _, host := range names {
			if err := out.print(line{Host: host, Addrs: []netip.Addr{addr}}); err != nil {
				return err
			}
		}
		return nil
	}
	if len(args) == 1 {
		addrs, err := n.Resolve(ctx, args[0])
		if err != nil {
			return notFound(args[0], err)
		}
		return out.print(line{Host: args[0], Addrs: addrs})
	}
	s, err := n.Lookup(ctx, args[0], args[1])
	if err != nil {
		return notFound(fmt.Sprintf("%q of type %s", args[0], args[1]), err)
	}
	return out.print(lineOf("", s))
}

// notFound says that the time has run out without an answer.
func notFound(what string, err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("no answer for %s; -timeout waits longer", what)
	}
	return err
}

func register(ctx context.Context, n *mdns.Node, out *printer, o options, args []string) error {
	port, err := strconv.ParseUint(args[2], 10, 16)
	if err != nil {
		return usageError{fmt.Errorf("port %q: want a number from 0 to 65535", args[2])}
	}
	s := o.service
	s.Instance, s.Type, s.Port, s.Text, s.TTL = args[0], args[1], uint16(port), args[3:], o.ttl
	if s.Addrs, err = parseAddrs(strings.FieldsFunc(o.addrs, func(r rune) bool { return r == ',' })); err != nil {
		return err
	}
	if base, subs, ok := strings.Cut(s.Type, ","); ok { // _http._tcp,_printer: with subtypes
		s.Type, s.Subtypes = base, strings.Split(subs, ",")
	}
	r, err := n.Register(ctx, s)
	if err != nil {
		return err
	}
	report := func(event string) error {
		return out.print(line{Event: event, Instance: r.Instance(), Type: s.Type, Host: r.Host(), Port: s.Port, Text: s.Text})
	}
	if err := report("registered"); err != nil {
		return err
	}
	return follow(ctx, r.Renamed(), func() error { return report("renamed") }, r.Close)
}

func host(ctx context.Context, n *mdns.Node, out *printer, o options, args []string) error {
	addrs, err := parseAddrs(args[1:])
	if err != nil {
		return err
	}
	r, err := n.RegisterHost(ctx, mdns.Host{Name: args[0], Addrs: addrs, TTL: o.ttl})
	if err != nil {
		return err
	}
	report := func(event string) error {
		return out.print(line{Event: event, Host: r.Name(), Addrs: addrs})
	}
	if err := report("registered"); err != nil {
		return err
	}
	return follow(ctx, r.Renamed(), func() error { return report("renamed") }, r.Close)
}

func parseAddrs(texts []string) (all []netip.Addr, err error) {
	for _, text := range texts {
		a, err := netip.ParseAddr(text)
		if err != nil {
			return nil, usageError{fmt.Errorf("address %q: want one of IPv4 or IPv6", text)}
		}
		all = append(all, a)
	}
	return all, nil
}

// follow reports further names of what was registered until ctx ends.
func follow(ctx context.Context, renamed <-chan string, report, end func() error) error {
	select { // the name that is printed already
	case <-renamed:
	default:
	}
	for {
		select {
		case <-renamed:
			if err := report(); err != nil {
				return err
			}
		case <-ctx.Done():
			return end()
		}
	}
}

func types(ctx context.Context, n *mdns.Node, out *printer, _ options, _ []string) error {
	for t, err := range n.ServiceTypes(ctx) {
		if err != nil {
			return err
		}
		if err := out.print(line{Type: t}); err != nil {
			return err
		}
	}
	return nil
}
