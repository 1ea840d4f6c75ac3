package collector

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"net/http"
	"strings"
)

var errToken = errors.New("the request has no Authorization header with the right bearer token")

// allowed reports whether the request has the token. The time that it takes says
// nothing of the token.
func (c *Collector) allowed(r *http.Request) bool {
	if c.o.Token == "" {
		return true
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	got, want := sha256.Sum256([]byte(strings.TrimSpace(token))), sha256.Sum256([]byte(c.o.Token))
	return subtle.ConstantTimeCompare(got[:], want[:]) == 1 && strings.EqualFold(scheme, "bearer")
}
