package oas_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/poolproof/poolproof/systems/oas"
)

func TestWalkGoesThroughAllInOrderAndKnowsThePointer(t *testing.T) {
	for _, source := range append(texts, string(read(t, "testdata/pets.yaml")), `{"a/b":{"m~n":[{"\u0022":[[0]]},1]},"":{"":2}}`) {
		d := parse(t, source)
		want := nodes(d)
		for _, every := range []int{1, 3} { // a pointer that is asked for now and then is the same
			var got []oas.Node
			d.Walk(func(c *oas.Cursor) oas.Action {
				got = append(got, c.Node())
				if len(got)%every > 0 {
					return oas.Continue
				}
				if p := c.Pointer(); p != c.Node().Pointer() || string(c.AppendPointer([]byte("x"))) != "x"+p {
					t.Errorf("pointer %q of %q", p, c.Node().Pointer())
				}
				if c.Parent() != c.Node().Parent() || c.Depth() == 0 != (c.Node() == d.Root()) {
					t.Errorf("%q: parent %q, depth %d", c.Pointer(), c.Parent().Pointer(), c.Depth())
				}
				return oas.Continue
			})
			if !slices.Equal(got, want) {
				t.Errorf("%.100s: %d nodes, want %d", source, len(got), len(want))
			}
		}
	}
	new(oas.Doc).Walk(func(*oas.Cursor) oas.Action { t.Error("called for an empty document"); return oas.Stop })
}

func TestSkipAndStop(t *testing.T) {
	d := parse(t, `{"a":{"b":1,"c":[2,3]},"d":{"e":4},"f":5}`)
	for _, c := range []struct {
		name string
		act  map[string]oas.Action
		want string
	}{
		{"Skip leaves out what is in it", map[string]oas.Action{"/a": oas.Skip}, " /a /d /d/e /f"},
		{"Skip of a scalar", map[string]oas.Action{"/a/b": oas.Skip, "/a/c": oas.Skip, "/f": oas.Skip}, " /a /a/b /a/c /d /d/e /f"},
		{"Stop ends it", map[string]oas.Action{"/a/c/0": oas.Stop}, " /a /a/b /a/c /a/c/0"},
		{"Skip of the root", map[string]oas.Action{"": oas.Skip}, ""},
	} {
		var got []string
		d.Walk(func(at *oas.Cursor) oas.Action {
			got = append(got, at.Pointer())
			return c.act[at.Pointer()]
		})
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", c.name, strings.Join(got, " "), c.want)
		}
	}
}

func TestEditsDuringAWalk(t *testing.T) {
	d := parse(t, `{"a":1,"b":{"x":1},"c":[1,2,3],"d":4}`)
	var seen []string
	d.Walk(func(c *oas.Cursor) oas.Action {
		seen = append(seen, c.Pointer())
		n := c.Node()
		switch n.Key() {
		case "a":
			n.Replace("A")
		case "b":
			n.Set("y", 2)
			n.Get("x").Delete()
		case "c":
			n.Delete()
			return oas.Skip
		}
		return oas.Continue
	})
	if got := strings.Join(seen, " "); got != " /a /b /b/y /c /d" {
		t.Errorf("seen %q", got)
	}
	if got := string(d.JSON()); got != `{"a":"A","b":{"y":2},"d":4}` {
		t.Errorf("%s", got)
	}
}

