// Command mdns finds services on the local network and announces one.
//
//	mdns browse _http._tcp           what is there, comes and goes, until interrupted
//	mdns lookup Printer _ipp._tcp    port, text and addresses of one service
//	mdns lookup printer.local        addresses of a host
//	mdns lookup 10.0.0.7             name of the host that has an address
//	mdns register "My page" _http._tcp 8080 path=/x
//	mdns types                       the service types that there are
//
// It exits with 0 when it is done, 1 when nothing was found or something failed,
// and 2 when the command line is wrong.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/poolproof/poolproof/systems/mdns"
	"github.com/poolproof/poolproof/systems/mdns/transport"
)

// command is a subcommand.
type command struct {
	name, args, about string
	timeout           time.Duration // the default; 0 means until interrupted
	least, most       int           // arguments; most 0 means any number
	run               func(ctx context.Context, n *mdns.Node, out *printer, args []string) error
}

var commands = []command{
	{"browse", "TYPE", "list the services of a type, and what happens to them", 0, 1, 1, browse},
	{"lookup", "INSTANCE TYPE | HOST | ADDRESS", "find one service, the addresses of a host, or the host of an address", 5 * time.Second, 1, 2, lookup},
	{"register", "INSTANCE TYPE PORT [KEY=VALUE...]", "announce a service until interrupted", 0, 3, 0, register},
	{"types", "", "list the service types", 3 * time.Second, 0, 0, types},
}

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// options are the flags that all commands have.
type options struct {
	interfaces string
	ipv4, ipv6 bool
	host       string
	timeout    time.Duration
	json       bool
	stats      bool
}

// run is the program.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		usage(stderr)
		return exitUsage
	}
	for _, c := range commands {
		if c.name == args[0] {
			return c.main(ctx, args[1:], stdout, stderr)
		}
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		usage(stdout)
		return exitOK
	}
	fmt.Fprintf(stderr, "mdns: there is no command %q\n", args[0])
	usage(stderr)
	return exitUsage
}

func usage(w io.Writer) {
	fmt.Fprintln(w, "usage:")
	for _, c := range commands {
		fmt.Fprintf(w, "  mdns %-8s [flags] %-34s %s\n", c.name, c.args, c.about)
	}
	fmt.Fprintln(w, "mdns COMMAND -h lists the flags.")
}

// main parses the flags, which may stand before or after the arguments, opens a
// node and runs the command.
func (c command) main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var o options
	flags := flag.NewFlagSet("mdns "+c.name, flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintf(stderr, "usage: mdns %s [flags] %s\n%s\n", c.name, c.args, c.about)
		flags.PrintDefaults()
	}
	flags.StringVar(&o.interfaces, "i", "", "interfaces, separated by commas (default all that can multicast)")
	flags.BoolVar(&o.ipv4, "4", false, "IPv4 only")
	flags.BoolVar(&o.ipv6, "6", false, "IPv6 only")
	flags.StringVar(&o.host, "host", "", "first label of the host's name (default the system's)")
	flags.DurationVar(&o.timeout, "timeout", c.timeout, "stop after this time (0: when interrupted)")
	flags.BoolVar(&o.json, "json", false, "print JSON, one object a line")
	flags.BoolVar(&o.stats, "stats", false, "print the counters at the end, to standard error")
	rest, err := parse(flags, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil:
		return exitUsage
	case len(rest) < c.least || c.most > 0 && len(rest) > c.most || c.name == "types" && len(rest) > 0:
		fmt.Fprintf(stderr, "mdns %s: %d arguments; want %s\n", c.name, len(rest), c.args)
		return exitUsage
	}
	if o.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.timeout)
		defer cancel()
	}
	n, err := o.open(ctx)
	if err != nil {
		fmt.Fprintln(stderr, "mdns:", err)
		return exitFailed
	}
	if !n.Online() {
		fmt.Fprintln(stderr, "mdns: no interface is up and can multicast; waiting for one")
	}
	err = c.run(ctx, n, &printer{stdout, o.json}, rest)
	n.Close()
	if o.stats {
		fmt.Fprintf(stderr, "%+v\n", n.Stats())
	}
	var u usageError
	switch {
	case errors.As(err, &u):
		fmt.Fprintf(stderr, "mdns %s: %v\n", c.name, err)
		return exitUsage
	case err != nil:
		fmt.Fprintf(stderr, "mdns %s: %v\n", c.name, err)
		return exitFailed
	}
	return exitOK
}

// usageError is an argument that is wrong.
type usageError struct{ error }

// parse parses flags that stand anywhere; what follows -- is no flag.
func parse(flags *flag.FlagSet, args []string) (rest []string, err error) {
	for {
		if err := flags.Parse(args); err != nil {
			return nil, err
		}
		ended := len(args) > flags.NArg() && args[len(args)-flags.NArg()-1] == "--"
		args = flags.Args()
		if ended || len(args) == 0 {
			return append(rest, args...), nil
		}
		rest = append(rest, args[0])
		args = args[1:]
	}
}

// open opens a node as the flags say.
func (o options) open(ctx context.Context) (*mdns.Node, error) {
	config := mdns.Config{Host: o.host, Transport: transport.Config{IPv4: o.ipv4, IPv6: o.ipv6}}
	if o.interfaces != "" {
		for _, name := range strings.Split(o.interfaces, ",") {
			i, err := net.InterfaceByName(name)
			if err != nil {
				return nil, fmt.Errorf("-i %s: %w", name, err)
			}
			config.Transport.Interfaces = append(config.Transport.Interfaces, *i)
		}
	}
	return mdns.Open(ctx, config)
}
