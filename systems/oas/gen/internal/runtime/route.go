//lint:file-ignore U1000 the generator copies what a package needs

package runtime

import (
	"context"
	"reflect"
)

// Route is an operation of the document.
type Route struct {
	Operation, Method, Path string
	Tags                    []string

	// Security has the alternatives that the document gives: all credentials of one of them are
	// demanded. An alternative without credentials is anonymous.
	Security [][]Credential
}

// Credential is one that a request has to have.
type Credential struct {
	Scheme string // its name in the document
	Type   string // apiKey, http, oauth2, openIdConnect or mutualTLS
	In     string // of an apiKey: header, query or cookie
	Name   string // of the header, the parameter or the cookie; of http its scheme, such as bearer
	Scopes []string

	// Value is the credential of the request, without the word Bearer or Basic.
	Value string
}

type routeKey struct{}

// RouteOf returns the operation that a request is for, by the context of the request, or nil.
func RouteOf(ctx context.Context) *Route {
	route, _ := ctx.Value(routeKey{}).(*Route)
	return route
}

// notNull returns [] or {} for a list or a map that is nil: null would be another type.
func notNull(b []byte, v any) []byte {
	if !isNull(b) || v == nil {
		return b
	}
	r := reflect.ValueOf(v)
	switch {
	case r.Kind() == reflect.Slice && r.Type().Elem().Kind() != reflect.Uint8:
		return []byte("[]")
	case r.Kind() == reflect.Map:
		return []byte("{}")
	}
	return b
}
