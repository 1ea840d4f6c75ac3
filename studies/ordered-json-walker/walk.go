package orderedjsonwalker

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"go.yaml.in/yaml/v3"

	orderedjson "github.com/poolproof/poolproof/studies/ordered-json"
)

// walker goes through a document in the order of its source. visit is where
// the arms differ.
type walker struct {
	visit func(kind Kind, c Context, node *yaml.Node)
}

var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace"}

func (w walker) document(d *orderedjson.Document) {
	c := Context{JSONPath: "$", Ctx: context.Background()}
	for name, node := range members(d.Root()) {
		switch name {
		case "info":
			w.visit(Info, c.under(".info"), node)
		case "paths":
			for path, item := range members(node) {
				w.pathItem(c, path, item)
			}
		case "components":
			c := c.under(".components")
			c.IsComponent = true
			for name, node := range members(node) {
				if name == "schemas" {
					w.schemas(c.under(".schemas"), node)
				}
			}
		}
	}
}

func (w walker) pathItem(c Context, path string, item *yaml.Node) {
	c = c.under(".paths" + key(path))
	c.PathTemplate = path
	w.visit(PathItem, c, item)
	for name, node := range members(item) {
		switch {
		case name == "parameters":
			w.parameters(c, node)
		case slices.Contains(methods, name):
			c := c.under("." + name)
			c.Method = name
			w.operation(c, node)
		}
	}
}

func (w walker) operation(c Context, operation *yaml.Node) {
	w.visit(Operation, c, operation)
	for name, node := range members(operation) {
		switch name {
		case "parameters":
			w.parameters(c, node)
		case "requestBody":
			c := c.under(".requestBody")
			w.visit(RequestBody, c, node)
			w.content(c, node)
		case "responses":
			for status, node := range members(node) {
				c := c.under(".responses" + key(status))
				c.StatusCode = status
				w.visit(Response, c, node)
				w.content(c, node)
			}
		}
	}
}

func (w walker) parameters(c Context, list *yaml.Node) {
	for i, node := range list.Content {
		c := c.under(fmt.Sprintf(".parameters[%d]", i))
		var schema *yaml.Node
		for name, node := range members(node) {
			switch name {
			case "name":
				c.Name = node.Value
			case "schema":
				schema = node
			}
		}
		w.visit(Parameter, c, node)
		if schema != nil {
			w.schema(c.under(".schema"), schema)
		}
	}
}

// content visits the media types of a body or a response, with their schemas.
func (w walker) content(c Context, of *yaml.Node) {
	for name, node := range members(of) {
		if name != "content" {
			continue
		}
		for name, node := range members(node) {
			c := c.under(".content" + key(name))
			c.Name = name
			w.visit(MediaType, c, node)
			for name, node := range members(node) {
				if name == "schema" {
					w.schema(c.under(".schema"), node)
				}
			}
		}
	}
}

// schemas visits schemas that have names.
func (w walker) schemas(c Context, all *yaml.Node) {
	for name, node := range members(all) {
		c := c.under(key(name))
		c.Name = name
		w.schema(c, node)
	}
}

func (w walker) schema(c Context, schema *yaml.Node) {
	w.visit(Schema, c, schema)
	for name, node := range members(schema) {
		switch name {
		case "properties":
			w.schemas(c.under(".properties"), node)
		case "items":
			w.schema(c.under(".items"), node)
		}
	}
}

// members are the keys and values of a mapping, in their order; none of what
// is no mapping.
func members(node *yaml.Node) iter.Seq2[string, *yaml.Node] {
	return func(yield func(string, *yaml.Node) bool) {
		if node.Kind != yaml.MappingNode {
			return
		}
		for i := 0; i+1 < len(node.Content); i += 2 {
			if !yield(node.Content[i].Value, node.Content[i+1]) {
				return
			}
		}
	}
}
