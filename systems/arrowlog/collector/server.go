package collector

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	_ "google.golang.org/grpc/encoding/gzip" // clients may compress
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/status"
)

// MaxRequest is the largest request in bytes that the servers take, before and
// after decompression.
const MaxRequest = 64 << 20

// raw is a message of gRPC as it came, so that the logs are read only once.
type raw struct{ message []byte }

// rawCodec passes messages on as they are.
type rawCodec struct{}

// Marshal returns the message.
func (rawCodec) Marshal(v any) (mem.BufferSlice, error) {
	return mem.BufferSlice{mem.SliceBuffer(v.(*raw).message)}, nil
}

// Unmarshal copies the message: the buffers are gRPC's.
func (rawCodec) Unmarshal(data mem.BufferSlice, v any) error {
	v.(*raw).message = data.Materialize()
	return nil
}

// Name is that of the encoding that the messages are in.
func (rawCodec) Name() string { return "proto" }

// GRPC returns a server with the service
// opentelemetry.proto.collector.logs.v1.LogsService. The caller serves it on a
// listener and stops it before the collector is closed.
func (c *Collector) GRPC() *grpc.Server {
	s := grpc.NewServer(grpc.ForceServerCodecV2(rawCodec{}), grpc.MaxRecvMsgSize(MaxRequest))
	s.RegisterService(&grpc.ServiceDesc{
		ServiceName: "opentelemetry.proto.collector.logs.v1.LogsService",
		HandlerType: (*any)(nil),
		Methods: []grpc.MethodDesc{{MethodName: "Export", Handler: func(_ any, ctx context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
			var in raw
			if err := decode(&in); err != nil {
				return nil, err
			}
			if err := c.Ingest(ctx, in.message); err != nil {
				return nil, status.Error(code(ctx, err), err.Error())
			}
			return &raw{}, nil // an empty ExportLogsServiceResponse
		}}},
	}, c)
	return s
}

// code says whether a client may send the request again, as OTLP has it.
func code(ctx context.Context, err error) codes.Code {
	switch {
	case ctx.Err() != nil:
		return status.FromContextError(ctx.Err()).Code()
	case errors.Is(err, ErrUnavailable):
		return codes.Unavailable
	}
	return codes.InvalidArgument
}

// HTTP returns a server for OTLP/HTTP: POST /v1/logs in protobuf or JSON. The
// caller serves it on a listener and shuts it down before the collector is closed.
func (c *Collector) HTTP() *http.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/logs", c.export)
	return &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, WriteTimeout: time.Minute}
}

// Serve serves OTLP/gRPC and OTLP/HTTP until ctx ends, answers the requests that
// are under way, closes the collector, and returns what went wrong. Either
// listener may be nil. Serve closes the listeners.
func (c *Collector) Serve(ctx context.Context, grpcListener, httpListener net.Listener) error {
	failed := make(chan error, 2)
	g, h := c.GRPC(), c.HTTP()
	if grpcListener != nil {
		go func() { failed <- g.Serve(grpcListener) }()
	}
	if httpListener != nil {
		go func() { failed <- h.Serve(httpListener) }()
	}
	var err error
	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	end, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	stopped := make(chan struct{})
	go func() { g.GracefulStop(); close(stopped) }()
	if h.Shutdown(end) != nil {
		h.Close()
	}
	select {
	case <-stopped:
	case <-end.Done():
		g.Stop()
	}
	return errors.Join(err, c.Close())
}

// errLarge is the error for bodies above MaxRequest.
var errLarge = errors.New("the request is larger than 64 MiB")

// readAll reads at most MaxRequest bytes.
func readAll(r io.Reader) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, MaxRequest+1))
	if err == nil && len(b) > MaxRequest {
		err = errLarge
	}
	return b, err
}
