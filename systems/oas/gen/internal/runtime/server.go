//lint:file-ignore U1000 the generator copies what a package needs

package runtime

import (
	"net/http"
	"strings"
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

	// MaxUpload is how long a body with files may be; 0 stands for 32 MiB. What is longer than
	// MaxBody lies in temporary files until the method has returned.
	MaxUpload int64

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
