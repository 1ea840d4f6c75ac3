package orderedjson

import (
	"encoding/json"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// Lean is the arm lean: the same bytes as the other arms return, without what
// they do for each object, each key and each scalar. It has no pool. The
// result is the caller's.
func Lean(d *Document) ([]byte, error) {
	out, err := appendOrdered(make([]byte, 0, d.source), d.root, d.values)
	if err != nil {
		return nil, err
	}
	return out, nil
}

func appendOrdered(dst []byte, node *yaml.Node, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...), nil
	case string:
		return appendString(dst, v)
	case bool:
		return strconv.AppendBool(dst, v), nil
	case int:
		return strconv.AppendInt(dst, int64(v), 10), nil
	case map[string]any:
		if node != nil && node.Kind == yaml.MappingNode {
			return appendObject(dst, node, v)
		}
	case []any:
		if node != nil && node.Kind == yaml.SequenceNode {
			return appendArray(dst, node, v)
		}
	}
	return appendJSON(dst, v)
}

// appendObject needs no list of the keys and no index: the tree has the keys
// in order, each beside its child.
func appendObject(dst []byte, node *yaml.Node, values map[string]any) (_ []byte, err error) {
	dst = append(dst, '{')
	written := 0
	member := func(key string, child *yaml.Node, v any) {
		if written > 0 {
			dst = append(dst, ',')
		}
		written++
		if dst, err = appendString(dst, key); err == nil {
			dst, err = appendOrdered(append(dst, ':'), child, v)
		}
	}
	for i := 0; i+1 < len(node.Content) && err == nil; i += 2 {
		key := node.Content[i]
		if v, ok := values[key.Value]; ok && key.Kind == yaml.ScalarNode {
			member(key.Value, node.Content[i+1], v)
		}
	}
	if written < len(values) && err == nil {
		for _, key := range addedKeys(node, values) {
			if member(key, nil, values[key]); err != nil {
				break
			}
		}
	}
	return append(dst, '}'), err
}

// addedKeys returns, sorted, the keys that the source does not have.
func addedKeys(node *yaml.Node, values map[string]any) []string {
	inSource := map[string]bool{}
	for i := 0; i < len(node.Content); i += 2 {
		if key := node.Content[i]; key.Kind == yaml.ScalarNode {
			inSource[key.Value] = true
		}
	}
	var added []string
	for key := range values {
		if !inSource[key] {
			added = append(added, key)
		}
	}
	slices.Sort(added)
	return added
}

func appendArray(dst []byte, node *yaml.Node, values []any) (_ []byte, err error) {
	dst = append(dst, '[')
	for i, v := range values {
		if i > 0 {
			dst = append(dst, ',')
		}
		var child *yaml.Node
		if i < len(node.Content) {
			child = node.Content[i]
		}
		if dst, err = appendOrdered(dst, child, v); err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

// appendString leaves to encoding/json every string in which it might write
// anything but the string itself.
func appendString(dst []byte, s string) ([]byte, error) {
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ', c > '~', c == '"', c == '\\', c == '<', c == '>', c == '&':
			return appendJSON(dst, s)
		}
	}
	dst = append(dst, '"')
	dst = append(dst, s...)
	return append(dst, '"'), nil
}

func appendJSON(dst []byte, v any) ([]byte, error) {
	b, err := json.Marshal(v)
	return append(dst, b...), err
}
