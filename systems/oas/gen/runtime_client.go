package gen

// clientRuntime is what each generated client has, formatted as gofmt does.
const clientRuntime = `import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
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
	// instance.
	Edit func(*http.Request) error
}

type request struct {
	method, path string
	query        url.Values
	header       http.Header
	body         io.Reader
}

func newRequest(method, path string) *request {
	return &request{method: method, path: path, query: url.Values{}, header: http.Header{}}
}

func (r *request) json(contentType string, body any) error {
	b, err := json.Marshal(body)
	if err != nil {
		return err
	}
	r.stream(contentType, bytes.NewReader(b))
	return nil
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

// do sends r and gives the body of an answer of success to read. Of several kinds of success only
// that with the status has to have one.
func (c *Client) do(ctx context.Context, r *request, status int, read func([]byte) error) error {
	address := strings.TrimSuffix(c.BaseURL, "/") + r.path
	if len(r.query) > 0 {
		separator := "?"
		if strings.Contains(r.path, "?") {
			separator = "&"
		}
		address += separator + strings.ReplaceAll(r.query.Encode(), "+", "%20")
	}
	q, err := http.NewRequestWithContext(ctx, r.method, address, r.body)
	if err != nil {
		return err
	}
	for key, values := range r.header {
		q.Header[key] = values
	}
	if c.Edit != nil {
		if err := c.Edit(q); err != nil {
			return err
		}
	}
	h := c.HTTP
	if h == nil {
		h = http.DefaultClient
	}
	answer, err := h.Do(q)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		b, _ := io.ReadAll(io.LimitReader(answer.Body, 1<<20))
		return &APIError{StatusCode: answer.StatusCode, Body: b}
	}
	if read == nil {
		return nil
	}
	b, err := io.ReadAll(answer.Body)
	if err != nil || len(b) == 0 && answer.StatusCode != status {
		return err
	}
	return read(b)
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
`