func TestTheKindsOfObjects(t *testing.T) {
	d := parse(t, string(read(t, "testdata/pets.yaml")))
	want := map[string]oas.ObjectKind{
		"":                                      oas.DocumentObject,
		"/info":                                 oas.InfoObject,
		"/servers":                              oas.Free,
		"/servers/0":                            oas.ServerObject,
		"/paths":                                oas.PathsObject,
		"/paths/~1pets":                         oas.PathItemObject,
		"/paths/~1pets/parameters/0":            oas.ParameterObject,
		"/paths/~1pets/get":                     oas.OperationObject,
		"/paths/~1pets/get/tags":                oas.Free,
		"/paths/~1pets/get/parameters/1":        oas.ParameterObject,
		"/paths/~1pets/get/parameters/0/schema": oas.SchemaObject,
		"/paths/~1pets/get/parameters/1/schema/items":                     oas.SchemaObject,
		"/paths/~1pets/get/responses":                                     oas.ResponsesObject,
		"/paths/~1pets/get/responses/200":                                 oas.ResponseObject,
		"/paths/~1pets/get/responses/default":                             oas.ResponseObject,
		"/paths/~1pets/get/responses/200/content":                         oas.Free,
		"/paths/~1pets/get/responses/200/content/application~1json":       oas.MediaTypeObject,
		"/paths/~1pets/post/requestBody":                                  oas.RequestBodyObject,
		"/paths/~1pets/post/callbacks":                                    oas.Free,
		"/paths/~1pets/post/callbacks/onSold":                             oas.CallbackObject,
		"/paths/~1pets/post/callbacks/onSold/{$request.body#~1hook}":      oas.PathItemObject,
		"/paths/~1pets/post/callbacks/onSold/{$request.body#~1hook}/post": oas.OperationObject,
		"/paths/~1pets~1{petId}/get/security/0":                           oas.SecurityRequirementObject,
		"/components":                                                     oas.ComponentsObject,
		"/components/schemas":                                             oas.Free,
		"/components/schemas/Pet":                                         oas.SchemaObject,
		"/components/schemas/Pet/properties/owner/properties/email":       oas.SchemaObject,
		"/components/schemas/Pet/properties":                              oas.Free,
		"/components/securitySchemes/key":                                 oas.SecuritySchemeObject,
	}
	found := 0
	d.Walk(func(c *oas.Cursor) oas.Action {
		if kind, ok := want[c.Pointer()]; ok {
			found++
			if c.ObjectKind() != kind || !c.Is(kind) {
				t.Errorf("%s is of kind %v, want %v", c.Pointer(), c.ObjectKind(), kind)
			}
		}
		if c.Node().Kind() < oas.Array && c.ObjectKind() != oas.Free {
			t.Errorf("%s, a scalar, is of kind %v", c.Pointer(), c.ObjectKind())
		}
		return oas.Continue
	})
	if found != len(want) {
		t.Errorf("%d of %d found", found, len(want))
	}
}

// What is in an example or an extension is no object of the specification, even
// if it looks like one.
func TestFreeValuesHaveNoKind(t *testing.T) {
	d := parse(t, `{"openapi":"3.1.0","x-a":{"info":{},"paths":{"/a":{"get":{}}}},"components":{"schemas":{"S":{"example":{"properties":{"a":{}}},"default":{"items":{}},
		"enum":[{"items":{}}],"x-y":{"items":{}},"properties":{"x-z":{"items":{}},"example":{"type":"string"}}}},"x-b":{"S":{"type":"object"}}}}`)
	var got []string
	d.Visit(oas.Handlers{Enter: func(c *oas.Cursor) oas.Action {
		got = append(got, c.Pointer()+"="+c.ObjectKind().String())
		return oas.Continue
	}})
	want := "=document /components=components /components/schemas/S=schema /components/schemas/S/properties/x-z=schema " +
		"/components/schemas/S/properties/x-z/items=schema /components/schemas/S/properties/example=schema"
	if strings.Join(got, " ") != want {
		t.Errorf("%q,\nwant %q", strings.Join(got, " "), want)
	}
}

