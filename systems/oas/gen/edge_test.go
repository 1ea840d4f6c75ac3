package gen_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/poolproof/poolproof/systems/oas"
	"github.com/poolproof/poolproof/systems/oas/gen"
)

// schemas returns a document with these schemas.
func schemas(s string) string {
	return `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{},"components":{"schemas":{` + s + `}}}`
}

func TestWhatTypesBecome(t *testing.T) {
	for _, c := range []struct{ name, schemas, want string }{
		{"a struct", `"A":{"type":"object","required":["x"],"properties":{"x":{"type":"string"},"long_name":{"type":"integer"}}}`,
			"type A struct {\n\tX        string `json:\"x\"`\n\tLongName *int64 `json:\"long_name,omitempty\"`\n\n\t// Extra has"},
		{"an enumeration", `"A":{"type":"string","enum":["a","b c","b-c","a"]}`, "const (\n\tAA  A = \"a\"\n\tABC A = \"b c\"\n\tABC2 A = \"b-c\"\n)"},
		{"an enumeration of one", `"A":{"type":"string","enum":["x"]}`, `const AX A = "x"`},
		{"a required field of its own type", `"A":{"required":["a"],"properties":{"a":{"$ref":"#/components/schemas/A"}}}`, "\tA *A `json:\"a\"`"},
		{"two structs that hold each other", `"A":{"required":["b"],"properties":{"b":{"$ref":"#/components/schemas/B"}}},"B":{"required":["a"],"properties":{"a":{"$ref":"#/components/schemas/A"}}}`, "\tA *A `json:\"a\"`"},
		{"a circle through an alias", `"A":{"required":["b"],"properties":{"b":{"$ref":"#/components/schemas/B"}}},"B":{"$ref":"#/components/schemas/A"}`, "\tB *A `json:\"b\"`"},
		{"an array of itself", `"A":{"type":"array","items":{"$ref":"#/components/schemas/A"}}`, "type A []A"},
		{"a map of itself", `"A":{"type":"object","additionalProperties":{"$ref":"#/components/schemas/A"}}`, "type A map[string]A"},
		{"references in a circle", `"A":{"$ref":"#/components/schemas/B"},"B":{"$ref":"#/components/schemas/A"}`, "type A = any"},
		{"oneOf with itself alone", `"A":{"oneOf":[{"$ref":"#/components/schemas/A"}]}`, "type A = any"},
		{"allOf with itself", `"A":{"allOf":[{"$ref":"#/components/schemas/A"},{"properties":{"x":{"type":"boolean"}}}]}`, "X *bool `json:\"x,omitempty\"`"},
		{"allOf in circles", `"A":{"allOf":[{"$ref":"#/components/schemas/B"},{"$ref":"#/components/schemas/B"}]},"B":{"allOf":[{"$ref":"#/components/schemas/A"},{"$ref":"#/components/schemas/A"}]}`, "type A "},
		{"a reference to nothing", `"A":{"properties":{"x":{"$ref":"#/none"},"y":{"$ref":"other.json"}}}`, "X any `json:\"x,omitempty\"`"},
		{"a reference into a schema", `"A":{"properties":{"in":{"properties":{"x":{"type":"number"}}},"same":{"$ref":"#/components/schemas/A/properties/in"}}}`, "\tIn   *AIn `json:\"in,omitempty\"`\n\tSame *AIn `json:\"same,omitempty\"`"},
		{"oneOf of several", `"A":{"oneOf":[{"type":"string"},{"type":"integer"}]}`, "type A struct{ json.RawMessage }"},
		{"accessors", `"A":{"oneOf":[{"type":"string"},{"$ref":"#/components/schemas/B"}],"discriminator":{"propertyName":"k","mapping":{"b!":"#/components/schemas/B"}}},"B":{"properties":{"k":{"type":"string"}}}`, "func (v A) AsB() (B, error) {\n\treturn as[B](v.RawMessage, \"#/components/schemas/B\")\n}"},
		{"absent and null", `"A":{"properties":{"x":{"type":["string","null"]},"y":{"anyOf":[{"$ref":"#/components/schemas/B"},{"type":"null"}]},"valid":{},"extra":{}}},"B":{"properties":{"x":{}}}`, "X Nullable[string] `json:\"x,omitzero\"` Y Nullable[B] `json:\"y,omitzero\"` Valid2 any `json:\"valid,omitempty\"`"},
		{"no null for a required list", `"A":{"required":["x","y"],"additionalProperties":false,"properties":{"x":{"type":"array","items":{"type":"string"}},"y":{"$ref":"#/components/schemas/B"}}},"B":{"type":"object","additionalProperties":{"type":"integer"}}`, "if v.Y == nil { v.Y = B{} } return json.Marshal(plain(v))"},
		{"large integers", `"A":{"properties":{"x":{"type":"integer","format":"uint64"}}}`, "X *uint64"},
		{"anyOf with null", `"A":{"anyOf":[{"type":"string"},{"type":"null"}]}`, "type A = string"},
		{"allOf of one reference", `"A":{"properties":{"b":{"description":"it","allOf":[{"$ref":"#/components/schemas/B"}]}}},"B":{"properties":{"x":{}}}`, "B *B `json:\"b,omitempty\"`"},
		{"a time keeps its methods", `"A":{"type":"string","format":"date-time"}`, "type A = time.Time"},
		{"keys that no tag can have", "\"A\":{\"properties\":{\"a,b\":{},\"c`d\":{},\"e\\\"f\":{},\"\":{},\"-\":{}}}", "Minus any `json:\"-,omitempty\"`"},
		{"names that are the same", `"a":{"properties":{"x":{}}},"A":{"properties":{"x":{}}},"client":{"type":"string"},"+1":{"type":"string"},"-1":{},"":{},"名":{"properties":{"字":{}}},"ß":{}`, "type A2 struct"},
		{"true and false", `"A":{"properties":{"x":true,"y":{"items":false,"type":"array"}}},"B":true`, "Y []any"},
		{"an optional list with a name", `"A":{"properties":{"x":{"$ref":"#/components/schemas/B"}}},"B":{"type":"array","items":{"type":"string"}}`, "\tX B `json:\"x,omitempty\"`"},
		{"an optional reference to a circle", `"A":{"properties":{"x":{"$ref":"#/components/schemas/B"}}},"B":{"oneOf":[{"$ref":"#/components/schemas/B"}]}`, "\tX B `json:\"x,omitempty\"`"},
		{"a required reference that may be null", `"A":{"required":["x"],"properties":{"x":{"$ref":"#/components/schemas/B","nullable":true}}},"B":{"type":"string"}`, "\tX *B `json:\"x\"`"},
		{"a tuple", `"A":{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":{"type":"boolean"}}`, "type A []any"},
		{"nullable", `"A":{"required":["x","y"],"properties":{"x":{"type":["string","null"]},"y":{"type":"array","nullable":true}}}`, "X *string `json:\"x\"`"},
		{"comments that gofmt would change", `"A":{"description":"# a\n\n- b\n- c\n\n    code\n\n` + strings.Repeat("1. word - # [link]: x ", 30) + "``quoted'' \\ufeff \\u0000 \\r\\n text" + `","properties":{"x":{"description":"* one\n* two\n\t\ttab ''x''"}}}`, "// A: # a - b"},
		{"a comment between fields", `"A":{"properties":{"a":{"type":"string"},"longer_name":{"type":"integer","description":"Text."},"b":{"type":"array","items":{"type":"array","items":{}}}}}`, "\t// Text.\n"},
		{"an empty struct's field", `"A":{"properties":{"a":{"type":"object"},"b":{"type":"object","properties":{}}}}`, "A map[string]any"},
		{"schemas that are something else", `"A":1,"B":[],"C":{"properties":[],"required":{},"enum":1,"allOf":{},"items":3},"D":{"type":1}`, "type C "},
	} {
		t.Run(c.name, func(t *testing.T) {
			files, err := gen.Generate(parse(t, schemas(c.schemas)), gen.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range sound(files) {
				t.Error(w)
			}
			source := string(files["types.go"])
			if !strings.Contains(strings.Join(strings.Fields(source), " "), strings.Join(strings.Fields(c.want), " ")) {
				t.Errorf("%s\nlacks %s", source, c.want)
			}
		})
	}
}

func TestOperationsThatAreOdd(t *testing.T) {
	d := parse(t, `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{
"/":{"get":{}},"/a/{b}":{"get":{"operationId":"do"},"post":{"operationId":"do"},"put":{"operationId":"HTTP"},"delete":{"operationId":"Edit"}},
"/#X=1":{"post":{"operationId":"x1"}},"/#X=2":{"post":{"operationId":"x2"}},"/?a=b":{"get":{"parameters":[{"name":"q","in":"query","schema":{"type":"object"}}]}},
"/{a}{b}":{"get":{"operationId":"two"}},"/{a":{"get":{}},"/x/{a}/{a}":{"get":{"parameters":[{"name":"a","in":"path","schema":{"type":"array","items":{"type":"integer"}}}]}},
"/p/{id}":{"parameters":[{"name":"id","in":"path"},{"$ref":"#/none"},{"name":"id","in":"query","schema":{"type":"string"}},{"name":"not-there","in":"path"}],"get":{"operationId":"twice","parameters":[{"name":"id","in":"path","schema":{"type":"integer"}}]}},
"/b":{"post":{"operationId":"optional","requestBody":{"content":{"application/json":{"schema":{"type":"object","properties":{"x":{}}}}}},"responses":{"default":{"content":{"application/json":{"schema":{"type":"string","format":"date-time"}}}}}},
"put":{"operationId":"any","requestBody":{"content":{"application/problem+json; charset=utf-8":{}}},"responses":{"2XX":{"content":{"*/*":{}}}}}},
"x-a":{},"/c":{"x-b":1,"get":{"responses":{"x-c":1,"205":{"content":{"application/json":{}}}}}}},
"components":{"schemas":{"DoParams":{"type":"string"},"DoParams2":{"type":"string"}}}}`)
	files, err := gen.Generate(d, gen.Options{Package: "odd"})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range sound(files) {
		t.Error(w)
	}
	for _, want := range []string{"Do2(ctx", "HTTP2(ctx", "Edit2(ctx", "type DoParams3 struct", "body *OptionalBody", "(*Answer[time.Time], error)", "body any)"} {
		if !strings.Contains(string(files["server.go"])+string(files["types.go"]), want) {
			t.Errorf("there is no %s", want)
		}
	}
}

// A request says which of the document's media types it has, and so does an
// answer; where the document has only a range of them, the caller says it. Bodies
// and parameters that may be left out can be nil.
func TestRequestsAndAnswersAreThoseOfTheDocument(t *testing.T) {
	for _, c := range []struct{ name, source, client, server string }{
		{"a language in JSON", `"openapi":"3.1.0","paths":{"/":{"post":{"operationId":"do","requestBody":{"required":true,"content":{"text/xml":{},"application/vnd.a.v2+json":{"schema":{"type":"string"}}}},"responses":{"200":{"content":{"text/csv":{},"application/hal+json; v=1":{"schema":{"type":"string"}}}}}}}}`,
			`r.json("application/vnd.a.v2+json", body)`, `answerJSON(in, a.Status, 200, a.Header, "application/hal+json; v=1", a.Body)`},
		{"a range", `"openapi":"3.1.0","paths":{"/":{"put":{"operationId":"do","requestBody":{"content":{"image/*":{}}},"responses":{"200":{"content":{"image/*":{}}}}}}}`,
			"contentType string, body io.Reader) (*Answer[io.ReadCloser], error) {", `answerStream(in, a.Status, 200, a.Header, "application/octet-stream", a.Body)`},
		{"a list of version 2.0", `"swagger":"2.0","consumes":["text/xml","application/a+json"],"produces":["text/xml"],"paths":{"/":{"put":{"operationId":"do","parameters":[{"in":"body","name":"b","required":true,"schema":{"type":"string"}}],"responses":{"200":{"schema":{"type":"string"}}}}}}`,
			`r.json("application/a+json", body)`, `answerStream(in, a.Status, 200, a.Header, "text/xml", a.Body)`},
		{"any type of version 2.0", `"swagger":"2.0","consumes":["*/*"],"paths":{"/":{"put":{"operationId":"do","parameters":[{"in":"body","name":"b","required":true,"schema":{"type":"string"}}],"responses":{"200":{"schema":{"type":"string"}}}}}}`,
			`r.json("application/json", body)`, `answerJSON(in, a.Status, 200, a.Header, "application/json", a.Body)`},
		{"a type without a name", `"openapi":"3.1.0","paths":{"/":{"put":{"operationId":"do","requestBody":{"content":{"":{}}},"responses":{"200":{"content":{"":{}}}}}}}`,
			`r.stream("application/octet-stream", body)`, `answerStream(in, a.Status, 200, a.Header, "application/octet-stream", a.Body)`},
		{"an empty list of version 2.0", `"swagger":"2.0","consumes":["text/xml"],"paths":{"/":{"put":{"operationId":"do","consumes":[],"parameters":[{"in":"body","name":"b","required":true,"schema":{"type":"string"}}],"responses":{"200":{"schema":{"type":"string"}}}}}}`,
			`r.json("application/json", body)`, `answerJSON(in, a.Status, 200, a.Header, "application/json", a.Body)`},
		{"a required body", `"openapi":"3.0.0","paths":{"/":{"put":{"operationId":"do","requestBody":{"required":true,"content":{"application/json":{"schema":{"type":"string"}}}},"responses":{}}}}`,
			"body string) (*Answer[NoBody], error) {\n\tr := newRequest", `jsonBody[string](in, true, "#/paths/~1/put/requestBody/content/application~1json/schema")`},
		{"an optional body", `"openapi":"3.0.0","paths":{"/":{"put":{"operationId":"do","requestBody":{"content":{"application/json":{"schema":{"type":"string"}}}},"responses":{}}}}`,
			"\tif body != nil {\n", `jsonBody[*string](in, false, `},
		{"an optional body that can be nil", `"openapi":"3.0.0","paths":{"/":{"put":{"operationId":"do","requestBody":{"content":{"application/json":{"schema":{"type":"array"}}}},"responses":{}}}}`,
			"\tif body != nil {\n", `jsonBody[[]any](in, false, `},
		{"a required object in the query", `"openapi":"3.0.0","paths":{"/":{"get":{"operationId":"do","parameters":[{"name":"f","in":"query","required":true,"schema":{"type":"object","properties":{"a":{"type":"string"}}}}],"responses":{}}}}`,
			"\tfor _, m := range members(params.F) {\n", `params.F = object[DoF](in, place{"query", "f"}, true, in.apart("a"), nil, "a")`},
		{"a path with a fragment", `"openapi":"3.0.0","paths":{"/a/{id}#b":{"get":{"operationId":"do","parameters":[{"name":"id","in":"path","required":true,"schema":{"type":"string"}},{"name":"q","in":"query","schema":{"type":"string"}}],"responses":{}}}}`,
			`newRequest("GET", "/a/"+segment(params.ID), &Route{`, `h.add(&Route{Operation: "Do", Method: "GET", Path: "/a/{id}#b"}`},
		{"a deep object with a list", `"openapi":"3.0.0","paths":{"/":{"get":{"operationId":"do","parameters":[{"name":"f","in":"query","style":"deepObject","schema":{"type":"object","properties":{"ids":{"type":"array","items":{"type":"integer"}},"name":{"type":"string"}}}}],"responses":{}}}}`,
			`r.query.Add("f["+m.key+"]", m.value)`, `optionalObject[DoF](in, place{"query", "f"}, false, in.deep("f"), []string{"ids"}, "name")`},
	} {
		t.Run(c.name, func(t *testing.T) {
			files, err := gen.Generate(parse(t, "{"+c.source+"}"), gen.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range sound(files) {
				t.Error(w)
			}
			for name, want := range map[string]string{"client.go": c.client, "server.go": c.server} {
				if !strings.Contains(string(files[name]), want) {
					t.Errorf("%s lacks %s", name, want)
				}
			}
		})
	}
}

func TestOptions(t *testing.T) {
	d := pets(t)
	files, err := gen.Generate(d, gen.Options{Parts: gen.Types | gen.Server})
	if err != nil || len(files) != 2 || files["client.go"] != nil || !strings.Contains(string(files["types.go"]), "\npackage api\n") {
		t.Errorf("%d files, error %v", len(files), err)
	}
	for _, bad := range []string{"a b", "1", "func"} {
		if files, err := gen.Generate(d, gen.Options{Package: bad}); err == nil || len(files) != 0 {
			t.Errorf("package %q: %d files", bad, len(files))
		}
	}
	if _, err := gen.Generate(new(oas.Doc), gen.Options{}); err == nil {
		t.Error("an empty document makes code")
	}
	all, err := gen.Generate(d, gen.Options{Package: "x"})
	if err != nil {
		t.Fatal(err)
	}
	for name, appendTo := range map[string]func([]byte, *oas.Doc, gen.Options) ([]byte, error){"types.go": gen.AppendTypes, "client.go": gen.AppendClient, "server.go": gen.AppendServer} {
		got, err := appendTo([]byte("before"), d, gen.Options{Package: "x"})
		if err != nil || string(got) != "before"+string(all[name]) {
			t.Errorf("%s is another one when it is appended; error %v", name, err)
		}
	}
}

// What a run returns must not change by later runs, which use its memory.
func TestManyGoroutinesGenerate(t *testing.T) {
	d, small := pets(t), parse(t, schemas(`"A":{"type":"string"}`))
	want, err := gen.Generate(d, gen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 20 {
				got, err := gen.Generate(d, gen.Options{})
				if err != nil {
					t.Error(err)
					return
				}
				gen.Generate(small, gen.Options{})
				for name := range want {
					if string(got[name]) != string(want[name]) {
						t.Errorf("%s differs", name)
					}
				}
			}
		})
	}
	wg.Wait()
}

