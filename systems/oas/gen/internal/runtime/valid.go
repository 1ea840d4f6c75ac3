//lint:file-ignore U1000 the generator copies what a package needs

package runtime

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// InvalidError says where a value breaks its schema.
type InvalidError struct {
	Pointer string // JSON pointer of the value; empty for the whole
	Message string
}

// Error returns the pointer and the message.
func (e *InvalidError) Error() string {
	if e.Pointer == "" {
		return e.Message
	}
	return e.Pointer + ": " + e.Message
}

// valid checks a value, as encoding/json writes it, against a schema of the document.
func valid(schema string, v any) error {
	b, ok := v.(json.RawMessage)
	if !ok {
		var err error
		if b, err = json.Marshal(v); err != nil {
			return err
		}
	}
	tree, err := one(b)
	if err != nil {
		return err
	}
	return validTree(schema, tree)
}

// maxSteps is how many schemas are looked at to check one value.
const maxSteps = 1 << 20

func validTree(schema string, tree any) error {
	c := checker{steps: maxSteps}
	err := c.check(map[string]any{"$ref": schema}, tree, "", 0)
	switch {
	case c.steps < 0:
		return &InvalidError{Message: "the value is too large to be checked"}
	case err != nil:
		return err
	}
	return nil
}

// schemas reads the schemas of the document when the first of them is asked for.
var schemas = sync.OnceValue(func() map[string]any {
	all := map[string]any{}
	for i := 0; i+1 < len(schemaTexts); i += 2 {
		if v, err := one([]byte(schemaTexts[i+1])); err == nil {
			all[schemaTexts[i]] = v
		}
	}
	return all
})

// patterns keeps regular expressions. One that Go does not know matches all.
var patterns sync.Map

func compiled(text string) *regexp.Regexp {
	if known, ok := patterns.Load(text); ok {
		return known.(*regexp.Regexp)
	}
	r, err := regexp.Compile(text)
	if err != nil {
		r = regexp.MustCompile("")
	}
	patterns.Store(text, r)
	return r
}

// checker checks one value. Each schema that is looked at is a step.
type checker struct{ steps int }

// check returns what is wrong with v. depth counts the schemas since the last step into v.
func (c *checker) check(schema, v any, at string, depth int) *InvalidError {
	wrong := func(message string) *InvalidError { return &InvalidError{at, message} }
	if c.steps--; c.steps < 0 {
		return wrong("the value is too large to be checked")
	}
	s, ok := schema.(map[string]any)
	if !ok {
		if schema == false {
			return wrong("nothing may stand here")
		}
		return nil
	}
	if ref, ok := s["$ref"].(string); ok && depth < 100 {
		if err := c.check(schemas()[ref], v, at, depth+1); err != nil {
			return err
		}
	}
	if v == nil && s["nullable"] == true {
		return nil
	}
	if message := kind(s, v); message != "" {
		return wrong(message)
	}
	if all, ok := s["enum"].([]any); ok && !among(all, v) {
		return wrong("it is none of the values that it may have")
	}
	if only, ok := s["const"]; ok && !same(only, v) {
		return wrong("it is not the only value that it may have")
	}
	switch v := v.(type) {
	case string:
		if message := textWrong(s, v); message != "" {
			return wrong(message)
		}
	case json.Number:
		if message := numberWrong(s, v); message != "" {
			return wrong(message)
		}
	case []any:
		if err := c.list(s, v, at); err != nil {
			return err
		}
	case map[string]any:
		if err := c.object(s, v, at); err != nil {
			return err
		}
	}
	return c.combined(s, v, at, depth)
}

// combined checks allOf, anyOf, oneOf and not.
func (c *checker) combined(s map[string]any, v any, at string, depth int) *InvalidError {
	if depth >= 100 {
		return nil
	}
	all, _ := s["allOf"].([]any)
	for _, part := range all {
		if err := c.check(part, v, at, depth+1); err != nil {
			return err
		}
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		parts, _ := s[key].([]any)
		fits, first := 0, (*InvalidError)(nil)
		for _, part := range parts {
			err := c.check(part, v, at, depth+1)
			if err == nil {
				if fits++; key == "anyOf" {
					break
				}
			} else if first == nil || len(err.Pointer) > len(first.Pointer) {
				first = err
			}
		}
		switch {
		case len(parts) > 0 && fits == 0:
			return &InvalidError{at, "it fits none of " + key + "; " + first.Error()}
		case key == "oneOf" && fits > 1 && s["discriminator"] == nil:
			return &InvalidError{at, "it fits " + strconv.Itoa(fits) + " of oneOf, and must fit one"}
		}
	}
	if not, ok := s["not"]; ok && c.check(not, v, at, depth+1) == nil {
		return &InvalidError{at, "it is what it must not be"}
	}
	return nil
}

var uuid = regexp.MustCompile("^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$")

func (c *checker) list(s map[string]any, v []any, at string) *InvalidError {
	if message := length(s, len(v), "minItems", "maxItems", "elements"); message != "" {
		return &InvalidError{at, message}
	}
	first, _ := s["prefixItems"].([]any)
	for i, e := range v {
		schema, ok := s["items"]
		if i < len(first) {
			schema, ok = first[i], true
		}
		if ok {
			if err := c.check(schema, e, at+"/"+strconv.Itoa(i), 0); err != nil {
				return err
			}
		}
	}
	if s["uniqueItems"] == true {
		seen := map[string]bool{}
		for i, e := range v {
			b, _ := json.Marshal(exact(e))
			if seen[string(b)] {
				return &InvalidError{at + "/" + strconv.Itoa(i), "an element before it is the same"}
			}
			seen[string(b)] = true
		}
	}
	return nil
}

var token = strings.NewReplacer("~", "~0", "/", "~1")

func (c *checker) object(s map[string]any, v map[string]any, at string) *InvalidError {
	if message := length(s, len(v), "minProperties", "maxProperties", "members"); message != "" {
		return &InvalidError{at, message}
	}
	properties, _ := s["properties"].(map[string]any)
	required, _ := s["required"].([]any)
	for _, r := range required {
		key, ok := r.(string)
		if !ok {
			continue
		}
		if p, _ := properties[key].(map[string]any); p["readOnly"] == true {
			continue
		}
		if _, ok := v[key]; !ok {
			return &InvalidError{at + "/" + token.Replace(key), "it is required"}
		}
	}
	more, _ := s["patternProperties"].(map[string]any)
	for key, e := range v {
		in := at + "/" + token.Replace(key)
		schema, known := properties[key]
		if known {
			if err := c.check(schema, e, in, 0); err != nil {
				return err
			}
		}
		for p, schema := range more {
			if compiled(p).MatchString(key) {
				known = true
				if err := c.check(schema, e, in, 0); err != nil {
					return err
				}
			}
		}
		if schema, ok := s["additionalProperties"]; ok && !known {
			if schema == false {
				return &InvalidError{in, "the object may have no such member"}
			}
			if err := c.check(schema, e, in, 0); err != nil {
				return err
			}
		}
	}
	return nil
}

// isNull reports whether a text is the null of JSON.
func isNull(b []byte) bool {
	return string(bytes.TrimSpace(b)) == "null"
}
