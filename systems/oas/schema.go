package oas

import "iter"

// Schema is a view of a schema. Since version 3.1 a schema can be true or false,
// for which all methods return zero values.
type Schema struct{ Node }

// Type returns the type of s: the first one that is not "null" if s has several,
// and "" if s says none.
func (s Schema) Type() string {
	t := s.Get("type")
	if t.Kind() == Array {
		for one := range t.All() {
			if !one.Is("null") {
				return one.Str()
			}
		}
	}
	return t.Str()
}

// Nullable reports whether null is allowed: by the member nullable, or as one of
// the types.
func (s Schema) Nullable() bool {
	if v, _ := s.Get("nullable").Bool(); v {
		return true
	}
	t := s.Get("type")
	for one := range t.All() {
		if one.Is("null") {
			return true
		}
	}
	return t.Is("null")
}

// Format returns the format, such as "date-time".
func (s Schema) Format() string { return s.Get("format").Str() }

// Title returns the title of s.
func (s Schema) Title() string { return s.Get("title").Str() }

// Description returns the text that describes s, in CommonMark.
func (s Schema) Description() string { return s.Get("description").Str() }

// Properties yields the schemas of the properties; the name is the key of each.
func (s Schema) Properties() iter.Seq[Schema] { return each[Schema](s.Get("properties")) }

// Requires reports whether an object must have the property.
func (s Schema) Requires(property string) bool {
	for n := range s.Get("required").All() {
		if n.Is(property) {
			return true
		}
	}
	return false
}

// Items returns the schema of the elements of an array.
func (s Schema) Items() Schema { return Schema{s.Get("items")} }

// AdditionalProperties returns the schema of the properties that have none of
// their own, and whether there may be any. Without the member any are allowed.
func (s Schema) AdditionalProperties() (schema Schema, allowed bool) {
	n := s.Get("additionalProperties")
	if v, ok := n.Bool(); ok && !v {
		return Schema{}, false
	}
	if n.Kind() != Object {
		return Schema{}, true
	}
	return Schema{n}, true
}

// Enum yields the values that are allowed, if only some are.
func (s Schema) Enum() iter.Seq[Node] { return s.Get("enum").All() }

// AllOf yields the schemas of allOf. A value must match all of them.
func (s Schema) AllOf() iter.Seq[Schema] { return each[Schema](s.Get("allOf")) }

// OneOf yields the schemas of oneOf. A value must match exactly one of them.
func (s Schema) OneOf() iter.Seq[Schema] { return each[Schema](s.Get("oneOf")) }

// AnyOf yields the schemas of anyOf. A value must match at least one of them.
func (s Schema) AnyOf() iter.Seq[Schema] { return each[Schema](s.Get("anyOf")) }
