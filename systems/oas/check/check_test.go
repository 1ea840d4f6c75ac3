package check_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/systems/oas"
	"github.com/poolproof/poolproof/systems/oas/check"
)

func parse(t testing.TB, source string) *oas.Doc {
	t.Helper()
	d, err := oas.Parse([]byte(source))
	if err != nil {
		t.Fatalf("%.200s: %v", source, err)
	}
	return d
}

// with returns a sound document of version 3.1 with one more member at the top
// of the object that is named.
func with(place, member string) string {
	parts := map[string]string{"root": "", "info": "", "paths": "", "op": "", "components": "", "schema": ""}
	parts[place] = "," + member
	return `{"openapi":"3.1.0","info":{"title":"T","version":"1"` + parts["info"] + `},"paths":{"/a/{id}":{"get":{"operationId":"a",
"parameters":[{"name":"id","in":"path","required":true,"schema":{}}],"responses":{"200":{"description":"ok"}}` + parts["op"] + `}}` + parts["paths"] + `},
"components":{"schemas":{"S":{"type":"object"` + parts["schema"] + `}}` + parts["components"] + `}` + parts["root"] + `}`
}

func TestCheck(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"a sound document", with("root", `"x-a":1`), ""},
		{"an array at the top", `[1]`, "the document: neither openapi: 3.x nor swagger: \"2.0\" says the version (version)\nthe document: it is of type array and must be an object (type)"},
		{"no version", `{"info":{"title":"T","version":"1"},"paths":{}}`, "neither openapi"},
		{"an unknown member", with("info", `"titel":"x"`), "/info/titel: an info has no titel (unknown)"},
		{"a member of a later version", with("root", `"$self":"x"`), "/$self: version 3.1 has no $self in a document (version)"},
		{"a member of an earlier one", with("root", `"host":"x"`), "/host: version 3.1 has no host in a document (version)"},
		{"a missing member", strings.Replace(with("", ""), `,"version":"1"`, "", 1), "/info: the info has no version (required)"},
		{"a wrong type", with("info", `"summary":1`), "/info/summary: it is of type number and must be of type string (type)"},
		{"a list that is none", with("root", `"tags":{}`), "/tags: it is of type object and must be of type array (type)"},
		{"a list of something else", with("root", `"tags":["a"]`), "/tags: what it holds is of type string and must be of type object (type)"},
		{"a list of texts with a number", with("op", `"tags":["a",1]`), "/paths/~1a~1{id}/get/tags: what it holds is of type number and must be of type string (type)"},
		{"a scalar for an object", with("components", `"responses":{"R":1}`), "/components/responses: what it holds is of type number and must be of type object (type)"},
		{"a value that is none", with("schema", `"properties":{"a":{"type":"int"}}`), `/components/schemas/S/properties/a/type: "int" is none of array`},
		{"a type in a list", with("schema", `"items":{"type":["string","nil"]}`), `/components/schemas/S/items/type: "nil" is none of array`},
		{"a path without a slash", with("paths", `"b":{}`), "/paths/b: a path must begin with / (path)"},
		{"a status that is none", with("components", `"pathItems":{"P":{"get":{"responses":{"2000":{"description":""}}}}}`), "/2000: the key of a response must be a status"},
		{"a status in letters", with("components", `"pathItems":{"P":{"get":{"responses":{"2xx":{"description":""}}}}}`), "/2xx: the key of a response must be a status"},
		{"a parameter that the path lacks", strings.Replace(with("", ""), `"in":"path","required":true`, `"in":"query"`, 1), "/paths/~1a~1{id}/get: the path has {id}, which no parameter"},
		{"a parameter that may be missing", strings.Replace(with("", ""), `"required":true,`, ``, 1), "must have required: true (required)"},
		{"a parameter without schema", strings.Replace(with("", ""), `,"schema":{}`, ``, 1), "neither schema nor content (required)"},
		{"a parameter twice", strings.Replace(with("", ""), `[{`, `[{"name":"id","in":"path","required":true,"schema":{}},{`, 1), "/parameters/1: another parameter in path has the name id (duplicate)"},
		{"a style that does not fit", strings.Replace(with("", ""), `"schema":{}`, `"schema":{},"style":"form"`, 1), "cannot have the style form (value)"},
		{"example and examples", strings.Replace(with("", ""), `"schema":{}`, `"schema":{},"example":1,"examples":{}`, 1), "example and examples exclude each other (exclusive)"},
		{"an operationId twice", with("paths", `"/b":{"get":{"operationId":"a"}}`), "/paths/~1b/get/operationId: another operation has the operationId a (duplicate)"},
		{"a reference to nothing", with("schema", `"items":{"$ref":"#/components/schemas/T"}`), `/components/schemas/S/items/$ref: $ref "#/components/schemas/T" leads nowhere: /components/schemas has no member "T" (ref)`},
		{"a reference in a circle", with("schema", `"items":{"$ref":"#/components/schemas/S/items"}`), "leads back to itself (ref)"},
		{"a reference to elsewhere", with("schema", `"items":{"$ref":"other.json"}`), ""},
		{"what stands beside a reference in 3.1 is a schema", with("schema", `"items":{"$ref":"#/components/schemas/S","minLength":"x"}`), "/minLength: it is of type string"},
		{"an unknown keyword of a schema is allowed", with("schema", `"foo":1`), ""},
		{"true is a schema", with("schema", `"items":true,"properties":{"a":false}`), ""},
		{"the name of a component", with("components", `"responses":{"a b":{"description":""}}`), "/components/responses/a b: the name of a component is made of"},
		{"a scheme without what it needs", with("components", `"securitySchemes":{"k":{"type":"apiKey","in":"query"}}`), "a security scheme of type apiKey has no name (required)"},
		{"a flow without what it needs", with("components", `"securitySchemes":{"k":{"type":"oauth2","flows":{"password":{"scopes":{}}}}}`), "the flow password has no tokenUrl (required)"},
		{"a scheme of version 2.0 without a flow", `{"swagger":"2.0","info":{"title":"T","version":"1"},"paths":{},"securityDefinitions":{"k":{"type":"oauth2","scopes":{}}}}`, "a security scheme of type oauth2 has no flow (required)"},
		{"schemes without what they need", with("components", `"securitySchemes":{"a":{"type":"http"},"b":{"type":"oauth2"},"c":{"type":"openIdConnect"},"d":{"type":"apiKey","name":"x"}}`),
			"/components/securitySchemes/a: a security scheme of type http has no scheme (required)\n/components/securitySchemes/b: a security scheme of type oauth2 has no flows (required)\n/components/securitySchemes/c: a security scheme of type openIdConnect has no openIdConnectUrl (required)\n/components/securitySchemes/d: a security scheme of type apiKey has no in (required)"},
		{"flows without what they need", with("components", `"securitySchemes":{"k":{"type":"oauth2","flows":{"implicit":{"scopes":{}},"clientCredentials":{"scopes":{}},"authorizationCode":{"scopes":{}}}}}`),
			"/components/securitySchemes/k/flows/implicit: the flow implicit has no authorizationUrl (required)\n/components/securitySchemes/k/flows/clientCredentials: the flow clientCredentials has no tokenUrl (required)\n/components/securitySchemes/k/flows/authorizationCode: the flow authorizationCode has no authorizationUrl (required)\n/components/securitySchemes/k/flows/authorizationCode: the flow authorizationCode has no tokenUrl (required)"},
		{"a flow of version 3.2", `{"openapi":"3.2.0","info":{"title":"T","version":"1"},"paths":{},"components":{"securitySchemes":{"k":{"type":"oauth2","flows":{"deviceAuthorization":{"tokenUrl":"/","scopes":{}}}}}}}`, "the flow deviceAuthorization has no deviceAuthorizationUrl (required)"},
		{"an empty enum", with("root", `"servers":[{"url":"/","variables":{"v":{"default":"a","enum":[]}}}]`), "enum must not be empty (value)"},
		{"a default that enum has not", with("root", `"servers":[{"url":"/","variables":{"v":{"default":"a","enum":["b"]}}}]`), "default is none of the values of enum (value)"},
		{"an extension where there are none", with("root", `"security":[{"x-a":1}]`), "a security requirement has no extensions (unknown)"},
		{"version 3.0 wants paths", `{"openapi":"3.0.0","info":{"title":"T","version":"1"},"components":{}}`, "the document has no paths (required)"},
		{"version 3.1 wants something", `{"openapi":"3.1.0","info":{"title":"T","version":"1"}}`, "none of paths, components, webhooks (required)"},
		{"version 3.0: exclusiveMinimum is a boolean", `{"openapi":"3.0.0","info":{"title":"T","version":"1"},"paths":{},"components":{"schemas":{"S":{"exclusiveMinimum":1}}}}`, "must be of type boolean (type)"},
		{"version 3.0: an array needs items", `{"openapi":"3.0.0","info":{"title":"T","version":"1"},"paths":{},"components":{"schemas":{"S":{"type":"array"}}}}`, "has no items (required)"},
		{"version 3.0: schemas are closed", `{"openapi":"3.0.0","info":{"title":"T","version":"1"},"paths":{},"components":{"schemas":{"S":{"foo":1}}}}`, "a schema has no foo (unknown)"},
		{"problems stand in the order of the document", `{"openapi":"3.1.0","info":{"a":1,"title":"T"},"paths":{"b":1}}`,
			"/info: the info has no version (required)\n/info/a: an info has no a (unknown)\n/paths/b: a path must begin with / (path)"},
		{"version 2.0", `{"swagger":"2.0","info":{"title":"T","version":"1"},"paths":{"/a":{"get":{"parameters":[{"name":"b","in":"body"},{"name":"q","in":"query"}],"responses":{"200":{"description":"","schema":{"type":"string"}}}}}}}`,
			"/paths/~1a/get/parameters/0: a parameter in the body has no schema (required)\n/paths/~1a/get/parameters/1: the parameter has no type (required)"},
		{"version 3.2: an additional operation of a path", `{"openapi":"3.2.0","info":{"title":"T","version":"1"},"paths":{"/a/{b}":{"additionalOperations":{"COPY":{}}}}}`,
			"/paths/~1a~1{b}/additionalOperations/COPY: the path has {b}, which no parameter in the path describes (path)"},
		{"version 3.2: query and head are no additional operations", `{"openapi":"3.2.0","info":{"title":"T","version":"1"},"paths":{"/a":{"additionalOperations":{"QUERY":{},"HEAD":{}}}}}`,
			"/paths/~1a: additionalOperations cannot have HEAD; there is a field for it (exclusive)\n/paths/~1a: additionalOperations cannot have QUERY; there is a field for it (exclusive)"},
		{"no version: what 3.1 knows of a discriminator", `{"info":{"title":"T","version":"1"},"paths":{},"components":{"schemas":{"S":{"discriminator":{}}}}}`,
			"the document: neither openapi: 3.x nor swagger: \"2.0\" says the version (version)\n/components/schemas/S/discriminator: the discriminator has no propertyName (required)"},
		{"version 3.2: querystring stands alone", `{"openapi":"3.2.0","info":{"title":"T","version":"1"},"paths":{"/a":{"parameters":[{"name":"a","in":"query","schema":{}}],"query":{"parameters":[{"name":"q","in":"querystring","content":{"a/b":{}}}]}}}}`,
			"must be the only one of the query (exclusive)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := strings.Replace(strings.Replace(c.source, ",}", "}", -1), ",,", ",", -1)
			d := parse(t, source)
			problems := check.Document(d)
			var got []string
			for _, p := range problems {
				got = append(got, strings.SplitN(p.String(), ": ", 2)[1])
				n, err := d.At(p.Pointer)
				if err != nil {
					t.Errorf("pointer %q: %v", p.Pointer, err)
				}
				if line, col := n.Pos(); line != p.Line || col != p.Col {
					t.Errorf("%s is at %d:%d, not at %d:%d", p.Pointer, line, col, p.Line, p.Col)
				}
			}
			text := strings.Join(got, "\n")
			if c.want == "" && text != "" || !strings.Contains(text, c.want) || len(problems) != strings.Count(c.want, "\n")+min(len(c.want), 1) {
				t.Errorf("got\n%s\nwant\n%s", text, c.want)
			}
			// In YAML the same is wrong, in other places.
			y, err := oas.ParseYAML(d.AppendYAML(nil))
			if err != nil {
				t.Fatal(err)
			}
			if inYAML := check.Document(y); len(inYAML) != len(problems) {
				t.Errorf("%d problems in YAML: %v", len(inYAML), inYAML)
			} else {
				for i, p := range inYAML {
					if p.Pointer != problems[i].Pointer || p.Msg != problems[i].Msg || p.Line == 0 {
						t.Errorf("in YAML: %v, want %v", p, problems[i])
					}
				}
			}
		})
	}
}

func TestCheckOfAnEmptyDocument(t *testing.T) {
	if p := check.Document(new(oas.Doc)); len(p) != 1 {
		t.Errorf("%v", p)
	}
}

func TestCheckFindsTheLinesOfManyProblems(t *testing.T) {
	var b strings.Builder
	b.WriteString("{\"openapi\": \"3.0.0\", \"info\": {\"title\": \"é\", \"version\": \"1\",\n")
	for i := range 500 {
		fmt.Fprintf(&b, "  \"é%d\": %d,\n", i, i)
	}
	b.WriteString("  \"x-a\": 1}, \"paths\": {}}")
	problems := check.Document(parse(t, b.String()))
	if len(problems) != 500 {
		t.Fatalf("%d problems", len(problems))
	}
	for i, p := range problems {
		if p.Line != i+2 || p.Col != 8+len(fmt.Sprint(i)) {
			t.Fatalf("problem %d is at %d:%d", i, p.Line, p.Col)
		}
	}
}
