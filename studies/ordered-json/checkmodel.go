package orderedjson

import (
	"errors"
	"fmt"
)

// check returns what a document lacks, one error for each, as the published
// parser looks for it: with the place of each part at hand as a text, whether it
// is needed or not.
func (m *Model) check() error {
	var all []error
	if m.Info == nil || m.Info.Title == "" || m.Info.Version == "" {
		all = append(all, errors.New("info: a title and a version must be there"))
	}
	ids := make(map[string]string)
	for path, item := range m.Paths {
		if item == nil {
			continue
		}
		for method, o := range item.operations() {
			if o != nil {
				all = append(all, o.check(fmt.Sprintf("paths.%s.%s", path, method), ids)...)
			}
		}
	}
	return errors.Join(all...)
}

// operations returns those of a path item by their methods; nil for one that it
// has not.
func (p *PathItem) operations() map[string]*Operation {
	return map[string]*Operation{
		"get": p.Get, "put": p.Put, "post": p.Post, "delete": p.Delete,
		"options": p.Options, "head": p.Head, "patch": p.Patch, "trace": p.Trace,
	}
}

func (o *Operation) check(place string, ids map[string]string) []error {
	all := make([]error, 0)
	if elder, ok := ids[o.OperationID]; ok && o.OperationID != "" {
		all = append(all, fmt.Errorf("%s: operationId %s is that of %s", place, o.OperationID, elder))
	}
	ids[o.OperationID] = place
	if o.Responses == nil {
		all = append(all, fmt.Errorf("%s: no responses", place))
	}
	for i, p := range o.Parameters {
		place := fmt.Sprintf("%s.parameters[%d]", place, i)
		if p != nil && p.Ref == "" {
			all = append(all, p.check(place)...)
		}
	}
	if body := o.RequestBody; body != nil && body.Ref == "" {
		place := fmt.Sprintf("%s.requestBody", place)
		if len(body.Content) == 0 {
			all = append(all, fmt.Errorf("%s: no media type", place))
		}
	}
	return all
}

func (p *Parameter) check(place string) []error {
	all := make([]error, 0)
	places := map[string]bool{"query": true, "header": true, "path": true, "cookie": true}
	if p.Name == "" || !places[p.In] {
		all = append(all, fmt.Errorf("%s: a parameter needs a name and a place, which is query, header, path or cookie", place))
	}
	if p.In == "path" && !p.Required {
		all = append(all, fmt.Errorf("%s: a parameter of a path must be required", place))
	}
	return all
}
