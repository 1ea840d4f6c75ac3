package orderedjsonwalker

import (
	"context"
	"slices"
)

// state is carried down the walk. Each part that adds to it, and each
// schema, makes a copy, as published. The copies do not leave the stack: the
// functions of the arms and of the user never see one.
type state struct {
	pathTemplate string
	method       string
	statusCode   string
	name         string
	isComponent  bool
	ctx          context.Context
}

func (s *state) clone() *state {
	c := *s
	return &c
}

// at returns the context of the part at a path.
func (s *state) at(path string) Context {
	return Context{
		JSONPath:     path,
		PathTemplate: s.pathTemplate,
		Method:       s.method,
		StatusCode:   s.statusCode,
		Name:         s.name,
		IsComponent:  s.isComponent,
		Ctx:          s.ctx,
	}
}

// sorted returns the keys of a map in their order.
func sorted[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
