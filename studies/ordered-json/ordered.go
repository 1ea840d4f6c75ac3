package orderedjson

import (
	"bytes"
	"encoding/json"
	"slices"

	"go.yaml.in/yaml/v3"
)

// writeOrdered writes v as JSON, with the keys in the order of node: the
// published walk. A value without a node that fits, as one that was added to
// the map, is written as json.Marshal does it.
func writeOrdered(out *bytes.Buffer, node *yaml.Node, v any) error {
	if node != nil {
		switch v := v.(type) {
		case map[string]any:
			if node.Kind == yaml.MappingNode {
				return writeObject(out, node, v)
			}
		case []any:
			if node.Kind == yaml.SequenceNode {
				return writeArray(out, node, v)
			}
		}
	}
	return writeJSON(out, v)
}

// writeObject first brings the keys into order: those of the source as they
// stand there, then, sorted, those that only values has. All that it makes for
// this is made again for each object. That is not what the study is about, and
// it is most of what is allocated; the arm lean does without.
func writeObject(out *bytes.Buffer, node *yaml.Node, values map[string]any) error {
	n := len(node.Content) / 2
	order := make([]string, 0, n)
	inSource := make(map[string]bool, n)
	children := make(map[string]*yaml.Node, n)
	for i := 0; i+1 < len(node.Content); i += 2 {
		if key := node.Content[i]; key.Kind == yaml.ScalarNode {
			order = append(order, key.Value)
			inSource[key.Value] = true
			children[key.Value] = node.Content[i+1]
		}
	}
	present := make([]string, 0, len(values))
	for key := range values {
		present = append(present, key)
	}
	var added []string
	for _, key := range present {
		if !inSource[key] {
			added = append(added, key)
		}
	}
	slices.Sort(added)
	order = append(order, added...)

	out.WriteByte('{')
	first := true
	for _, key := range order {
		v, ok := values[key]
		if !ok {
			continue // removed since the document was read
		}
		if !first {
			out.WriteByte(',')
		}
		first = false
		if err := writeJSON(out, key); err != nil {
			return err
		}
		out.WriteByte(':')
		if err := writeOrdered(out, children[key], v); err != nil {
			return err
		}
	}
	out.WriteByte('}')
	return nil
}

func writeArray(out *bytes.Buffer, node *yaml.Node, values []any) error {
	out.WriteByte('[')
	for i, v := range values {
		if i > 0 {
			out.WriteByte(',')
		}
		var child *yaml.Node
		if i < len(node.Content) {
			child = node.Content[i]
		}
		if err := writeOrdered(out, child, v); err != nil {
			return err
		}
	}
	out.WriteByte(']')
	return nil
}

// writeJSON is called for each key and each scalar. The bytes that
// json.Marshal returns are copied, and are garbage.
func writeJSON(out *bytes.Buffer, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	out.Write(b)
	return nil
}
