// Command mdns finds services on the local network and announces one.
//
//	mdns browse _http._tcp           what is there, comes and goes, until interrupted
//	mdns lookup Printer _ipp._tcp    port, text and addresses of one service
//	mdns lookup printer.local        addresses of a host
//	mdns lookup 10.0.0.7             name of the host that has an address
//	mdns register "My page" _http._tcp 8080 path=/x
//	mdns register -for camera.local -addr 10.0.0.9 Camera _rtsp._tcp 554
//	mdns host app.local              another name for this host
//	mdns host nas.local 10.0.0.8     the name of a host that does not announce itself
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
	"log/slog"
	"net"
	"os"
	"os/signal"
	"strconv"
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
	run               func(ctx context.Context, n *mdns.Node, out *printer, o options, args []string) error
}

var commands = []command{
	{"browse", "TYPE", "list the services of a type, and what happens to them", 0, 1, 1, browse},
	{"lookup", "INSTANCE TYPE | HOST | ADDRESS", "find one service, the addresses of a host, or the host of an address", 5 * time.Second, 1, 2, lookup},
	{"register", "INSTANCE TYPE[,SUBTYPE...] PORT [KEY=VALUE...]", "announce a service until interrupted", 0, 3, 0, register},
	{"host", "NAME [ADDRESS...]", "announce a host name, of this host or with addresses, until interrupted", 0, 1, 0, host},
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
	verbose    bool

	// Of what is announced.
	service mdns.Service
	addrs   string
	ttl     time.Duration
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
		fmt.Fprintf(w, "  mdns %-8s [flags] %-46s %s\n", c.name, c.args, c.about)
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
	flags.BoolVar(&o.verbose, "v", false, "say what happens to interfaces and names, to standard error")
	if c.name == "register" || c.name == "host" {
		flags.DurationVar(&o.ttl, "ttl", 0, "how long others may keep what is announced (default 2m or, without the host's name, 75m)")
	}
	if c.name == "register" {
		o.announced(flags)
	}
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
	n, err := o.open(ctx, stderr)
	if err != nil {
		fmt.Fprintln(stderr, "mdns:", err)
		return exitFailed
	}
	if !n.Online() {
		fmt.Fprintln(stderr, "mdns: no interface is up and can multicast; waiting for one")
	}
	err = c.run(ctx, n, &printer{stdout, o.json}, o, rest)
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

// announced are the flags of a service.
func (o *options) announced(flags *flag.FlagSet) {
	flags.StringVar(&o.service.Host, "for", "", "the full name of the host that has the service (default this host)")
	flags.StringVar(&o.addrs, "addr", "", "addresses of the host of -for, separated by commas, if it does not announce itself")
	for name, to := range map[string]*uint16{"priority": &o.service.Priority, "weight": &o.service.Weight} {
		flags.Func(name, "the "+name+" of the service, 0 to 65535 (default 0)", func(text string) error {
			v, err := strconv.ParseUint(text, 10, 16)
			*to = uint16(v)
			return err
		})
	}
}

// open opens a node as the flags say.
func (o options) open(ctx context.Context, stderr io.Writer) (*mdns.Node, error) {
	config := mdns.Config{Host: o.host, Transport: transport.Config{IPv4: o.ipv4, IPv6: o.ipv6}}
	if o.verbose {
		config.Log = slog.NewTextHandler(stderr, nil)
	}
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
