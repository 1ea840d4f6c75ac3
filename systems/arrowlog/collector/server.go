package collector

import (
	"context"
	"errors"
	"log"
	"net"
	"net/http"
	"strings"
	"time"

	"golang.org/x/net/netutil"
)

// The bounds of connections. One takes some 50 KiB, and up to 128 KiB more while its
// requests wait to be read.
const (
	maxConnections  = 512
	connectionBytes = 256 << 10
	maxStreams      = 256
	streamBuffer    = 64 << 10
	maxHeader       = 16 << 10
	maxFrame        = 16 << 10 // each connection of HTTP/2 keeps a buffer for one
)

func (c *Collector) maxConnections() int {
	return int(min(maxConnections, c.o.Memory/connectionBytes))
}

// Handler answers OTLP/gRPC (over HTTP/2) and OTLP/HTTP (POST /v1/logs, in protobuf or
// JSON). The bodies of both may be compressed by gzip or zstd.
func (c *Collector) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/logs", c.exportHTTP)
	mux.HandleFunc("POST "+exportPath, c.exportGRPC)
	mux.HandleFunc("POST /", unimplemented)
	return mux
}

// Server returns a server with the handler and bounds on time, connections and
// buffers. The caller serves it on listeners and shuts it down before the collector is
// closed; [Collector.Serve] does both.
func (c *Collector) Server() *http.Server {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(true)
	return &http.Server{
		Handler: c.Handler(), TLSConfig: c.o.TLS, Protocols: protocols,
		ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, WriteTimeout: time.Minute, IdleTimeout: 5 * time.Minute,
		MaxHeaderBytes: maxHeader,
		HTTP2: &http.HTTP2Config{
			MaxConcurrentStreams: maxStreams, MaxReadFrameSize: maxFrame,
			MaxReceiveBufferPerConnection: 2 * streamBuffer, MaxReceiveBufferPerStream: streamBuffer,
		},
		ErrorLog: log.New(logger{c.logf}, "", 0),
	}
}

// logger passes the errors of net/http on.
type logger struct{ logf func(string, ...any) }

// Write passes a line on.
func (l logger) Write(line []byte) (int, error) {
	l.logf("%s", strings.TrimSpace(string(line)))
	return len(line), nil
}

// Serve serves OTLP/gRPC and OTLP/HTTP on listeners until ctx ends, answers the
// requests that are under way, closes the collector, and returns what went wrong.
// Listeners may be nil. Serve closes them.
func (c *Collector) Serve(ctx context.Context, listeners ...net.Listener) error {
	failed := make(chan error, len(listeners))
	s := c.Server()
	for _, l := range listeners {
		if l == nil {
			continue
		}
		l = netutil.LimitListener(l, c.maxConnections())
		go func() {
			if c.o.TLS != nil {
				failed <- s.ServeTLS(l, "", "")
			} else {
				failed <- s.Serve(l)
			}
		}()
	}
	var err error
	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	end, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if s.Shutdown(end) != nil {
		s.Close()
	}
	return errors.Join(err, c.Close())
}

// classify returns the codes of gRPC and HTTP for an error: they say whether a client
// may send the request again.
func (c *Collector) classify(ctx context.Context, err error) (code int32, status int) {
	switch {
	case errors.Is(err, ErrBusy):
		return codeResourceExhausted, http.StatusTooManyRequests
	case errors.Is(err, errLarge):
		return codeResourceExhausted, http.StatusRequestEntityTooLarge
	case errors.Is(err, ErrUnavailable):
		return codeUnavailable, http.StatusServiceUnavailable
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return codeDeadlineExceeded, http.StatusServiceUnavailable
	case ctx.Err() != nil:
		return codeCanceled, http.StatusServiceUnavailable
	case errors.Is(err, errEncoding):
		return codeUnimplemented, http.StatusBadRequest
	}
	return codeInvalidArgument, http.StatusBadRequest
}
