//lint:file-ignore U1000 the generator copies what a package needs

package runtime

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
)

// input is a request that is read, and then answered.
type input struct {
	*Request
	writer        http.ResponseWriter
	names, values []string // of the path
	queries       url.Values
	err           *RequestError
	options       *HandlerOptions
	open          []io.Closer // files of the body
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
	return in.allQueries()[name]
}

func (in *input) allQueries() url.Values {
	if in.queries == nil {
		in.queries = in.URL.Query()
	}
	return in.queries
}

// querystring returns all of the query as one text.
func (in *input) querystring(string) []string {
	whole, err := url.QueryUnescape(in.URL.RawQuery)
	if whole == "" || err != nil {
		return nil
	}
	return []string{whole}
}

func (in *input) header(name string) []string {
	return in.Header.Values(name)
}

func (in *input) cookie(name string) []string {
	c, err := in.Cookie(name)
	if err != nil {
		return nil
	}
	if plain, err := url.PathUnescape(c.Value); err == nil {
		return []string{plain}
	}
	return []string{c.Value}
}

// fail notes what is wrong with the request; the first thing counts.
func (in *input) fail(status int, where, name, pointer, detail string) {
	if in.err == nil {
		in.err = &RequestError{status, where, name, pointer, detail}
	}
}

// refused answers if something is wrong with the request.
func (in *input) refused() bool {
	if in.err != nil {
		in.problem(in.err)
	}
	return in.err != nil
}

func (in *input) problem(e *RequestError) {
	b, err := json.Marshal(e)
	if err != nil {
		in.report(err)
	}
	in.writer.Header().Set("Content-Type", "application/problem+json")
	in.writer.WriteHeader(e.Status)
	in.write(b)
}

// report tells of an error that no client sees.
func (in *input) report(err error) {
	if in.options.OnError != nil {
		in.options.OnError(in.Request.Request, err)
	}
}

func (in *input) write(b []byte) {
	if _, err := in.writer.Write(b); err != nil {
		in.report(err)
	}
}

func (in *input) invalid(at place, err error) {
	var e *InvalidError
	if errors.As(err, &e) {
		in.fail(http.StatusBadRequest, at.in, at.name, e.Pointer, e.Message)
	} else {
		in.fail(http.StatusBadRequest, at.in, at.name, "", err.Error())
	}
}
