package oasgen

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/systems/oas"
)

// Sample is one call of an operation: what is sent, and what is answered.
type Sample struct {
	Operation string                     // its name, as Norm returns it
	Path      []string                   // names of the parameters in the path, in its order
	Params    map[string]json.RawMessage // by the name, as Norm returns it
	Media     string                     // of the body, if it is not JSON
	Body      json.RawMessage            // in JSON; nil if there is none. A file is the object that file returns
	Status    string                     // of the answer
	Answer    json.RawMessage            // in JSON; nil if there is none
}

// Norm returns the letters and digits of a name, in lower case: in that the generators
// agree.
func Norm(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			return r
		}
		return -1
	}, name)
}

// Samples returns a call of each operation that has an operationId, and why the others
// have none.
func Samples(d *oas.Doc) (all []Sample, left []string) {
	for o := range d.Operations() {
		s, why := sampleOf(d, o)
		if why != "" {
			left = append(left, o.ID()+": "+why)
			continue
		}
		all = append(all, s)
	}
	return all, left
}

func resolved(d *oas.Doc, n oas.Node) oas.Node {
	if to, err := d.Resolve(n); err == nil {
		return to
	}
	return n
}

func sampleOf(d *oas.Doc, o oas.Operation) (s Sample, why string) {
	if o.ID() == "" {
		return s, "no operationId"
	}
	s = Sample{Operation: Norm(o.ID()), Params: map[string]json.RawMessage{}}
	for _, name := range o.PathNames() {
		s.Path = append(s.Path, Norm(name))
	}
	m := &maker{d: d}
	seen := map[string]bool{}
	for _, list := range []oas.Node{o.PathItem().Get("parameters"), o.Get("parameters")} {
		for n := range list.All() {
			p := oas.Parameter{Node: resolved(d, n)}
			if !p.Get("schema").Exists() {
				return s, "a parameter with a media type"
			}
			if seen[Norm(p.Name())] && s.Params[Norm(p.Name())] != nil && list != o.PathItem().Get("parameters") && !overrides(d, o, p) {
				return s, "two parameters with one name"
			}
			seen[Norm(p.Name())] = true
			v, ok := m.value(p.Get("schema"), 0)
			if !ok && p.Required() {
				return s, "no value for the parameter " + p.Name()
			}
			if !ok {
				continue
			}
			s.Params[Norm(p.Name())] = text(v)
		}
	}
	if body := resolved(d, o.Get("requestBody")); body.Exists() {
		if why := m.body(&s, body.Get("content")); why != "" {
			return s, why
		}
	}
	for r := range o.Responses() {
		if status := r.Key(); len(status) == 3 && status[0] == '2' {
			n := resolved(d, r.Node)
			s.Status = status
			content := n.Get("content")
			schema := content.Get("application/json").Get("schema")
			switch {
			case content.Len() == 0:
			case !schema.Exists() || content.Len() > 1:
				return s, "an answer that is not only JSON"
			default:
				v, ok := m.value(schema, 0)
				if !ok {
					return s, "no value for the answer"
				}
				if s.Answer = text(v); string(s.Answer) == "{}" {
					return s, "an answer that any type can have"
				}
			}
			return s, ""
		}
	}
	return s, "no answer of success"
}

// body makes the body of a sample: one in JSON, a form, parts, or bytes.
func (m *maker) body(s *Sample, content oas.Node) (why string) {
	if content.Len() != 1 {
		return "a body of several media types"
	}
	media := oas.Node{}
	for media = range content.All() {
	}
	var v any
	ok := false
	switch schema := media.Get("schema"); media.Key() {
	case "application/json":
		v, ok = m.value(schema, 0)
	case "application/x-www-form-urlencoded", "multipart/form-data":
		s.Media = media.Key()
		m.files = s.Media == "multipart/form-data"
		v, ok = m.value(schema, 0)
		m.files = false
		if members, is := v.(map[string]any); !is || len(members) == 0 {
			return "a form without members"
		}
		for name, member := range v.(map[string]any) {
			if list, is := member.([]any); !m.simple(member) && (!is || !m.simple(list[0])) && s.Media != "multipart/form-data" {
				return "a form whose member " + name + " is an object"
			}
		}
	case "application/octet-stream":
		s.Media = media.Key()
		v, ok = m.file(), true
	default:
		return "a body of type " + media.Key()
	}
	if !ok {
		return "no value for the body"
	}
	s.Body = text(v)
	return ""
}

// simple reports whether a form can have v as it is.
func (m *maker) simple(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return false
	}
	return true
}

// file returns a file as the programs that send it know it.
func (m *maker) file() map[string]any {
	m.n++
	return map[string]any{"file": fmt.Sprintf("a file %d.bin", m.n), "text": fmt.Sprintf("\r\n--x\r\nContent-Type: a/b\r\n\x00ü %d", m.n)}
}

// overrides reports whether the path has the same parameter.
func overrides(d *oas.Doc, o oas.Operation, p oas.Parameter) bool {
	for n := range o.PathItem().Get("parameters").All() {
		q := oas.Parameter{Node: resolved(d, n)}
		if q.Name() == p.Name() && q.In() == p.In() {
			return true
		}
	}
	return false
}

