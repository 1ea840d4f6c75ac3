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

// serverRuntime is what reads requests and writes answers in each generated
// server, formatted as gofmt does.
const serverRuntime = `// input is a request that is read, and then answered.
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
	return in.allQueries()[name]
}

func (in *input) allQueries() url.Values {
	if in.queries == nil {
		in.queries = in.request.URL.Query()
	}
	return in.queries
}

// querystring returns all of the query as one text.
func (in *input) querystring(string) []string {
	whole, err := url.QueryUnescape(in.request.URL.RawQuery)
	if whole == "" || err != nil {
		return nil
	}
	return []string{whole}
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

// cut returns the values without what they have to begin with.
func cut(values []string, prefix string) (all []string) {
	for _, v := range values {
		if rest, ok := strings.CutPrefix(v, prefix); ok {
			all = append(all, rest)
		}
	}
	return all
}

// deep returns the members of an object that are sent as name[key]=value.
func (in *input) deep(name string) map[string][]string {
	all := map[string][]string{}
	for full, values := range in.allQueries() {
		if key, ok := strings.CutPrefix(full, name+"["); ok && strings.HasSuffix(key, "]") {
			all[strings.TrimSuffix(key, "]")] = values
		}
	}
	return all
}

// apart returns the members of an object that are parameters of the query.
func (in *input) apart(keys ...string) map[string][]string {
	all := map[string][]string{}
	for _, key := range keys {
		if values := in.query(key); len(values) > 0 {
			all[key] = values
		}
	}
	return all
}

// flat returns the members of an object that are one text.
func (in *input) flat(values []string, between, separator string) map[string][]string {
	all := map[string][]string{}
	parts := split(values, separator)
	for i := 0; i < len(parts); i++ {
		key, value, _ := strings.Cut(parts[i], "=")
		if between == separator {
			if key, i = parts[i], i+1; i < len(parts) {
				value = parts[i]
			}
		}
		all[key] = []string{value}
	}
	return all
}

// object reads members into a T as JSON, those that are called texts as strings, and those that are
// called lists as lists; "*" stands for all.
func object[T any](in *input, name string, required bool, members map[string][]string, lists []string, texts ...string) (v T) {
	if len(members) == 0 {
		if required {
			in.fail(name, "it is missing")
		}
		return v
	}
	all := map[string]any{}
	for key, values := range members {
		var parts []any
		for _, value := range values {
			switch {
			case slices.Contains(texts, key) || slices.Contains(texts, "*"):
				parts = append(parts, value)
			case json.Valid([]byte(value)):
				parts = append(parts, json.RawMessage(value))
			default:
				in.fail(name, key+" cannot be "+strconv.Quote(value))
				return v
			}
		}
		all[key] = parts[0]
		if slices.Contains(lists, key) || slices.Contains(lists, "*") {
			all[key] = parts
		}
	}
	b, err := json.Marshal(all)
	if err == nil {
		err = json.Unmarshal(b, &v)
	}
	if err != nil {
		in.fail(name, err.Error())
	}
	return v
}

func optionalObject[T any](in *input, name string, required bool, members map[string][]string, lists []string, texts ...string) *T {
	if len(members) == 0 {
		return nil
	}
	v := object[T](in, name, required, members, lists, texts...)
	return &v
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

func (in *input) answerJSON(status int, contentType string, v any, err error) {
	if in.failed(err) {
		return
	}
	b, err := json.Marshal(v)
	if err != nil {
		in.failed(err)
		return
	}
	in.answerBytes(status, contentType, b, nil)
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
