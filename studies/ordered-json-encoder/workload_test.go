package orderedjsonencoder

import (
	"fmt"
	"strings"
)

// The values of the benchmarks: a server with nothing special, one with an
// extension, a small document with two operations, and a document as large as the
// published one.

const (
	wantServer      = `{"url":"https://api.example.com","description":"production"}`
	wantServerExtra = `{"description":"production","url":"https://api.example.com","x-region":"eu"}`
	wantDocument    = `{"openapi":"3.0.3","info":{"title":"Shop","version":"1.0.0"},` +
		`"servers":[{"url":"https://api.example.com","description":"production"}],` +
		`"paths":{"/orders":{"get":{"operationId":"listOrders","summary":"List orders","tags":["orders"],` +
		`"responses":{"200":{"description":"a page of orders"},"default":{"description":"an error"}}},` +
		`"post":{"operationId":"createOrder","summary":"Create an order","tags":["orders"],` +
		`"responses":{"201":{"description":"the new order"},"default":{"description":"an error"}}}}}}`
)

func server[E Encoding]() Server[E] {
	return Server[E]{URL: "https://api.example.com", Description: "production"}
}

func serverExtra[E Encoding]() Server[E] {
	s := server[E]()
	s.Extra = map[string]any{"x-region": "eu"}
	return s
}

func document[E Encoding]() Document[E] {
	failed := Response[E]{Description: "an error"}
	return Document[E]{
		OpenAPI: "3.0.3",
		Info:    Info[E]{Title: "Shop", Version: "1.0.0"},
		Servers: []Server[E]{server[E]()},
		Paths: map[string]PathItem[E]{"/orders": {
			Get: &Operation[E]{
				OperationID: "listOrders", Summary: "List orders", Tags: []string{"orders"},
				Responses: map[string]Response[E]{"200": {Description: "a page of orders"}, "default": failed},
			},
			Post: &Operation[E]{
				OperationID: "createOrder", Summary: "Create an order", Tags: []string{"orders"},
				Responses: map[string]Response[E]{"201": {Description: "the new order"}, "default": failed},
			},
		}},
	}
}

// ofThePublishedSize returns a document for which a call allocates about as much
// as for the published one: 66 allocations of 7,036 bytes.
func ofThePublishedSize[E Encoding]() Document[E] {
	d := document[E]()
	d.Info.Description = strings.Repeat("A shop has orders. ", 62)
	for i := range 2 {
		d.Paths[fmt.Sprintf("/more%d", i)] = PathItem[E]{Get: d.Paths["/orders"].Get}
	}
	return d
}

// marshaller is a value whose MarshalJSON is the operation of a benchmark.
type marshaller interface{ MarshalJSON() ([]byte, error) }

type arm struct {
	name  string
	value marshaller
}

var values = []struct {
	name string
	want string
	arms []arm
}{
	{"server", wantServer, []arm{{"marshal", server[Marshal]()}, {"pool", server[Pool]()}}},
	{"server-extra", wantServerExtra, []arm{{"marshal", serverExtra[Marshal]()}, {"pool", serverExtra[Pool]()}}},
	{"document", wantDocument, []arm{{"marshal", document[Marshal]()}, {"pool", document[Pool]()}}},
	{"published", wantPublished(), []arm{{"marshal", ofThePublishedSize[Marshal]()}, {"pool", ofThePublishedSize[Pool]()}}},
}

// wantPublished puts what the document of the published size has beside the small
// one into the text of that one.
func wantPublished() string {
	const post = `,"post":{`
	get, _, _ := strings.Cut(wantDocument[strings.Index(wantDocument, `{"get"`):], post)
	want := strings.Replace(wantDocument, `"paths":{`, `"paths":{"/more0":`+get+`},"/more1":`+get+`},`, 1)
	return strings.Replace(want, `"version":"1.0.0"`, `"version":"1.0.0","description":"`+strings.Repeat("A shop has orders. ", 62)+`"`, 1)
}
