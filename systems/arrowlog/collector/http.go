package collector

import (
	"bytes"
	"errors"
	"fmt"
	"mime"
	"net/http"

	spb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/poolproof/poolproof/systems/arrowlog/internal/otlpjson"
)

const (
	typeProto = "application/x-protobuf"
	typeJSON  = "application/json"
)

// retryAfter is how many seconds a client that may send again should wait.
const retryAfter = "5"

// exportHTTP answers POST /v1/logs. The answer is in the encoding of the request; an
// error is a google.rpc.Status, as the OTLP specification asks for.
func (c *Collector) exportHTTP(w http.ResponseWriter, r *http.Request) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != typeProto && kind != typeJSON {
		http.Error(w, fmt.Sprintf("the Content-Type is %q, want %s or %s", r.Header.Get("Content-Type"), typeProto, typeJSON), http.StatusUnsupportedMediaType)
		return
	}
	if !c.allowed(r) {
		w.Header().Set("WWW-Authenticate", "Bearer")
		refuse(w)
		answer(w, kind, http.StatusUnauthorized, &spb.Status{Code: codeUnauthenticated, Message: errToken.Error()})
		return
	}
	if err := c.takeHTTP(w, r, kind == typeJSON); err != nil {
		code, status := c.classify(r.Context(), err)
		if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
			w.Header().Set("Retry-After", retryAfter)
		}
		answer(w, kind, status, &spb.Status{Code: code, Message: err.Error()})
		return
	}
	answer(w, kind, http.StatusOK, &emptypb.Empty{}) // an ExportLogsServiceResponse
}

// refuse has the answer sent at once, and the connection closed: net/http would wait
// until the client has sent more of a body that was not read.
func refuse(w http.ResponseWriter) { w.Header().Set("Connection", "close") }

// takeHTTP reads the body and takes its logs.
func (c *Collector) takeHTTP(w http.ResponseWriter, r *http.Request, isJSON bool) error {
	s := &share{from: c.flight}
	if !s.more(requestBytes) {
		refuse(w)
		return ErrBusy
	}
	message, err := c.readBody(r.Body, r.ContentLength, r.Header.Get("Content-Encoding"), s)
	if err != nil {
		refuse(w)
	}
	if errors.Is(err, errEncoding) {
		err = fmt.Errorf("Content-Encoding: %w", err)
	}
	if err == nil && isJSON {
		message, err = c.fromJSON(message, s)
	}
	if err != nil {
		s.shrink(0)
		return err
	}
	return c.ingest(r.Context(), message, func() { s.shrink(0) })
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

// What OTLP/JSON takes as messages in memory: a byte of text, an object, and an element of
// a list that is none. Lists grow, so each of their elements is made several times.
const (
	textBytes    = 4
	objectBytes  = 256
	elementBytes = 112
)

// fromJSON reads OTLP/JSON within the share: the tree that it makes is many times as large
// as the text, so its size is reckoned by counting braces and commas first.
func (c *Collector) fromJSON(b []byte, s *share) ([]byte, error) {
	need := jsonBytes(b)
	if most := c.o.Memory/flightShare - s.n; need > most {
		return nil, fmt.Errorf("%w: as messages, %d bytes of JSON take about %d MiB, at most %d are there", errLarge, len(b), need>>20, most>>20)
	}
	if !s.more(need) {
		return nil, ErrBusy
	}
	m, err := otlpjson.Decode(b)
	s.shrink(requestBytes + int64(cap(m)))
	return m, err
}

// jsonBytes returns what reading a text takes.
func jsonBytes(b []byte) int64 {
	return textBytes*int64(len(b)) + objectBytes*int64(bytes.Count(b, []byte{'{'})) + elementBytes*int64(bytes.Count(b, []byte{','}))
}
