// Package answers writes answers, good and bad.
package answers

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func send(w http.ResponseWriter, code int, buf *bytes.Buffer) {
	w.Header().Set("Content-Length", strconv.Itoa(buf.Len()))
	w.WriteHeader(code)
	w.Write(buf.Bytes())
	buf.Reset()
	buffers.Put(buf)
}

// Users answers with the list of users.
func Users(list func() ([]string, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		buf := buffers.Get().(*bytes.Buffer)
		defer buffers.Put(buf) // may "PV002"
		users, err := list()
		if err != nil {
			fmt.Fprintf(buf, "error: %v", err)
			send(w, 500, buf) // want "PV002"
			return
		}
		for _, u := range users {
			fmt.Fprintln(buf, u)
		}
		w.Write(buf.Bytes())
		buf.Reset()
	}
}

// Ping answers with the time.
func Ping(w http.ResponseWriter, _ *http.Request) {
	buf := buffers.Get().(*bytes.Buffer)
	fmt.Fprintln(buf, time.Now())
	send(w, 200, buf)
}
