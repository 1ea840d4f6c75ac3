package orderedjsonencoder

// The values of the benchmarks: a server with nothing special, one with an
// extension, and a small document with two operations.

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
}