func TestKindsFollowTheVersion(t *testing.T) {
	const swagger = `{"swagger":"2.0","definitions":{"A":{"items":{}}},"parameters":{"P":{"items":{"type":"string"}}},"responses":{"R":{"schema":{}}},
		"components":{"schemas":{"B":{}}},"paths":{"/a":{"get":{"responses":{"200":{"schema":{}}}}}}}`
	count := map[oas.ObjectKind]int{}
	parse(t, swagger).Visit(oas.Handlers{Enter: func(c *oas.Cursor) oas.Action { count[c.ObjectKind()]++; return oas.Continue }})
	if count[oas.SchemaObject] != 5 || count[oas.ItemsObject] != 1 || count[oas.ParameterObject] != 1 || count[oas.ResponseObject] != 2 {
		t.Errorf("%v", count)
	}
	for text, version := range map[string]oas.Version{
		`{"swagger":"2.0"}`: oas.V20, `{"swagger":2.0}`: oas.V20, `{"openapi":"3.0.4"}`: oas.V30, `{"openapi":"3.1"}`: oas.V31, `{"openapi":"3.2.0-x"}`: oas.V32,
		`{"openapi":"3.10.0"}`: oas.Unknown, `{"openapi":"4"}`: oas.Unknown, `{"swagger":"1.2"}`: oas.Unknown, `{}`: oas.Unknown, `[]`: oas.Unknown, `{"openapi":3.1}`: oas.Unknown,
	} {
		if d := parse(t, text); d.Version() != version {
			t.Errorf("%s: version %v, want %v", text, d.Version(), version)
		}
	}
}

func TestTypedHandlers(t *testing.T) {
	d := parse(t, string(read(t, "testdata/pets.yaml")))
	var log []string
	depth := 0
	note := func(c *oas.Cursor, name string) oas.Action {
		log = append(log, fmt.Sprintf("%s %s %s %s %s", name, c.Path(), c.Method(), c.Status(), c.Name()))
		return oas.Continue
	}
	d.Visit(oas.Handlers{
		Enter: func(c *oas.Cursor) oas.Action {
			depth++
			if c.Is(oas.SchemaObject) && c.Ancestor(oas.ComponentsObject).Exists() {
				depth--
				return oas.Skip
			}
			return oas.Continue
		},
		Leave:    func(c *oas.Cursor) { depth-- },
		PathItem: func(c *oas.Cursor, p oas.PathItem) oas.Action { return note(c, "path "+p.Key()) },
		Operation: func(c *oas.Cursor, o oas.Operation) oas.Action {
			return note(c, "operation "+o.ID()+" "+o.Method()+" "+o.Path())
		},
		Parameter:      func(c *oas.Cursor, p oas.Parameter) oas.Action { return note(c, "parameter "+p.Name()+" "+p.In()) },
		RequestBody:    func(c *oas.Cursor, b oas.RequestBody) oas.Action { return note(c, fmt.Sprint("body ", b.Required())) },
		Response:       func(c *oas.Cursor, r oas.Response) oas.Action { return note(c, "response "+r.Description()) },
		MediaType:      func(c *oas.Cursor, m oas.MediaType) oas.Action { return note(c, "media "+m.Key()) },
		Schema:         func(c *oas.Cursor, s oas.Schema) oas.Action { return note(c, "schema "+s.Type()) },
		SecurityScheme: func(c *oas.Cursor, s oas.SecurityScheme) oas.Action { return note(c, "scheme "+s.Type()) },
		Server:         func(c *oas.Cursor, s oas.Server) oas.Action { return note(c, "server "+s.URL()) },
	})
	if depth != 0 {
		t.Errorf("%d objects were entered and not left", depth)
	}
	want := []string{
		"server https://pets.example.com/v1    ",
		"path /pets /pets   ",
		"parameter   /pets   ",
		"operation listPets GET /pets /pets get  ",
		"parameter limit query /pets get  ",
		"schema integer /pets get  ",
		"parameter kind query /pets get  ",
		"schema array /pets get  ",
		"schema  /pets get  ",
		"response A page of pets. /pets get 200 ",
		"media application/json /pets get 200 application/json",
		"schema array /pets get 200 application/json",
		"schema  /pets get 200 application/json",
		"response  /pets get default ",
		"operation createPet POST /pets /pets post  ",
		"body true /pets post  ",
		"media application/json /pets post  application/json",
	}
	if got := log[:len(want)]; !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if last := log[len(log)-1]; last != "scheme apiKey    key" {
		t.Errorf("the last is %q", last)
	}
	calls := 0
	d.Visit(oas.Handlers{Operation: func(c *oas.Cursor, o oas.Operation) oas.Action { calls++; return oas.Stop }})
	if calls != 1 {
		t.Errorf("%d calls after Stop", calls)
	}
}