func text(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// maker makes values of schemas.
type maker struct {
	d     *oas.Doc
	n     int  // of texts, so that they differ
	files bool // texts of the format binary are files
}

// deepest is how many schemas lie in each other before members that may be left out are.
const deepest = 5

// value returns a value of a schema, or false if it cannot find one.
func (m *maker) value(n oas.Node, depth int) (any, bool) {
	if depth > 2*deepest {
		return nil, false
	}
	s := oas.Schema{Node: resolved(m.d, n)}
	if s.Kind() != oas.Object {
		return nil, false
	}
	for e := range s.Enum() {
		if e.Kind() != oas.Null {
			return json.RawMessage(e.AppendJSON(nil)), true
		}
	}
	for _, key := range []string{"oneOf", "anyOf"} {
		if s.Get(key).Exists() {
			return nil, false // which one it becomes is a matter of the generator
		}
	}
	if s.Get("not").Exists() || s.Get("discriminator").Exists() {
		return nil, false
	}
	if s.Get("allOf").Exists() {
		return m.allOf(s, depth)
	}
	switch s.Type() {
	case "string":
		return m.text(s)
	case "integer", "number":
		return number(s)
	case "boolean":
		return true, true
	case "array":
		return m.array(s, depth)
	case "object":
		return m.object(s, depth)
	}
	if s.Get("properties").Exists() {
		return m.object(s, depth)
	}
	return nil, false
}

func (m *maker) allOf(s oas.Schema, depth int) (any, bool) {
	all := map[string]any{}
	for part := range s.AllOf() {
		v, ok := m.value(part.Node, depth+1)
		members, is := v.(map[string]any)
		if !ok || !is {
			return nil, false
		}
		for k, v := range members {
			all[k] = v
		}
	}
	if s.Get("properties").Exists() {
		v, ok := m.object(s, depth)
		if !ok {
			return nil, false
		}
		for k, v := range v.(map[string]any) {
			all[k] = v
		}
	}
	return all, true
}

func (m *maker) object(s oas.Schema, depth int) (any, bool) {
	all := map[string]any{}
	var required []string
	for r := range s.Get("required").All() {
		if required = append(required, r.Str()); !s.Get("properties").Get(r.Str()).Exists() {
			return nil, false // of which no generator has a field
		}
	}
	for p := range s.Properties() {
		needed := slices.Contains(required, p.Key())
		in := oas.Schema{Node: resolved(m.d, p.Node)}
		if !needed && depth >= deepest || flag(in, "readOnly") || flag(in, "writeOnly") {
			continue
		}
		v, ok := m.value(p.Node, depth+1)
		if !ok && needed {
			return nil, false
		}
		if ok {
			all[p.Key()] = v
		}
	}
	if values, ok := s.AdditionalProperties(); ok && values.Exists() && len(all) == 0 {
		v, ok := m.value(values.Node, depth+1)
		if !ok {
			return nil, false
		}
		all["a key"] = v
	}
	return all, true
}

func flag(n oas.Schema, key string) bool {
	is, _ := n.Get(key).Bool()
	return is
}

func bound(s oas.Schema, key string) (float64, bool) { return s.Get(key).Float() }

func (m *maker) array(s oas.Schema, depth int) (any, bool) {
	n := 2.0
	if least, ok := bound(s, "minItems"); ok {
		n = max(n, least)
	}
	if most, ok := bound(s, "maxItems"); ok {
		n = min(n, most)
	}
	if flag(s, "uniqueItems") {
		n = min(n, 1)
	}
	list := []any{}
	for range int(n) {
		v, ok := m.value(s.Items().Node, depth+1)
		if !ok {
			return nil, false
		}
		list = append(list, v)
	}
	return list, true
}

func number(s oas.Schema) (any, bool) {
	v := 7.0
	if s.Type() == "number" && !strings.HasPrefix(s.Format(), "int") {
		v = 2.5
	}
	least, low := bound(s, "minimum")
	most, high := bound(s, "maximum")
	switch step, ok := bound(s, "multipleOf"); {
	case ok && step > 0:
		v = math.Ceil(max(v, least)/step) * step
	case low && v <= least && high:
		v = math.Floor((least + most) / 2)
	case low && v <= least:
		v = least + 1
	case high && v >= most:
		v = most - 1
	}
	if low && v < least || high && v > most {
		return nil, false
	}
	return v, true
}

// odd are texts that have to be escaped in some place.
var odd = []string{"x y", "a/b?c#d&e=f%20", "ü", "+-~", "\"q\""}

func (m *maker) text(s oas.Schema) (any, bool) {
	m.n++
	switch s.Format() {
	case "date-time":
		return "2020-01-02T03:04:05Z", true
	case "date":
		return "2024-02-29", true
	case "uuid":
		return "5a2c1b60-0f4e-4d0c-9c52-7a1d3a8d1c11", true
	case "uri", "url":
		return "https://example.org/a?b=c", true
	case "email":
		return "a@example.org", true
	case "ipv4", "ip":
		return "192.0.2.1", true
	case "hostname":
		return "example.org", true
	case "byte":
		return base64.StdEncoding.EncodeToString([]byte("\xff\x00 bytes")), true
	case "binary":
		return m.file(), m.files
	case "time", "duration":
		return nil, false
	}
	v := fmt.Sprint(odd[m.n%len(odd)], m.n)
	if least, ok := bound(s, "minLength"); ok {
		for float64(len([]rune(v))) < least {
			v += "x"
		}
	}
	if most, ok := bound(s, "maxLength"); ok && float64(len([]rune(v))) > most {
		v = string([]rune(v)[:int(most)])
	}
	if p := s.Get("pattern").Str(); p != "" {
		re, err := regexp.Compile(p)
		if err != nil {
			return nil, false
		}
		for _, try := range []string{v, "a", "abc", "ABC", "1", "12", "a1", "A-1", "2020-01-01", "#ffffff", "0xff"} {
			if re.MatchString(try) {
				return try, true
			}
		}
		return nil, false
	}
	return v, true
}
