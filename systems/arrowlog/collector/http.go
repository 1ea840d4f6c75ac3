package collector

import (
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"

	collogspb "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	spb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

const (
	typeProto = "application/x-protobuf"
	typeJSON  = "application/json"
)

// export answers POST /v1/logs. The answer is in the encoding of the request; an
// error is a google.rpc.Status, as the OTLP specification asks for.
func (c *Collector) export(w http.ResponseWriter, r *http.Request) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != typeProto && kind != typeJSON {
		http.Error(w, fmt.Sprintf("the Content-Type is %q, want %s or %s", r.Header.Get("Content-Type"), typeProto, typeJSON), http.StatusUnsupportedMediaType)
		return
	}
	message, err := body(r)
	switch {
	case errors.Is(err, errLarge):
		answer(w, kind, http.StatusRequestEntityTooLarge, rpcStatus(codes.InvalidArgument, err))
		return
	case err != nil:
		answer(w, kind, http.StatusBadRequest, rpcStatus(codes.InvalidArgument, err))
		return
	}
	if kind == typeJSON {
		if message, err = FromJSON(message); err != nil {
			answer(w, kind, http.StatusBadRequest, rpcStatus(codes.InvalidArgument, err))
			return
		}
	}
	switch err := c.Ingest(r.Context(), message); {
	case err == nil:
		answer(w, kind, http.StatusOK, &collogspb.ExportLogsServiceResponse{})
	case errors.Is(err, ErrUnavailable) || r.Context().Err() != nil:
		w.Header().Set("Retry-After", "5")
		answer(w, kind, http.StatusServiceUnavailable, rpcStatus(codes.Unavailable, err))
	default:
		answer(w, kind, http.StatusBadRequest, rpcStatus(codes.InvalidArgument, err))
	}
}

func rpcStatus(c codes.Code, err error) *spb.Status {
	return &spb.Status{Code: int32(c), Message: err.Error()}
}

// body reads what the client sent, decompressed.
func body(r *http.Request) ([]byte, error) {
	var from io.Reader = r.Body
	switch encoding := r.Header.Get("Content-Encoding"); encoding {
	case "", "identity":
	case "gzip":
		z, err := gzip.NewReader(r.Body)
		if err != nil {
			return nil, fmt.Errorf("the body is not gzip: %w", err)
		}
		from = z
	default:
		return nil, fmt.Errorf("the Content-Encoding is %q, want gzip or none", encoding)
	}
	return readAll(from)
}

func answer(w http.ResponseWriter, kind string, code int, m proto.Message) {
	marshal := proto.Marshal
	if kind == typeJSON {
		marshal = protojson.Marshal
	}
	b, err := marshal(m)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(code)
	w.Write(b)
}

// FromJSON converts an ExportLogsServiceRequest from OTLP/JSON to protobuf. The two
// differ from protobuf's own JSON mapping in one thing: trace and span IDs are
// hexadecimal, not base64.
func FromJSON(b []byte) ([]byte, error) {
	var m collogspb.ExportLogsServiceRequest
	if err := (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(b, &m); err != nil {
		return nil, fmt.Errorf("the text is not an ExportLogsServiceRequest in OTLP/JSON: %w", err)
	}
	for _, r := range m.ResourceLogs {
		for _, s := range r.ScopeLogs {
			for _, l := range s.LogRecords {
				for _, id := range []*[]byte{&l.TraceId, &l.SpanId} {
					// What was read as base64 is written back: the hexadecimal text.
					fixed, err := hex.DecodeString(base64.StdEncoding.EncodeToString(*id))
					if err != nil {
						return nil, fmt.Errorf("a trace or span ID is not hexadecimal: %w", err)
					}
					*id = fixed
				}
			}
		}
	}
	return proto.Marshal(&m)
}