func TestFollowCrossesReferences(t *testing.T) {
	d := parse(t, `{"openapi":"3.1.0","paths":{"/a":{"get":{"responses":{"200":{"$ref":"#/components/responses/R"},"404":{"$ref":"#/components/responses/R"}}}}},
		"components":{"responses":{"R":{"content":{"t":{"schema":{"$ref":"#/components/schemas/Tree"}}}}},
		"schemas":{"Tree":{"properties":{"left":{"$ref":"#/components/schemas/Tree"},"other":{"$ref":"#/components/schemas/None"},"far":{"$ref":"x.json"}}}}}}`)
	var log []string
	d.Visit(oas.Handlers{Follow: true, Enter: func(c *oas.Cursor) oas.Action {
		if n := c.Node(); n.Pointer() != c.Pointer() {
			t.Errorf("pointer %q of %q", c.Pointer(), n.Pointer())
		}
		if c.References() > 0 {
			log = append(log, fmt.Sprintf("%d %s via %s (%s %s)", c.References(), c.Pointer(), c.Reference().Pointer(), c.Path(), c.Status()))
		} else if c.Reference().Exists() {
			t.Error("a reference that was not crossed")
		}
		return oas.Continue
	}})
	want := []string{
		"1 /components/responses/R via /paths/~1a/get/responses/200 (/a 200)",
		"1 /components/responses/R/content/t via /paths/~1a/get/responses/200 (/a 200)",
		"1 /components/responses/R/content/t/schema via /paths/~1a/get/responses/200 (/a 200)",
		"2 /components/schemas/Tree via /components/responses/R/content/t/schema (/a 200)",
		"2 /components/schemas/Tree/properties/left via /components/responses/R/content/t/schema (/a 200)",
		"2 /components/schemas/Tree/properties/other via /components/responses/R/content/t/schema (/a 200)",
		"2 /components/schemas/Tree/properties/far via /components/responses/R/content/t/schema (/a 200)",
	}
	if !slices.Equal(log, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(log, "\n"), strings.Join(want, "\n"))
	}
}

func TestWalkAndVisitAllocateNothing(t *testing.T) {
	exactly(t)
	d, err := oas.Parse(large(t))
	if err != nil {
		t.Fatal(err)
	}
	var pointer []byte
	size := 0
	for name, run := range map[string]func(){
		"Walk": func() { d.Walk(func(c *oas.Cursor) oas.Action { size++; return oas.Continue }) },
		"Walk with pointers": func() {
			d.Walk(func(c *oas.Cursor) oas.Action { pointer = c.AppendPointer(pointer[:0]); return oas.Continue })
		},
		"Walk with kinds": func() { d.Walk(func(c *oas.Cursor) oas.Action { c.ObjectKind(); return oas.Continue }) },
	} {
		if got := testing.AllocsPerRun(10, run); got != 0 {
			t.Errorf("%s: %v allocations", name, got)
		}
	}
	visit := func() {
		d.Visit(oas.Handlers{Schema: func(c *oas.Cursor, s oas.Schema) oas.Action { size++; return oas.Continue }})
	}
	if got := testing.AllocsPerRun(10, visit); got > 1 { // the handlers
		t.Errorf("Visit: %v allocations", got)
	}
}

