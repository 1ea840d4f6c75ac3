// Package loginreq decodes logins.
package loginreq

import (
	"encoding/json"
	"net/http"
	"sync"
)

type login struct {
	User     string `json:"user"`
	Password string `json:"password"`
	Admin    bool   `json:"admin"`
}

var logins = sync.Pool{New: func() any { return new(login) }}

// Handler calls check for each login.
func Handler(check func(user, password string) bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		l := logins.Get().(*login)
		defer func() {
			*l = login{}
			logins.Put(l)
		}()
		if err := json.NewDecoder(r.Body).Decode(l); err != nil {
			http.Error(w, "bad request", http.StatusBadRequest)
			return
		}
		if !check(l.User, l.Password) {
			w.WriteHeader(http.StatusUnauthorized)
		}
	}
}
