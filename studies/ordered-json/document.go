package orderedjson

import (
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// Document is an OpenAPI document, kept twice as in the published design. Its
// methods and all arms only read it: any number of goroutines may use one.
type Document struct {
	root   *yaml.Node     // of the top mapping: the order of the keys
	values map[string]any // the values; a key that only they have comes last
	source int            // length of the source in bytes
}

// Parse reads a document in YAML, of which JSON is a part. The document keeps
// nothing of source. A scalar becomes what YAML says of it: a date without
// quotes, for instance, becomes a time, as in the published design.
func Parse(source []byte) (*Document, error) {
	var tree yaml.Node
	if err := yaml.Unmarshal(source, &tree); err != nil {
		return nil, err
	}
	var decoded any
	if err := tree.Decode(&decoded); err != nil {
		return nil, err
	}
	values, ok := withStringKeys(decoded).(map[string]any)
	if !ok {
		return nil, errors.New("no mapping at the top; an OpenAPI document begins with a key, as openapi: 3.0.3")
	}
	return &Document{root: tree.Content[0], values: values, source: len(source)}, nil
}

// Root returns the mapping at the top of the tree. It is the document's own.
func (d *Document) Root() *yaml.Node { return d.root }

// withStringKeys replaces maps with keys that are not strings: the response
// 200 is the number 200 to YAML, and "200" to OpenAPI.
func withStringKeys(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			v[key] = withStringKeys(value)
		}
	case map[any]any:
		m := make(map[string]any, len(v))
		for key, value := range v {
			m[fmt.Sprint(key)] = withStringKeys(value)
		}
		return m
	case []any:
		for i, value := range v {
			v[i] = withStringKeys(value)
		}
	}
	return v
}
