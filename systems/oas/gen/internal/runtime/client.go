//lint:file-ignore U1000 the generator copies what a package needs

package runtime

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Client sends requests to a service.
type Client struct {
	// BaseURL is the address of the service, to which paths are added. A slash at its end does
	// not matter.
	BaseURL string

	// HTTP sends the requests; nil stands for http.DefaultClient.
	HTTP *http.Client

	// Edit, if it is not nil, is called with each request before it is sent, to authorize it for
	// instance. RouteOf returns the operation that the request is for.
	Edit func(*http.Request) error
}

type request struct {
	method, path string
	route        *Route
	query        url.Values
	header       http.Header
	body         io.Reader
}

func newRequest(method, path string, route *Route) *request {
	return &request{method: method, path: path, route: route, query: url.Values{}, header: http.Header{}}
}

func (r *request) json(contentType string, body any) error {
	b, err := json.Marshal(body)
	if err != nil {
		return err
	}
	r.stream(contentType, bytes.NewReader(notNull(b, body)))
	return nil
}

func (r *request) form(contentType string, body any) {
	values := url.Values{}
	for _, m := range members(body) {
		values.Add(m.key, m.value)
	}
	r.stream(contentType, strings.NewReader(values.Encode()))
}

func (r *request) stream(contentType string, body io.Reader) {
	r.header.Set("Content-Type", contentType)
	r.body = body
}

func (r *request) cookie(name, value string) {
	r.header.Add("Cookie", name+"="+url.PathEscape(value))
}

// whole makes value all of the query.
func (r *request) whole(value string) {
	r.path += "?" + strings.ReplaceAll(url.QueryEscape(value), "+", "%20")
}

// send sends r and returns the answer, whose body is open.
func (c *Client) send(ctx context.Context, r *request) (*http.Response, error) {
	address := strings.TrimSuffix(c.BaseURL, "/") + r.path
	if len(r.query) > 0 {
		separator := "?"
		if strings.Contains(r.path, "?") {
			separator = "&"
		}
		address += separator + strings.ReplaceAll(r.query.Encode(), "+", "%20")
	}
	q, err := http.NewRequestWithContext(context.WithValue(ctx, routeKey{}, r.route), r.method, address, r.body)
	if err != nil {
		return nil, err
	}
	for key, values := range r.header {
		q.Header[key] = values
	}
	if c.Edit != nil {
		if err := c.Edit(q); err != nil {
			return nil, err
		}
	}
	h := c.HTTP
	if h == nil {
		h = http.DefaultClient
	}
	return h.Do(q)
}

// maxFailure is how much of the body of a failure is read.
const maxFailure = 1 << 20

// unexpected returns the error for an answer without a body that the document describes.
func unexpected(a *http.Response, reason string) error {
	defer a.Body.Close()
	b, _ := io.ReadAll(io.LimitReader(a.Body, maxFailure))
	return &APIError{StatusCode: a.StatusCode, Header: a.Header, Body: b, Reason: reason}
}

// unknown is the error for an answer of success that the document does not have.
func unknown(a *http.Response) string {
	if a.StatusCode < 200 || a.StatusCode > 299 {
		return ""
	}
	return "the document has no answer with this status"
}

// decoded reads an answer in JSON.
func decoded[T any](a *http.Response) (*Answer[T], error) {
	t, _, err := mime.ParseMediaType(a.Header.Get("Content-Type"))
	if err == nil && t != "application/json" && !strings.HasSuffix(t, "+json") {
		return nil, unexpected(a, "the answer is "+t+" and no JSON")
	}
	defer a.Body.Close()
	out := &Answer[T]{Status: a.StatusCode, Header: a.Header}
	b, err := io.ReadAll(a.Body)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(b, &out.Body); err != nil {
		return nil, &APIError{StatusCode: a.StatusCode, Header: a.Header, Body: b[:min(len(b), maxFailure)], Reason: err.Error()}
	}
	return out, nil
}

// failed reads a failure that the document describes.
func failed[T any](a *http.Response) error {
	a.Body = io.NopCloser(io.LimitReader(a.Body, maxFailure))
	out, err := decoded[T](a)
	if err != nil {
		return err
	}
	return &Failure[T]{Status: out.Status, Header: out.Header, Body: out.Body}
}

