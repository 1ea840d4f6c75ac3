//lint:file-ignore U1000 the generator copies what a package needs

package runtime

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// HandlerOptions say how NewHandler serves. The zero value does for a document without security.
type HandlerOptions struct {
	// Authenticate checks a credential that the document demands, whose Value the request has.
	// It may replace r.Request, by one with another context for instance. An error refuses the
	// credential; an *APIError is the answer, any other one becomes 401. Without Authenticate
	// all operations that demand a credential answer 401.
	Authenticate func(r *Request, c Credential) error

	// Middleware, if it is not nil, is called for each request that has an operation, which
	// RouteOf returns, and so does the Pattern of the request.
	Middleware func(http.Handler) http.Handler

	// OnError, if it is not nil, gets each error that no client sees: what becomes a status of
	// 500, and what goes wrong while an answer is written. It may be called by many goroutines
	// at a time.
	OnError func(r *http.Request, err error)

	// MaxBody is how long the body of a request in JSON or of a form may be; 0 stands for 10 MiB.
	MaxBody int64

	// Lenient makes values count that break their schema, and media types that the document
	// does not have.
	Lenient bool
}

// Request is the one that a method of a service answers, with its operation. The method reads a
// body that is not an argument of it, and the headers, from here.
type Request struct {
	*http.Request
	Route *Route
}

// RequestError says what is wrong with a request. It is answered with its status, as
// application/problem+json (RFC 9457).
type RequestError struct {
	Status  int    `json:"status"`
	In      string `json:"in"` // body, path, query, header or cookie
	Name    string `json:"name,omitempty"`
	Pointer string `json:"pointer,omitempty"` // of the value in the body
	Detail  string `json:"detail"`
}

// Error returns where and what.
func (e *RequestError) Error() string {
	return strings.TrimSpace(e.In+" "+e.Name+e.Pointer) + ": " + e.Detail
}

// input is a request that is read, and then answered.
type input struct {
	*Request
	writer        http.ResponseWriter
	names, values []string // of the path
	queries       url.Values
	err           *RequestError
	options       *HandlerOptions
}

// authorized checks the security of the operation, and answers if it is not fulfilled.
func (in *input) authorized() bool {
	var refused error
	for _, all := range in.Route.Security {
		refused = nil
		for _, c := range all {
			if refused = in.credential(c); refused != nil {
				break
			}
		}
		if refused == nil {
			return true
		}
	}
	if refused == nil {
		return true
	}
	var e *APIError
	if errors.As(refused, &e) {
		in.failed(refused)
		return false
	}
	for _, all := range in.Route.Security {
		for _, c := range all {
			if c.Type != "apiKey" && c.Type != "mutualTLS" {
				name := "Bearer"
				if c.Type == "http" && c.Name != "" {
					name = c.Name
				}
				in.writer.Header().Add("WWW-Authenticate", name)
			}
		}
	}
	in.problem(&RequestError{Status: http.StatusUnauthorized, In: "credential", Detail: refused.Error()})
	return false
}

