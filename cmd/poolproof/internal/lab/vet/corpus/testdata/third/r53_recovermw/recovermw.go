// Package recovermw is a middleware that answers with an error page where a handler panics, since
// nothing of its answer was sent yet.
package recovermw

import (
	"bytes"
	"log"
	"net/http"
	"runtime/debug"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type answer struct {
	http.ResponseWriter
	code int
	buf  *bytes.Buffer
}

func (a *answer) WriteHeader(code int) {
	if a.code == 0 {
		a.code = code
	}
}

func (a *answer) Write(p []byte) (int, error) {
	if a.buf == nil {
		return 0, http.ErrHandlerTimeout
	}
	a.WriteHeader(http.StatusOK)
	return a.buf.Write(p)
}

func (a *answer) begin(w http.ResponseWriter) {
	a.ResponseWriter = w
	a.buf = bufs.Get().(*bytes.Buffer)
	a.buf.Reset()
}

// end sends the answer and gives the buffer back.
func (a *answer) end() {
	b := a.buf
	a.buf = nil
	defer bufs.Put(b)
	if a.code != 0 {
		a.ResponseWriter.WriteHeader(a.code)
	}
	if _, err := a.ResponseWriter.Write(b.Bytes()); err != nil {
		log.Print(err)
	}
}

// Wrap returns a handler that does what next does.
func Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var a answer
		a.begin(w)
		defer func() {
			if p := recover(); p != nil {
				log.Printf("%s: %v\n%s", r.URL.Path, p, debug.Stack())
				a.code = http.StatusInternalServerError
				a.buf.Reset()
				a.buf.WriteString("internal error\n")
			}
			a.end()
		}()
		next.ServeHTTP(&a, r)
	})
}
