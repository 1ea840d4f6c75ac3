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

// line is what a command has found.
type line struct {
	Event    string       `json:"event,omitempty"` // added, updated, removed; registered, renamed
	Instance string       `json:"instance,omitempty"`
	Type     string       `json:"type,omitempty"`
	Host     string       `json:"host,omitempty"`
	Port     uint16       `json:"port,omitempty"`
	Text     []string     `json:"text,omitempty"`
	Addrs    []netip.Addr `json:"addrs,omitempty"`
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
	return line{event, s.Instance, s.Type, s.Host, s.Port, s.Text, s.Addrs}
}

func browse(ctx context.Context, n *mdns.Node, out *printer, args []string) error {
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

func lookup(ctx context.Context, n *mdns.Node, out *printer, args []string) error {
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

func register(ctx context.Context, n *mdns.Node, out *printer, args []string) error {
	port, err := strconv.ParseUint(args[2], 10, 16)
	if err != nil {
		return usageError{fmt.Errorf("port %q: want a number from 0 to 65535", args[2])}
	}
	s := mdns.Service{Instance: args[0], Type: args[1], Port: uint16(port), Text: args[3:]}
	if base, subs, ok := strings.Cut(s.Type, ","); ok { // _http._tcp,_printer: with subtypes
		s.Type, s.Subtypes = base, strings.Split(subs, ",")
	}
	r, err := n.Register(ctx, s)
	if err != nil {
		return err
	}
	report := func(event string) error {
		return out.print(line{Event: event, Instance: r.Instance(), Type: s.Type, Host: n.Host(), Port: s.Port, Text: s.Text})
	}
	if err := report("registered"); err != nil {
		return err
	}
	select { // the name that is printed already
	case <-r.Renamed():
	default:
	}
	for {
		select {
		case <-r.Renamed():
			if err := report("renamed"); err != nil {
				return err
			}
		case <-ctx.Done():
			return r.Close()
		}
	}
}

func types(ctx context.Context, n *mdns.Node, out *printer, _ []string) error {
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
