package oasgen

import (
	"fmt"

	"github.com/poolproof/poolproof/systems/oas"
)

// Plain takes security out of a document, and the servers, whose paths the generators
// treat differently, and of bodies that may have several media types all but one: which of
// them a generator takes is its own matter. That is JSON, and for the bodies of requests
// with forms a form. Operations without a name get one.
func Plain(d *oas.Doc, forms bool) error {
	root := d.Root()
	remove := func(n oas.Node, key string) error {
		if m := n.Get(key); m.Exists() {
			return m.Delete()
		}
		return nil
	}
	n := 0
	for o := range d.Operations() {
		if n++; o.ID() == "" {
			if _, err := o.Node.Set("operationId", fmt.Sprintf("operation%d", n)); err != nil {
				return err
			}
		}
		if err := remove(o.Node, "security"); err != nil {
			return err
		}
		if forms {
			if err := only("application/x-www-form-urlencoded", resolved(d, o.Get("requestBody"))); err != nil {
				return err
			}
		}
	}
	if err := only("application/json", root); err != nil {
		return err
	}
	for _, key := range []string{"security", "servers"} {
		if err := remove(root, key); err != nil {
			return err
		}
	}
	return remove(root.Get("components"), "securitySchemes")
}

// only takes the other media types out of each content that has one.
func only(media string, n oas.Node) error {
	if content := n.Get("content"); content.Kind() == oas.Object && content.Get(media).Exists() {
		var others []oas.Node
		for m := range content.All() {
			if m.Key() != media {
				others = append(others, m)
			}
		}
		for _, m := range others {
			if err := m.Delete(); err != nil {
				return err
			}
		}
	}
	for m := range n.All() {
		if m.Kind() >= oas.Array {
			if err := only(media, m); err != nil {
				return err
			}
		}
	}
	return nil
}