// bare reads an answer without a body.
func bare[T any](a *http.Response) (*Answer[T], error) {
	defer a.Body.Close()
	_, err := io.Copy(io.Discard, io.LimitReader(a.Body, maxFailure))
	return &Answer[T]{Status: a.StatusCode, Header: a.Header}, err
}

// streamed returns an answer whose body the caller reads and closes.
func streamed(a *http.Response) (*Answer[io.ReadCloser], error) {
	return &Answer[io.ReadCloser]{Status: a.StatusCode, Header: a.Header, Body: a.Body}, nil
}

// one of several kinds of answers: set puts the body of a in its place.
func oneOf[T, B any](a *Answer[B], err error, set func(*T, *B)) (*Answer[T], error) {
	if err != nil {
		return nil, err
	}
	out := &Answer[T]{Status: a.Status, Header: a.Header}
	set(&out.Body, &a.Body)
	return out, nil
}

// maxEvent is how long a line of a stream of events may be.
const maxEvent = 16 << 20

// events returns an answer of server-sent events.
func events(a *http.Response) (*Answer[Events], error) {
	read := func(yield func(Event, error) bool) {
		defer a.Body.Close()
		lines := bufio.NewScanner(a.Body)
		lines.Buffer(nil, maxEvent)
		lines.Split(eventLines())
		var e Event
		some, data := false, false
		for lines.Scan() {
			line := lines.Text()
			if line == "" {
				if some && !yield(e, nil) {
					return
				}
				e, some, data = Event{ID: e.ID}, false, false
				continue
			}
			key, value, _ := strings.Cut(line, ":")
			value = strings.TrimPrefix(value, " ")
			switch key {
			case "data":
				if data {
					e.Data += "\n"
				}
				e.Data, data, some = e.Data+value, true, true
			case "event":
				e.Name = value
			case "id":
				e.ID = value
			case "retry":
				if n, err := strconv.ParseUint(value, 10, 31); err == nil {
					e.Retry = time.Duration(n) * time.Millisecond
				}
			}
		}
		if err := lines.Err(); err != nil {
			yield(Event{}, err)
		}
	}
	return &Answer[Events]{Status: a.StatusCode, Header: a.Header, Body: read}, nil
}

// eventLines splits a stream of events at its line ends: LF, CR LF or CR.
func eventLines() bufio.SplitFunc {
	afterCR := false
	return func(b []byte, atEOF bool) (int, []byte, error) {
		skip := 0
		if afterCR && len(b) > 0 {
			if b[0] == '\n' {
				skip = 1
			}
			afterCR = false
		}
		if i := bytes.IndexAny(b[skip:], "\r\n"); i >= 0 {
			afterCR = b[skip+i] == '\r'
			return skip + i + 1, b[skip : skip+i], nil
		}
		if atEOF {
			return len(b), nil, nil // a line without an end is none
		}
		return skip, nil, nil
	}
}

func text(v any) string {
	if t, ok := v.(time.Time); ok {
		return t.Format(time.RFC3339Nano)
	}
	return fmt.Sprint(v)
}

func joined[T any](values []T, separator string) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = text(v)
	}
	return strings.Join(texts, separator)
}

func segment(v any) string {
	return url.PathEscape(text(v))
}

func segments[T any](values []T, separator string) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = segment(v)
	}
	return strings.Join(texts, separator)
}

type member struct{ key, value string }

// members returns those of an object in their order, as encoding/json writes them, a string as its
// text, and each element of a list as a member.
func members(object any) (all []member) {
	b, err := json.Marshal(object)
	if err != nil {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	d.Token()
	for d.More() {
		key, _ := d.Token()
		var value any
		if err := d.Decode(&value); err != nil || value == nil {
			continue
		}
		list, ok := value.([]any)
		if !ok {
			list = []any{value}
		}
		for _, v := range list {
			if nested, ok := v.(map[string]any); ok {
				b, _ := json.Marshal(nested)
				v = string(b)
			}
			all = append(all, member{text(key), text(v)})
		}
	}
	return all
}

// flat returns the members of an object as one text.
func flat(object any, between, separator string, escape func(string) string) string {
	var texts []string
	for _, m := range members(object) {
		texts = append(texts, escape(m.key)+between+escape(m.value))
	}
	return strings.Join(texts, separator)
}

// StatusOf returns the status of an answer that an error stands for, or 0.
func StatusOf(err error) int {
	var e *APIError
	if errors.As(err, &e) {
		return e.StatusCode
	}
	return 0
}
