// Package statuswriter logs the status of answers.
package statuswriter

import (
	"log"
	"net/http"
	"sync"
)

type writer struct {
	http.ResponseWriter
	status, n int
}

func (w *writer) WriteHeader(code int) { w.status = code; w.ResponseWriter.WriteHeader(code) }

func (w *writer) Write(p []byte) (int, error) {
	n, err := w.ResponseWriter.Write(p)
	w.n += n
	return n, err
}

var writers = sync.Pool{New: func() any { return new(writer) }}

// Handler logs what next answers.
func Handler(next http.Handler, logger *log.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sw := writers.Get().(*writer)
		sw.ResponseWriter, sw.status, sw.n = w, http.StatusOK, 0
		next.ServeHTTP(sw, r)
		status, n := sw.status, sw.n
		sw.ResponseWriter = nil
		writers.Put(sw)
		logger.Printf("%s %s %d %d", r.Method, r.URL.Path, status, n)
	})
}
