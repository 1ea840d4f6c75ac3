package orderedjsonwalker

import (
	"go.yaml.in/yaml/v3"

	orderedjson "github.com/poolproof/poolproof/studies/ordered-json"
)

// Value is the arm value. It calls handle for each part of the document, in
// the order of the source. The context is a copy, handle's own.
func Value(d *orderedjson.Document, handle func(Kind, Context, *yaml.Node)) {
	walker{handle}.document(d)
}
