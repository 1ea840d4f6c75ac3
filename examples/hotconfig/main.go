// Command hotconfig is a web server that redirects, by a configuration file that
// may change at any time:
//
//	go run ./hotconfig -config redirects.json -listen localhost:8080
//
// with a file such as
//
//	{
//		"default": "https://example.com/",
//		"redirects": {
//			"/docs": {"to": "https://example.com/documentation"},
//			"/old":  {"to": "https://example.com/new", "status": 301}
//		}
//	}
//
// A file that is saved is loaded, checked, and served from the next request on.
// One that is wrong changes nothing, and the log says why. Requests are never
// held up by a reload, and a request that is being answered keeps the
// configuration that it began with. Each reload is built in the memory of the
// configuration before last: two exist, however often the file changes.
//
// Four files, in the order of a reload:
//
//	watch.go   the file has changed
//	config.go  what is in it, and whether that is right
//	store.go   the current configuration
//	server.go  the requests
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"time"
)

func main() {
	file := flag.String("config", "redirects.json", "configuration `file`")
	listen := flag.String("listen", "localhost:8080", "`address` to serve at")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "hotconfig: %q is no flag; all there is to say is said by flags, see -h\n", flag.Arg(0))
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, slog.Default(), *file, *listen, nil); err != nil {
		fmt.Fprintln(os.Stderr, "hotconfig:", err)
		os.Exit(1)
	}
}

// run serves until ctx ends. The first configuration must be right: a server that
// starts with none would answer every request with an error. ready, if it is not
// nil, is told the address.
func run(ctx context.Context, log *slog.Logger, file, listen string, ready func(net.Addr)) error {
	watcher, err := newWatcher(file)
	if err != nil {
		return err
	}
	defer watcher.Close()
	store := newStore(file, log)
	if err := store.load(watcher.text); err != nil {
		return err
	}
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: &server{store}, ReadHeaderTimeout: 10 * time.Second}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 2)
	go func() { ended <- store.follow(ctx, watcher) }()
	go func() { ended <- server.Serve(l) }()
	if ready != nil {
		ready(l.Addr())
	}

	var failed error
	select {
	case <-ctx.Done():
	case failed = <-ended: // neither ends before it is told to
	}
	cancel()
	grace, done := context.WithTimeout(context.Background(), 10*time.Second)
	defer done()
	err = errors.Join(failed, server.Shutdown(grace))
	// All requests have been answered: no handler holds a configuration any more.
	return errors.Join(err, store.close(grace))
}
