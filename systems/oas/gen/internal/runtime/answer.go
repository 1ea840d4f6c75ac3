//lint:file-ignore U1000 the generator copies what a package needs

// Package runtime is a part of all generated code. The generator writes these files into
// the generated package, without their first lines; here they are built and tested.
package runtime

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Answer is the answer of an operation. A method of a service may return nil for one without
// a body.
type Answer[T any] struct {
	// Status is the one of the answer. In a service 0 stands for the status that the document has
	// for the body.
	Status int

	// Header has the header without Content-Type, which a service may set too.
	Header http.Header

	Body T
}

// NoBody is the body of an answer that has none.
type NoBody struct{}

// Events is a body of server-sent events (text/event-stream). A service yields them, and each is
// sent at once. A client ranges over them once, which closes the connection at its end; an error
// is the last thing that is yielded.
type Events = iter.Seq2[Event, error]

// Event is one of a stream of server-sent events.
type Event struct {
	ID, Name, Data string
	Retry          time.Duration // how long a client waits before it connects again; 0 if it is not said
}

// APIError is an answer that says that a request failed. A client returns it, and a service may
// return it to say which status the answer has.
type APIError struct {
	StatusCode int
	Header     http.Header
	Body       []byte // at most 1 MiB of it
	Reason     string // what is wrong with the answer itself, if it is none that the document has
}

// Error returns the status, the reason and the body.
func (e *APIError) Error() string {
	if e.Reason != "" {
		return fmt.Sprintf("status %d: %s: %s", e.StatusCode, e.Reason, e.Body)
	}
	return fmt.Sprintf("status %d: %s", e.StatusCode, e.Body)
}

// Failure is an answer of failure with a body that the document describes. A client returns it as
// an error, and so may a service. errors.As finds an *APIError in it too.
type Failure[T any] struct {
	Status int
	Header http.Header
	Body   T
}

// Error returns the status and the body.
func (f *Failure[T]) Error() string {
	return f.Unwrap().Error()
}

// Unwrap returns f as an *APIError.
func (f *Failure[T]) Unwrap() error {
	b, err := json.Marshal(f.Body)
	if err != nil {
		b = []byte(err.Error())
	}
	return &APIError{StatusCode: f.Status, Header: f.Header, Body: b}
}

// Nullable is a member that may be left out, and may be null: its zero value is left out, and it is
// null if it is Present without a Value.
type Nullable[T any] struct {
	Value   *T
	Present bool
}

// NullableOf returns a member with a value.
func NullableOf[T any](v T) Nullable[T] {
	return Nullable[T]{&v, true}
}

// IsZero reports whether the member is left out.
func (n Nullable[T]) IsZero() bool {
	return !n.Present && n.Value == nil
}

// MarshalJSON returns the value, or null.
func (n Nullable[T]) MarshalJSON() ([]byte, error) {
	return json.Marshal(n.Value)
}

// UnmarshalJSON reads a value or null.
func (n *Nullable[T]) UnmarshalJSON(b []byte) error {
	n.Present = true
	return json.Unmarshal(b, &n.Value)
}

// withExtra writes an object with further members after its own, which are known.
func withExtra[T any](object any, extra map[string]T, known ...string) ([]byte, error) {
	b, err := json.Marshal(object)
	if err != nil || len(extra) == 0 {
		return b, err
	}
	b = b[:len(b)-1]
	for _, key := range slices.Sorted(maps.Keys(extra)) {
		if slices.Contains(known, key) {
			continue
		}
		k, err := json.Marshal(key)
		if err != nil {
			return nil, err
		}
		v, err := json.Marshal(extra[key])
		if err != nil {
			return nil, err
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(append(b, k...), ':'), v...)
	}
	return append(b, '}'), nil
}

// others reads the members of an object that are not known.
func others[T any](b []byte, extra *map[string]T, known ...string) error {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(b, &all); err != nil {
		return err
	}
	*extra = nil
	for key, raw := range all {
		if slices.Contains(known, key) {
			continue
		}
		if *extra == nil {
			*extra = map[string]T{}
		}
		var v T
		if err := json.Unmarshal(raw, &v); err != nil {
			return err
		}
		(*extra)[key] = v
	}
	return nil
}

// as reads one of the types that a value may have, if it is one.
func as[T any](raw json.RawMessage, schema string) (v T, err error) {
	if err := valid(schema, raw); err != nil {
		return v, err
	}
	err = json.Unmarshal(raw, &v)
	return v, err
}

// hold makes v the value, with the member that says what it is.
func hold(raw *json.RawMessage, v any, key, value string) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if key != "" && discriminator(b, key) != value {
		var all map[string]json.RawMessage
		if err := json.Unmarshal(b, &all); err != nil {
			return err
		}
		if all[key], err = json.Marshal(value); err != nil {
			return err
		}
		if b, err = json.Marshal(all); err != nil {
			return err
		}
	}
	*raw = b
	return nil
}

// discriminator returns the member of an object that says what it is.
func discriminator(raw []byte, key string) string {
	var all map[string]json.RawMessage
	var value string
	if json.Unmarshal(raw, &all) == nil && json.Unmarshal(all[key], &value) == nil {
		return value
	}
	return ""
}

// one reads a value of JSON, after which there must be nothing more.
func one(b []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("there is text after the JSON: %s", strings.ToValidUTF8(string(b[d.InputOffset():min(int(d.InputOffset())+20, len(b))]), "?"))
	}
	return v, nil
}
