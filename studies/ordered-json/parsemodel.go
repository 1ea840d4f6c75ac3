package orderedjson

import (
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// ParseModel reads a document as the published parser does where the order of
// the keys is to be kept: it reads the source three times, into a tree of nodes,
// into a map and into structs, and then looks whether what must be there is.
// [Parse] reads it once and makes the map from the tree, which is what
// marshalling needs.
func ParseModel(source []byte) (*Model, error) {
	m := &Model{document: Document{source: len(source)}}
	var tree yaml.Node
	if err := yaml.Unmarshal(source, &tree); err != nil {
		return nil, err
	}
	if len(tree.Content) == 0 || tree.Content[0].Kind != yaml.MappingNode {
		return nil, errors.New("no mapping at the top; an OpenAPI document begins with a key, as openapi: 3.0.3")
	}
	m.document.root = tree.Content[0]
	if err := yaml.Unmarshal(source, &m.document.values); err != nil {
		return nil, err
	}
	if err := yaml.Unmarshal(source, m); err != nil {
		return nil, err
	}
	return m, m.check()
}

// UnmarshalYAML reads the keys that are not names of the specification. Each
// response is written as YAML and read again from that, as published.
func (r *Responses) UnmarshalYAML(unmarshal func(any) error) error {
	var all map[string]any
	if err := unmarshal(&all); err != nil {
		return err
	}
	r.Codes = make(map[string]*Response)
	for code, value := range all {
		text, err := yaml.Marshal(value)
		if err != nil {
			return fmt.Errorf("response %s: %w", code, err)
		}
		var response Response
		if err := yaml.Unmarshal(text, &response); err != nil {
			return fmt.Errorf("response %s: %w", code, err)
		}
		if code == "default" {
			r.Default = &response
		} else {
			r.Codes[code] = &response
		}
	}
	return nil
}

// UnmarshalYAML reads the fields that may hold a schema, a list of them or a
// boolean: into a map first, and if it was one, into a schema then.
func (s *Schema) UnmarshalYAML(node *yaml.Node) error {
	type plain Schema
	var read plain
	if err := node.Decode(&read); err != nil {
		return err
	}
	*s = Schema(read)
	for _, f := range []struct {
		key   string
		value *any
	}{
		{"items", &s.Items},
		{"additionalProperties", &s.AdditionalProperties},
		{"additionalItems", &s.AdditionalItems},
		{"unevaluatedItems", &s.UnevaluatedItems},
		{"unevaluatedProperties", &s.UnevaluatedProperties},
	} {
		switch (*f.value).(type) {
		case map[string]any:
			one := new(Schema)
			if err := member(node, f.key).Decode(one); err != nil {
				return err
			}
			*f.value = one
		case []any:
			var list []*Schema
			if err := member(node, f.key).Decode(&list); err != nil {
				return err
			}
			*f.value = list
		}
	}
	return nil
}

// UnmarshalYAML reads an operation by itself, as published: there, references
// among its callbacks are taken out before.
func (o *Operation) UnmarshalYAML(node *yaml.Node) error {
	type plain Operation
	var read plain
	if err := node.Decode(&read); err != nil {
		return err
	}
	*o = Operation(read)
	return nil
}

// UnmarshalYAML reads the components by themselves, as it is done for an
// [Operation].
func (c *Components) UnmarshalYAML(node *yaml.Node) error {
	type plain Components
	var read plain
	if err := node.Decode(&read); err != nil {
		return err
	}
	*c = Components(read)
	return nil
}

// member is the value of a key of a mapping, which has it.
func member(mapping *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return mapping.Content[i+1]
		}
	}
	return &yaml.Node{}
}
