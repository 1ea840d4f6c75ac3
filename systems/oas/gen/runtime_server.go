package gen

const serverImports = `import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

`

// serverRuntime is what each generated server has, formatted as gofmt does: the
// router, and what reads requests and writes answers.
const serverRuntime = `// router finds the handler of a path. Of several templates that match, it takes the one whose
// first segment that differs is the more literal one.
type router struct {
	static   map[string]*router // by a segment without parameters
	patterns []pattern          // of segments with parameters, those with more literal text first
	handlers map[string]handler // by method, of the path that ends here
}

type handler struct {
	names []string // of the parameters in the path, in their order
	run   func(*input)
}

// pattern is a segment with parameters: literals are what stands around them.
type pattern struct {
	literals []string
	next     *router
}

func (p *pattern) literal() int {
	return len(strings.Join(p.literals, ""))
}

// add makes run the handler of a path. The first one of the same path and method counts.
func (h *router) add(method, path string, run func(*input)) {
	path, _, _ = strings.Cut(path, "?")
	path, _, _ = strings.Cut(path, "#")
	var names []string
	for _, segment := range strings.Split(strings.TrimPrefix(path, "/"), "/") {
		literals := []string{""}
		for segment != "" {
			before, after, open := strings.Cut(segment, "{")
			name, rest, closed := strings.Cut(after, "}")
			if !open || !closed {
				literals[len(literals)-1] += segment
				break
			}
			literals[len(literals)-1] += before
			literals = append(literals, "")
			names = append(names, name)
			segment = rest
		}
		h = h.child(literals)
	}
	if h.handlers == nil {
		h.handlers = map[string]handler{}
	}
	if _, taken := h.handlers[method]; !taken {
		h.handlers[method] = handler{names, run}
	}
}

func (h *router) child(literals []string) *router {
	if len(literals) == 1 {
		if h.static == nil {
			h.static = map[string]*router{}
		}
		if h.static[literals[0]] == nil {
			h.static[literals[0]] = new(router)
		}
		return h.static[literals[0]]
	}
	for i := range h.patterns {
		if slices.Equal(h.patterns[i].literals, literals) {
			return h.patterns[i].next
		}
	}
	next := new(router)
	h.patterns = append(h.patterns, pattern{literals, next})
	slices.SortStableFunc(h.patterns, func(a, b pattern) int { return b.literal() - a.literal() })
	return next
}

// find returns where the segments lead, and the values of the parameters.
func (h *router) find(segments, values []string) (*router, []string) {
	if len(segments) == 0 {
		if h.handlers == nil {
			return nil, nil
		}
		return h, values
	}
	if next := h.static[segments[0]]; next != nil {
		if found, all := next.find(segments[1:], values); found != nil {
			return found, all
		}
	}
	for i := range h.patterns {
		p := &h.patterns[i]
		if more, ok := p.match(segments[0], values); ok {
			if found, all := p.next.find(segments[1:], more); found != nil {
				return found, all
			}
		}
	}
	return nil, nil
}

// match appends the values of the parameters in a segment, none of which is empty.
func (p *pattern) match(segment string, values []string) ([]string, bool) {
	first, last := p.literals[0], p.literals[len(p.literals)-1]
	if len(segment) < len(first)+len(last) || !strings.HasPrefix(segment, first) || !strings.HasSuffix(segment, last) {
		return nil, false
	}
	segment = segment[len(first) : len(segment)-len(last)]
	for _, literal := range p.literals[1 : len(p.literals)-1] {
		end := 1
		if literal != "" {
			end = strings.Index(segment, literal)
		}
		if end < 1 || end > len(segment) {
			return nil, false
		}
		values = append(values, segment[:end])
		segment = segment[end+len(literal):]
	}
	return append(values, segment), segment != ""
}

// ServeHTTP answers 404 where no path fits, and 405 where the path has no such method.
func (h *router) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	segments := strings.Split(strings.TrimPrefix(r.URL.EscapedPath(), "/"), "/")
	for i, s := range segments {
		if plain, err := url.PathUnescape(s); err == nil {
			segments[i] = plain
		}
	}
	found, values := h.find(segments, nil)
	if found == nil {
		http.NotFound(w, r)
		return
	}
	chosen, ok := found.handlers[r.Method]
	if !ok {
		var methods []string
		for m := range found.handlers {
			methods = append(methods, m)
		}
		slices.Sort(methods)
		w.Header().Set("Allow", strings.Join(methods, ", "))
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	chosen.run(&input{writer: w, request: r, names: chosen.names, values: values})
}

// input is a request that is read, and then answered.
type input struct {
	writer        http.ResponseWriter
	request       *http.Request
	names, values []string // of the path
	queries       url.Values
	err           error
}

func (in *input) context() context.Context {
	return in.request.Context()
}

func (in *input) path(name string) []string {
	for i, n := range in.names {
		if n == name {
			return in.values[i : i+1]
		}
	}
	return nil
}

func (in *input) query(name string) []string {
	if in.queries == nil {
		in.queries = in.request.URL.Query()
	}
	return in.queries[name]
}

func (in *input) header(name string) []string {
	return in.request.Header.Values(name)
}

func (in *input) cookie(name string) []string {
	c, err := in.request.Cookie(name)
	if err != nil {
		return nil
	}
	if plain, err := url.PathUnescape(c.Value); err == nil {
		return []string{plain}
	}
	return []string{c.Value}
}

// fail notes what is wrong with the request; the first thing counts.
func (in *input) fail(name, message string) {
	if in.err == nil {
		in.err = errors.New(name + ": " + message)
	}
}

// refused answers 400 if something is wrong with the request.
func (in *input) refused() bool {
	if in.err != nil {
		http.Error(in.writer, in.err.Error(), http.StatusBadRequest)
	}
	return in.err != nil
}

func convert[T any](in *input, name, text string, to func(string) (T, error)) T {
	v, err := to(text)
	if err != nil {
		in.fail(name, "it cannot be "+strconv.Quote(text))
	}
	return v
}

func required[T any](in *input, name string, values []string, to func(string) (T, error)) (v T) {
	if len(values) == 0 {
		in.fail(name, "it is missing")
		return v
	}
	return convert(in, name, values[0], to)
}

func optional[T any](in *input, name string, values []string, to func(string) (T, error)) *T {
	if len(values) == 0 {
		return nil
	}
	v := convert(in, name, values[0], to)
	return &v
}

func list[T any](in *input, name string, values []string, to func(string) (T, error)) (all []T) {
	for _, text := range values {
		all = append(all, convert(in, name, text, to))
	}
	return all
}

func requiredList[T any](in *input, name string, values []string, to func(string) (T, error)) []T {
	if len(values) == 0 {
		in.fail(name, "it is missing")
	}
	return list(in, name, values, to)
}

func split(values []string, separator string) (all []string) {
	for _, v := range values {
		if v != "" {
			all = append(all, strings.Split(v, separator)...)
		}
	}
	return all
}

func jsonBody[T any](in *input, required bool) (body T) {
	switch err := json.NewDecoder(in.request.Body).Decode(&body); {
	case err == io.EOF && !required:
	case err == io.EOF:
		in.fail("the body", "it is missing")
	case err != nil:
		in.fail("the body", err.Error())
	}
	return body
}

func (in *input) failed(err error) bool {
	if err == nil {
		return false
	}
	var e *APIError
	if errors.As(err, &e) && e.StatusCode >= 100 && e.StatusCode <= 999 {
		if json.Valid(e.Body) {
			in.writer.Header().Set("Content-Type", "application/json")
		}
		in.writer.WriteHeader(e.StatusCode)
		in.writer.Write(e.Body)
	} else {
		http.Error(in.writer, "internal server error", http.StatusInternalServerError)
	}
	return true
}

func (in *input) answer(status int, err error) {
	if !in.failed(err) {
		in.writer.WriteHeader(status)
	}
}

func (in *input) answerJSON(status int, v any, err error) {
	if in.failed(err) {
		return
	}
	b, err := json.Marshal(v)
	if err != nil {
		in.failed(err)
		return
	}
	in.answerBytes(status, "application/json", b, nil)
}

func (in *input) answerBytes(status int, contentType string, b []byte, err error) {
	if in.failed(err) {
		return
	}
	in.writer.Header().Set("Content-Type", contentType)
	in.writer.WriteHeader(status)
	in.writer.Write(b)
}

func toString(s string) (string, error)   { return s, nil }
func toBool(s string) (bool, error)       { return strconv.ParseBool(s) }
func toInt64(s string) (int64, error)     { return strconv.ParseInt(s, 10, 64) }
func toFloat64(s string) (float64, error) { return strconv.ParseFloat(s, 64) }
func toTime(s string) (time.Time, error)  { return time.Parse(time.RFC3339, s) }

func toInt32(s string) (int32, error) {
	v, err := strconv.ParseInt(s, 10, 32)
	return int32(v), err
}

func toFloat32(s string) (float32, error) {
	v, err := strconv.ParseFloat(s, 32)
	return float32(v), err
}
`
