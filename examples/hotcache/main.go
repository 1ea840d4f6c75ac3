// Command hotcache answers questions about the files below a folder from memory:
//
//	go run ./hotcache -dir /usr/share/doc -every 10s -listen localhost:8081
//	curl localhost:8081/bash/copyright
//	curl localhost:8081/-/cache
//	curl -X POST localhost:8081/-/rebuild
//
// The cache is one map of all files, which a goroutine rebuilds in the background.
// Requests are answered from the old map until the new one is complete, and never
// from half of one. If a build fails, the old map stays. The replaced map is cleared
// and filled by the next build, so that two maps exist and a rebuild leaves no
// garbage but strings.
//
//	cache.go   the cache, of any keys and values
//	files.go   what is cached here
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
	dir := flag.String("dir", ".", "`folder` whose files are cached")
	every := flag.Duration("every", 10*time.Second, "`time` from the end of one build to the next")
	listen := flag.String("listen", "localhost:8081", "`address` to serve at")
	flag.Parse()
	if flag.NArg() > 0 || *every <= 0 {
		fmt.Fprintln(os.Stderr, "hotcache: there are flags only, and -every is more than 0; see -h")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, slog.Default(), *dir, *every, *listen, nil); err != nil {
		fmt.Fprintln(os.Stderr, "hotcache:", err)
		os.Exit(1)
	}
}

// run serves until ctx ends. The server answers before the first build is done,
// with 503. ready, if it is not nil, is told the address.
func run(ctx context.Context, log *slog.Logger, dir string, every time.Duration, listen string, ready func(net.Addr)) error {
	if info, err := os.Stat(dir); err != nil {
		return err
	} else if !info.IsDir() {
		return fmt.Errorf("%s is no folder", dir)
	}
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	files := newCache(filesOf(os.DirFS(dir)))
	files.failed = func(err error) { log.Error("the old cache stays", "error", err) }
	server := &http.Server{Handler: newServer(files), ReadHeaderTimeout: 10 * time.Second}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	served, built := make(chan error, 1), make(chan struct{})
	go func() { defer close(built); files.run(ctx, every) }()
	go func() { served <- server.Serve(l) }()
	if ready != nil {
		ready(l.Addr())
	}

	var failed error
	select {
	case <-ctx.Done():
	case failed = <-served: // which does not end before it is told to
	}
	cancel()
	<-built
	grace, done := context.WithTimeout(context.Background(), 10*time.Second)
	defer done()
	err = errors.Join(failed, server.Shutdown(grace))
	return errors.Join(err, files.close(grace))
}