// Three schemas that are allOf of the three before them, sixteen times over, are as
// many as they are.
func TestAllOfOfAllOfIsLinear(t *testing.T) {
	var b strings.Builder
	for level := range 40 {
		for i := range 3 {
			fmt.Fprintf(&b, `"S%d_%d":{"type":"object","properties":{"p%d_%d":{"type":"string"}}`, level, i, level, i)
			if level > 0 {
				fmt.Fprintf(&b, `,"allOf":[{"$ref":"#/components/schemas/S%[1]d_0"},{"$ref":"#/components/schemas/S%[1]d_1"},{"$ref":"#/components/schemas/S%[1]d_2"}]`, level-1)
			}
			b.WriteString("},")
		}
	}
	b.WriteString(`"Z":{}`)
	files, err := gen.Generate(parse(t, schemas(b.String())), gen.Options{Parts: gen.Types})
	if err != nil || strings.Count(string(files["types.go"]), "\tP31 ") < 3 {
		t.Errorf("error %v; %d", err, strings.Count(string(files["types.go"]), "\tP31 "))
	}
}

// What would be too much is refused, with its place.
func TestAllOfThatIsTooMuchIsRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it takes seconds")
	}
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, `"S%d":{"allOf":[`, i)
		for j := range 2000 {
			fmt.Fprintf(&b, `{"$ref":"#/components/schemas/S%d"},`, (i*7+j*13)%3000)
		}
		b.WriteString(`{"properties":{"a":{}}}]},`)
	}
	b.WriteString(`"Z":{}`)
	_, err := gen.Generate(parse(t, schemas(b.String())), gen.Options{Parts: gen.Types})
	if err == nil || !strings.Contains(err.Error(), "allOf") || !strings.Contains(err.Error(), "/components/schemas/S") {
		t.Errorf("error %v", err)
	}
}

// Many operations may have one name: the numbers that tell them apart are not looked for
// from 2 on each time.
func TestManyOperationsOfOneName(t *testing.T) {
	const n = 30_000
	var source strings.Builder
	source.WriteString(`{"openapi":"3.0.3","info":{"title":"t","version":"1"},"paths":{`)
	for i := range n {
		if i > 0 {
			source.WriteString(",")
		}
		fmt.Fprintf(&source, `"/p%d":{"get":{"operationId":"same"}}`, i)
	}
	source.WriteString("}}")
	types, err := gen.AppendServer(nil, parse(t, source.String()), gen.Options{})
	if err != nil || !strings.Contains(string(types), fmt.Sprintf("\tSame%d(ctx", n)) || strings.Contains(string(types), fmt.Sprintf("Same%d", n+1)) {
		t.Errorf("error %v, %d bytes", err, len(types))
	}
}
