//lint:file-ignore U1000 the generator copies what a package needs

package runtime

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// router finds the handler of a path. Of several templates that match, it takes the one whose
// first segment that differs is the more literal one.
type router struct {
	static   map[string]*router // by a segment without parameters
	patterns []pattern          // of segments with parameters, those with more literal text first
	handlers map[string]handler // by method, of the path that ends here
	options  *HandlerOptions    // of the first one
}

type handler struct {
	names []string // of the parameters in the path, in their order
	route *Route
	run   func(*input)
}

// pattern is a segment with parameters: literals stand around them.
type pattern struct {
	literals []string
	next     *router
}

func (p *pattern) literal() int {
	return len(strings.Join(p.literals, ""))
}

// add makes run the handler of an operation. The first one of the same path and method counts.
func (h *router) add(route *Route, run func(*input)) {
	path, _, _ := strings.Cut(route.Path, "?")
	path, _, _ = strings.Cut(path, "#")
	var names []string
	for _, segment := range strings.Split(strings.TrimPrefix(path, "/"), "/") {
		literals := []string{""}
		for segment != "" {
			before, after, open := strings.Cut(segment, "{")
			if plain, err := url.PathUnescape(before); err == nil {
				before = plain
			}
			name, rest, closed := strings.Cut(after, "}")
			if !open || !closed {
				if plain, err := url.PathUnescape(segment); err == nil {
					segment = plain
				}
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
	if _, taken := h.handlers[route.Method]; !taken {
		h.handlers[route.Method] = handler{names, route, run}
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
			end = strings.Index(segment[min(1, len(segment)):], literal) + 1
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
	r = r.WithContext(context.WithValue(r.Context(), routeKey{}, chosen.route))
	r.Pattern = chosen.route.Method + " " + chosen.route.Path
	for i, name := range chosen.names {
		r.SetPathValue(name, values[i])
	}
	var run http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		in := &input{Request: &Request{r, chosen.route}, writer: w, names: chosen.names, values: values, options: h.options}
		if in.authorized() {
			chosen.run(in)
		}
	})
	if h.options.Middleware != nil {
		run = h.options.Middleware(run)
	}
	run.ServeHTTP(w, r)
}
