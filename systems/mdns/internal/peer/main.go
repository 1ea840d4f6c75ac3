// Command peer is another Go library of Multicast DNS as the other side of a
// test: peer register|browse INTERFACE NAME. It is a module of its own, so that
// what it needs is needed by nothing else.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/signal"
	"syscall"

	"github.com/brutella/dnssd"
)

func main() {
	if len(os.Args) != 4 {
		log.Fatal("usage: peer register|browse INTERFACE NAME")
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	run := browse
	if os.Args[1] == "register" {
		run = register
	}
	if err := run(ctx, os.Args[2], os.Args[3]); err != nil && ctx.Err() == nil {
		log.Fatal(err)
	}
}

func register(ctx context.Context, iface, name string) error {
	service, err := dnssd.NewService(dnssd.Config{
		Name: name, Type: "_http._tcp", Host: "go-peer", Port: 8080,
		Text: map[string]string{"path": "/x"}, Ifaces: []string{iface},
	})
	if err != nil {
		return err
	}
	responder, err := dnssd.NewResponder()
	if err != nil {
		return err
	}
	if _, err := responder.Add(service); err != nil {
		return err
	}
	return responder.Respond(ctx)
}

func browse(ctx context.Context, _, _ string) error {
	added := func(e dnssd.BrowseEntry) {
		for _, ip := range e.IPs {
			fmt.Println("added", e.Name, e.Port, e.Text["path"], ip)
		}
	}
	removed := func(e dnssd.BrowseEntry) { fmt.Println("removed", e.Name) }
	return dnssd.LookupType(ctx, "_http._tcp.local.", added, removed)
}
