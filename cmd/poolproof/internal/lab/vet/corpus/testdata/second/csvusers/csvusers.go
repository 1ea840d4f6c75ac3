// Package csvusers answers with CSV.
package csvusers

import (
	"bytes"
	"encoding/csv"
	"net/http"
	"strconv"
	"sync"
)

// User is a row.
type User struct{ Name, Mail string }

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Handler answers with all users.
func Handler(all func() []User) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		buf := buffers.Get().(*bytes.Buffer)
		buf.Reset()
		out := csv.NewWriter(buf)
		for _, u := range all() {
			if err := out.Write([]string{u.Name, u.Mail}); err != nil {
				buffers.Put(buf)
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
		}
		out.Flush()
		w.Header().Set("Content-Length", strconv.Itoa(buf.Len()))
		w.Write(buf.Bytes())
		buffers.Put(buf)
	}
}
