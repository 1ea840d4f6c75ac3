package collector

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	spb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"
)

// gRPC is one method here, with one message in each direction. It is spoken on net/http,
// because the length of a message is known there before its bytes are read: memory can
// be refused in time. https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md

// exportPath is the method Export of the service LogsService.
const exportPath = "/opentelemetry.proto.collector.logs.v1.LogsService/Export"

// The codes of gRPC.
const (
	codeCanceled          = 1
	codeInvalidArgument   = 3
	codeDeadlineExceeded  = 4
	codeResourceExhausted = 8
	codeUnimplemented     = 12
	codeUnavailable       = 14
	codeUnauthenticated   = 16
)

// exportGRPC answers a call of Export.
func (c *Collector) exportGRPC(w http.ResponseWriter, r *http.Request) {
	kind := r.Header.Get("Content-Type")
	if kind != "application/grpc" && kind != "application/grpc+proto" || r.ProtoMajor < 2 {
		http.Error(w, fmt.Sprintf("%s with the Content-Type %q, want HTTP/2 and application/grpc", r.Proto, kind), http.StatusUnsupportedMediaType)
		return
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Grpc-Accept-Encoding", "identity,gzip,zstd")
	if !c.allowed(r) {
		trailers(w, &spb.Status{Code: codeUnauthenticated, Message: errToken.Error()})
		return
	}
	ctx := r.Context()
	if text := r.Header.Get("Grpc-Timeout"); text != "" {
		limit, err := grpcTimeout(text)
		if err != nil {
			trailers(w, &spb.Status{Code: codeInvalidArgument, Message: err.Error()})
			return
		}
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	if err := c.takeGRPC(ctx, r); err != nil {
		code, _ := c.classify(ctx, err)
		trailers(w, grpcStatus(code, err))
		return
	}
	w.Write(make([]byte, 5)) // an empty ExportLogsServiceResponse
	trailers(w, &spb.Status{})
}

// unimplemented answers calls of other methods.
func unimplemented(w http.ResponseWriter, r *http.Request) {
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "application/grpc") {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/grpc")
	trailers(w, &spb.Status{Code: codeUnimplemented, Message: "there is no method " + r.URL.Path})
}

// takeGRPC reads the message and takes its logs.
func (c *Collector) takeGRPC(ctx context.Context, r *http.Request) error {
	s := &share{from: c.flight}
	if !s.more(requestBytes) {
		return ErrBusy
	}
	var head [5]byte
	if _, err := io.ReadFull(r.Body, head[:]); err != nil {
		s.shrink(0)
		return fmt.Errorf("the head of the message: %w", err)
	}
	n := int64(binary.BigEndian.Uint32(head[1:]))
	encoding := ""
	if head[0] == 1 {
		encoding = r.Header.Get("Grpc-Encoding")
	}
	body := &io.LimitedReader{R: r.Body, N: n}
	message, err := c.readBody(body, n, encoding, s)
	switch {
	case err != nil:
	case body.N > 0:
		err = fmt.Errorf("the message of %d bytes ends %d bytes early", n, body.N)
	default:
		if extra, _ := r.Body.Read(head[:1]); extra > 0 {
			err = errors.New("there is more than one message")
		}
	}
	if err != nil {
		s.shrink(0)
		return err
	}
	return c.ingest(ctx, message, func() { s.shrink(0) })
}

// trailers ends an answer.
func trailers(w http.ResponseWriter, status *spb.Status) {
	h := w.Header()
	h.Set(http.TrailerPrefix+"Grpc-Status", strconv.Itoa(int(status.Code)))
	if status.Message != "" {
		h.Set(http.TrailerPrefix+"Grpc-Message", percent(status.Message))
	}
	if len(status.Details) > 0 {
		if b, err := proto.Marshal(status); err == nil {
			h.Set(http.TrailerPrefix+"Grpc-Status-Details-Bin", base64.RawStdEncoding.EncodeToString(b))
		}
	}
}

// grpcStatus returns a status. By the delay clients know that they may send again
// what resources were not there for.
func grpcStatus(code int32, err error) *spb.Status {
	s := &spb.Status{Code: code, Message: err.Error()}
	if errors.Is(err, ErrBusy) {
		seconds, _ := strconv.Atoi(retryAfter)
		if d, err := anypb.New(&errdetails.RetryInfo{RetryDelay: durationpb.New(time.Duration(seconds) * time.Second)}); err == nil {
			s.Details = append(s.Details, d)
		}
	}
	return s
}

// percent writes a message as trailers have it.
func percent(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '%' {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

var timeUnits = map[byte]time.Duration{'H': time.Hour, 'M': time.Minute, 'S': time.Second, 'm': time.Millisecond, 'u': time.Microsecond, 'n': time.Nanosecond}

// grpcTimeout reads the time that a client waits.
func grpcTimeout(s string) (time.Duration, error) {
	n, err := strconv.ParseUint(s[:len(s)-1], 10, 32)
	unit, ok := timeUnits[s[len(s)-1]]
	if err != nil || !ok || len(s) > 9 {
		return 0, fmt.Errorf("the Grpc-Timeout is %q, want a number of up to eight digits and a unit", s)
	}
	return time.Duration(min(n, uint64(24*time.Hour/unit))) * unit, nil
}