func TestManyGoroutinesWalkOneDocument(t *testing.T) {
	d := parse(t, string(read(t, "testdata/pets.yaml")))
	want := len(nodes(d))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 20 {
				n := 0
				d.Walk(func(c *oas.Cursor) oas.Action {
					if c.Node().Pointer() != c.Pointer() {
						t.Error("another pointer")
						return oas.Stop
					}
					d.Walk(func(c *oas.Cursor) oas.Action { return oas.Skip }) // a walk in a walk
					n++
					return oas.Continue
				})
				if n != want {
					t.Errorf("%d nodes of %d", n, want)
				}
			}
		})
	}
	wg.Wait()
}

func TestViews(t *testing.T) {
	d := parse(t, string(read(t, "testdata/pets.yaml")))
	if i := d.Info(); i.Title() != "Pets" || i.Version() != "1.0" || !strings.HasPrefix(i.Description(), "A shop") {
		t.Error("info")
	}
	var all []string
	for o := range d.Operations() {
		var params, status []string
		for p := range o.Parameters() {
			params = append(params, p.Name()+":"+p.Schema().Type())
		}
		for r := range o.Responses() {
			status = append(status, r.Key())
		}
		all = append(all, fmt.Sprint(o.Method(), o.Path(), o.ID(), params, status, o.PathItem().Len()))
	}
	if want := "GET/petslistPets[limit:integer kind:array] [200 default] 3 POST/petscreatePet[] [201 default] 3 GET/pets/{petId}getPet[petId:string] [200 404] 2 DELETE/pets/{petId}deletePet[petId:string] [204] 2"; strings.Join(all, " ") != want {
		t.Errorf("%s", strings.Join(all, " "))
	}
	n, _ := d.At("/components/schemas/Pet")
	pet := oas.Schema{Node: n}
	var names []string
	for p := range pet.Properties() {
		if pet.Requires(p.Key()) {
			names = append(names, p.Key())
		}
	}
	if strings.Join(names, " ") != "id name" || pet.Type() != "object" || pet.Get("properties").Len() != 8 {
		t.Error("Pet")
	}
	if _, allowed := pet.AdditionalProperties(); allowed {
		t.Error("Pet has no additional properties")
	}
	for x := range pet.Extensions() {
		if x.Key() != "x-table" || !x.Is("pets") {
			t.Errorf("extension %s", x.Key())
		}
	}
	s := oas.Schema{Node: parse(t, `{"type":["null","string"],"additionalProperties":{"type":"integer"},"enum":["a"],"x-b":1,"a":2,"x-a":{}}`).Root()}
	if s.Type() != "string" || !s.Nullable() {
		t.Error("types")
	}
	if v, ok := s.AdditionalProperties(); !ok || v.Type() != "integer" {
		t.Error("additional properties")
	}
	names = nil
	for x := range s.Extensions() {
		names = append(names, x.Key())
	}
	if strings.Join(names, " ") != "x-b x-a" {
		t.Errorf("extensions %v", names)
	}
	// An edit of a view is one of the document.
	if _, err := pet.Set("title", "A pet"); err != nil || !strings.Contains(string(d.JSON()), `"title":"A pet"`) {
		t.Error("the edit of a view is not in the document")
	}
}

// A key is looked at in words that overlap, so what must be escaped is tried at
// each place of keys of each length.
func TestPointersEscapeKeysOfAnyLength(t *testing.T) {
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	for n := range 40 {
		for at := range max(n, 1) {
			for _, c := range []string{"~", "/", ".", "0", "}", "\x7f", "é"} {
				key := strings.Repeat("k", n)
				if n > 0 {
					key = key[:at] + c + key[at+1:]
				}
				d, err := oas.Parse([]byte(`{"` + key + `":1}`))
				if err != nil {
					t.Fatal(err)
				}
				last := ""
				d.Walk(func(c *oas.Cursor) oas.Action { last = c.Pointer(); return oas.Continue })
				if want := "/" + escape.Replace(key); last != want {
					t.Fatalf("the pointer to %q is %q, want %q", key, last, want)
				}
			}
		}
	}
}