func (in *input) credential(c Credential) error {
	found := false
	switch {
	case c.Type == "apiKey" && c.In == "query":
		c.Value, found = in.allQueries().Get(c.Name), in.allQueries().Has(c.Name)
	case c.Type == "apiKey" && c.In == "cookie":
		if cookie, err := in.Cookie(c.Name); err == nil {
			c.Value, found = cookie.Value, true
		}
	case c.Type == "apiKey":
		c.Value, found = in.Header.Get(c.Name), in.Header.Get(c.Name) != ""
	case c.Type == "mutualTLS":
		found = in.TLS != nil && len(in.TLS.PeerCertificates) > 0
	default:
		want := "Bearer"
		if c.Type == "http" && c.Name != "" {
			want = c.Name
		}
		scheme, value, ok := strings.Cut(in.Header.Get("Authorization"), " ")
		c.Value, found = strings.TrimSpace(value), ok && strings.EqualFold(scheme, want)
	}
	switch {
	case !found:
		return fmt.Errorf("%s is missing", c.Scheme)
	case in.options.Authenticate == nil:
		in.report(errors.New("the document demands " + c.Scheme + ", and HandlerOptions.Authenticate is nil"))
		return fmt.Errorf("%s cannot be checked", c.Scheme)
	}
	return in.options.Authenticate(in.Request, c)
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

// place is where a parameter stands, and its name.
type place struct{ in, name string }

func convert[T any](in *input, at place, text string, to func(string) (T, error)) T {
	v, err := to(text)
	if err != nil {
		in.fail(http.StatusBadRequest, at.in, at.name, "", "it cannot be "+strconv.Quote(text))
	}
	return v
}

func (in *input) missing(at place) {
	in.fail(http.StatusBadRequest, at.in, at.name, "", "it is missing")
}

func required[T any](in *input, at place, values []string, to func(string) (T, error)) (v T) {
	if len(values) == 0 {
		in.missing(at)
		return v
	}
	return convert(in, at, values[0], to)
}

func optional[T any](in *input, at place, values []string, to func(string) (T, error)) *T {
	if len(values) == 0 {
		return nil
	}
	v := convert(in, at, values[0], to)
	return &v
}

// byDefault is optional for a parameter that has a value in the document.
func byDefault[T any](in *input, at place, values []string, to func(string) (T, error), text string) *T {
	if len(values) == 0 {
		values = []string{text}
	}
	return optional(in, at, values, to)
}

func list[T any](in *input, at place, values []string, to func(string) (T, error)) (all []T) {
	for _, text := range values {
		all = append(all, convert(in, at, text, to))
	}
	return all
}

func requiredList[T any](in *input, at place, values []string, to func(string) (T, error)) []T {
	if len(values) == 0 {
		in.missing(at)
	}
	return list(in, at, values, to)
}

// fits checks a parameter against its schema. One that was not sent fits.
func (in *input) fits(at place, schema string, v any) {
	if in.err != nil || in.options.Lenient {
		return
	}
	b, err := json.Marshal(v)
	if err == nil && !isNull(b) {
		err = valid(schema, json.RawMessage(b))
	}
	if err != nil {
		in.invalid(at, err)
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
func object[T any](in *input, at place, required bool, members map[string][]string, lists []string, texts ...string) (v T) {
	if len(members) == 0 {
		if required {
			in.missing(at)
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
				in.fail(http.StatusBadRequest, at.in, at.name, "", key+" cannot be "+strconv.Quote(value))
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
		in.fail(http.StatusBadRequest, at.in, at.name, "", err.Error())
	}
	return v
}

func optionalObject[T any](in *input, at place, required bool, members map[string][]string, lists []string, texts ...string) *T {
	if len(members) == 0 {
		return nil
	}
	v := object[T](in, at, required, members, lists, texts...)
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

var theBody = place{in: "body"}

// sends checks the media type of the body, which has to be one of the document. A request without
// a type has the first of them.
func (in *input) sends(types ...string) {
	sent := in.Header.Get("Content-Type")
	if sent == "" || in.options.Lenient || in.ContentLength == 0 {
		return
	}
	base, _, err := mime.ParseMediaType(sent)
	if err == nil {
		for _, t := range types {
			want, _, _ := strings.Cut(strings.ToLower(t), ";")
			want = strings.TrimSpace(want)
			if want == base || want == "*/*" || strings.HasSuffix(want, "/*") && strings.HasPrefix(base, want[:len(want)-1]) {
				return
			}
		}
	}
	in.fail(http.StatusUnsupportedMediaType, "header", "Content-Type", "", "it is "+strconv.Quote(sent)+", and must be one of "+strings.Join(types, ", "))
}

// read returns the body, if it is not too long.
func (in *input) read() []byte {
	if in.err != nil {
		return nil
	}
	most := in.options.MaxBody
	if most == 0 {
		most = 10 << 20
	}
	b, err := io.ReadAll(http.MaxBytesReader(in.writer, in.Body, most))
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		in.fail(http.StatusRequestEntityTooLarge, "body", "", "", "it is longer than "+strconv.FormatInt(most, 10)+" bytes")
	case err != nil:
		in.fail(http.StatusBadRequest, "body", "", "", err.Error())
	}
	return b
}

// jsonBody reads the body, checks it against its schema, and makes a T of it.
func jsonBody[T any](in *input, required bool, schema string) (body T) {
	b := in.read()
	if in.err != nil {
		return body
	}
	if len(b) == 0 {
		if required {
			in.missing(theBody)
		}
		return body
	}
	tree, err := one(b)
	if err == nil && !in.options.Lenient {
		err = validTree(schema, tree)
	}
	if err == nil {
		err = json.Unmarshal(b, &body)
	}
	if err != nil {
		in.invalid(theBody, err)
	}
	return body
}

// formBody reads the body as a form, whose members are made a T.
func formBody[T any](in *input, required bool, schema string, lists []string, texts ...string) (body T) {
	values, err := url.ParseQuery(string(in.read()))
	if err != nil {
		in.invalid(theBody, err)
		return body
	}
	body = object[T](in, theBody, required, values, lists, texts...)
	if len(values) > 0 {
		in.fits(theBody, schema, body)
	}
	return body
}

// failed answers if the method has returned an error.
func (in *input) failed(err error) bool {
	if err == nil {
		return false
	}
	var e *APIError
	if !errors.As(err, &e) || e.StatusCode < 200 || e.StatusCode > 999 {
		in.report(err)
		http.Error(in.writer, "internal server error", http.StatusInternalServerError)
		return true
	}
	in.head(e.Header)
	if in.writer.Header().Get("Content-Type") == "" && json.Valid(e.Body) {
		in.writer.Header().Set("Content-Type", "application/json")
	}
	in.writer.WriteHeader(e.StatusCode)
	in.write(e.Body)
	return true
}

func (in *input) head(header http.Header) {
	for key, values := range header {
		in.writer.Header()[http.CanonicalHeaderKey(key)] = values
	}
}

// begin writes the head of an answer, and reports whether its body may follow.
func (in *input) begin(status, usual int, header http.Header, contentType string) bool {
	if status == 0 {
		status = usual
	}
	if status < 200 || status > 999 {
		in.failed(fmt.Errorf("%s answers with the status %d", in.Route.Operation, status))
		return false
	}
	in.head(header)
	if contentType != "" && in.writer.Header().Get("Content-Type") == "" {
		in.writer.Header().Set("Content-Type", contentType)
	}
	in.writer.WriteHeader(status)
	return status != http.StatusNoContent && status != http.StatusNotModified
}

// answerBare answers without a body.
func answerBare[T any](in *input, usual int, a *Answer[T]) {
	if a == nil {
		a = new(Answer[T])
	}
	in.begin(a.Status, usual, a.Header, "")
}

// answerJSON answers with a body in JSON.
func answerJSON[T any](in *input, status, usual int, header http.Header, contentType string, body T) {
	b, err := json.Marshal(body)
	if err != nil {
		in.failed(fmt.Errorf("the answer of %s: %w", in.Route.Operation, err))
		return
	}
	if in.begin(status, usual, header, contentType) {
		in.write(notNull(b, body))
	}
}

// answerStream answers with what a body has, piece by piece, and closes it.
func answerStream(in *input, status, usual int, header http.Header, contentType string, body io.ReadCloser) {
	if body == nil {
		body = http.NoBody
	}
	defer body.Close()
	if !in.begin(status, usual, header, contentType) {
		return
	}
	flush := http.NewResponseController(in.writer)
	buffer := make([]byte, 32<<10)
	for {
		n, err := body.Read(buffer)
		if n > 0 {
			if _, wrong := in.writer.Write(buffer[:n]); wrong != nil {
				in.report(wrong)
				return
			}
			flush.Flush()
		}
		if err == io.EOF {
			return
		}
		if err != nil { // the client must see that the body is not whole
			in.report(err)
			panic(http.ErrAbortHandler)
		}
	}
}

// answerEvents answers with server-sent events.
func answerEvents(in *input, status, usual int, header http.Header, events Events) {
	if !in.begin(status, usual, header, "text/event-stream") || events == nil {
		return
	}
	flush := http.NewResponseController(in.writer)
	flush.Flush()
	line := strings.NewReplacer("\r", "", "\n", "")
	for e, err := range events {
		if err != nil {
			in.report(err)
			panic(http.ErrAbortHandler)
		}
		var b strings.Builder
		if e.ID != "" {
			b.WriteString("id: " + line.Replace(e.ID) + "\n")
		}
		if e.Name != "" {
			b.WriteString("event: " + line.Replace(e.Name) + "\n")
		}
		if e.Retry > 0 {
			b.WriteString("retry: " + strconv.FormatInt(e.Retry.Milliseconds(), 10) + "\n")
		}
		for part := range strings.SplitSeq(strings.ReplaceAll(strings.ReplaceAll(e.Data, "\r\n", "\n"), "\r", "\n"), "\n") {
			b.WriteString("data: " + part + "\n")
		}
		if _, err := io.WriteString(in.writer, b.String()+"\n"); err != nil {
			in.report(err)
			return
		}
		if err := flush.Flush(); err != nil || in.Context().Err() != nil {
			in.report(errors.Join(err, in.Context().Err()))
			return
		}
	}
}

func toString(s string) (string, error)   { return s, nil }
func toBool(s string) (bool, error)       { return strconv.ParseBool(s) }
func toInt64(s string) (int64, error)     { return strconv.ParseInt(s, 10, 64) }
func toUint64(s string) (uint64, error)   { return strconv.ParseUint(s, 10, 64) }
func toFloat64(s string) (float64, error) { return strconv.ParseFloat(s, 64) }
func toTime(s string) (time.Time, error)  { return time.Parse(time.RFC3339, s) }

func toInt32(s string) (int32, error) {
	v, err := strconv.ParseInt(s, 10, 32)
	return int32(v), err
}

func toUint32(s string) (uint32, error) {
	v, err := strconv.ParseUint(s, 10, 32)
	return uint32(v), err
}

func toFloat32(s string) (float32, error) {
	v, err := strconv.ParseFloat(s, 32)
	return float32(v), err
}
