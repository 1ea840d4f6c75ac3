//lint:file-ignore U1000 the generator copies what a package needs

package runtime

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
)

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
