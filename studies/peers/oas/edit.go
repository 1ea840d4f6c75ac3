package oaspeers

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oasdiff/yaml"
	"github.com/pb33f/libopenapi"
	yamlv3 "go.yaml.in/yaml/v3"

	"github.com/poolproof/poolproof/systems/oas"
)

// Title is the member title of info after the edits.
const Title = "Changed"

// Kept tells how much of the rest of a document an edit leaves as it was.
type Kept int

// Each includes those before it.
const (
	Values Kept = iota // keys may be in another order, and members that are empty or defaults may go
	Order
	Text // comments, quotes and white space too
)

// Edit is one way to change the title of a document in YAML or JSON, which is written in
// the language that it was in.
type Edit struct {
	Name       string
	YAML, JSON Kept
	Do         func(source []byte, inYAML bool) ([]byte, error)
}

// Edits begin with the way of most programs.
var Edits = []Edit{
	{"kin-openapi", Values, Values, func(source []byte, inYAML bool) ([]byte, error) {
		doc, err := openapi3.NewLoader().LoadFromData(source)
		if err != nil {
			return nil, err
		}
		doc.Info.Title = Title
		if inYAML {
			return yaml.Marshal(doc)
		}
		return json.MarshalIndent(doc, "", "  ")
	}},
	{"libopenapi", Order, Values, func(source []byte, inYAML bool) ([]byte, error) {
		doc, err := libopenapi.NewDocument(source)
		if err != nil {
			return nil, err
		}
		model, err := doc.BuildV3Model()
		if err != nil {
			return nil, err
		}
		model.Model.Info.Title = Title
		return doc.Render()
	}},
	{"yaml-node", Order, Order, func(source []byte, _ bool) ([]byte, error) {
		var doc yamlv3.Node
		if err := yamlv3.Unmarshal(source, &doc); err != nil {
			return nil, err
		}
		title := member(member(doc.Content[0], "info"), "title")
		if title == nil {
			return nil, errors.New("no title")
		}
		title.Value = Title
		var out bytes.Buffer
		e := yamlv3.NewEncoder(&out)
		e.SetIndent(2)
		if err := e.Encode(&doc); err != nil {
			return nil, err
		}
		return out.Bytes(), e.Close()
	}},
	{"oas", Text, Text, func(source []byte, _ bool) ([]byte, error) {
		d, err := oas.Parse(source)
		if err != nil {
			return nil, err
		}
		if _, err := d.Root().Get("info").Set("title", Title); err != nil {
			return nil, err
		}
		return d.AppendSource(nil)
	}},
}

// member returns the value of a key in a node of YAML.
func member(n *yamlv3.Node, key string) *yamlv3.Node {
	for i := 0; n != nil && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}
