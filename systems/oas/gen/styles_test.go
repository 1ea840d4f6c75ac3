package gen_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/systems/oas"
	"github.com/poolproof/poolproof/systems/oas/gen"
)

// styles are the rows of the table of style examples (OpenAPI 3.1.1, section
// 4.8.12.4) that a path or a query can have, for the table's values: an array of
// blue, black and brown, and an object of R=100, G=200 and B=150. Commas in a
// query may be escaped (RFC 3986, section 2.2: they are reserved).
var styles = []struct {
	in, style      string
	explode        bool
	text, list, of string // what a string, an array and an object become
}{
	{"path", "matrix", false, ";color=blue", ";color=blue,black,brown", ";color=R,100,G,200,B,150"},
	{"path", "matrix", true, ";color=blue", ";color=blue;color=black;color=brown", ";R=100;G=200;B=150"},
	{"path", "label", false, ".blue", ".blue,black,brown", ".R,100,G,200,B,150"},
	{"path", "label", true, ".blue", ".blue.black.brown", ".R=100.G=200.B=150"},
	{"path", "simple", false, "blue", "blue,black,brown", "R,100,G,200,B,150"},
	{"path", "simple", true, "blue", "blue,black,brown", "R=100,G=200,B=150"},
	{"query", "form", false, "color=blue", "color=blue%2Cblack%2Cbrown", "color=R%2C100%2CG%2C200%2CB%2C150"},
	{"query", "form", true, "color=blue", "color=blue&color=black&color=brown", "B=150&G=200&R=100"},
	{"query", "spaceDelimited", false, "", "color=blue%20black%20brown", ""},
	{"query", "pipeDelimited", false, "", "color=blue%7Cblack%7Cbrown", ""},
	{"query", "deepObject", true, "", "", "color%5BB%5D=150&color%5BG%5D=200&color%5BR%5D=100"},
}

const stylesProgram = `package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
)

var got any

func main() {
	var sent string
	handler := NewHandler(service{}, HandlerOptions{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent = r.RequestURI
		handler.ServeHTTP(w, r)
	}))
	client := &Client{BaseURL: server.URL}
	failed := false
	check := func(_ any, err error, want string, params any) {
		if err != nil || sent != want || !reflect.DeepEqual(got, params) {
			fmt.Printf("error %v, sent %s, want %s; got %+v of %+v\n", err, sent, want, got, params)
			failed = true
		}
	}
	ctx := context.Background()
CALLS
	if failed {
		os.Exit(1)
	}
}

func ptr[T any](v T) *T { return &v }

type service struct{}
`

// What a client sends is what the specification says for the style, and the
// server reads it back.
func TestParametersAreWrittenAsTheirStyleSays(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it builds a program")
	}
	doc, calls, methods := "openapi: 3.1.1\ninfo: {title: T, version: '1'}\npaths:\n", "", ""
	for i, s := range styles {
		for kind, want := range map[string]string{
			"{type: string}": s.text, "{type: array, items: {type: string}}": s.list,
			"{type: object, required: [R, G, B], properties: {R: {type: integer}, G: {type: number}, B: {type: string}}}": s.of,
		} {
			if want == "" {
				continue
			}
			name := fmt.Sprintf("Op%d%s", i, map[bool]string{true: "List", false: ""}[strings.Contains(kind, "array")])
			value := `"blue"`
			switch {
			case strings.Contains(kind, "array"):
				value = `[]string{"blue", "black", "brown"}`
			case strings.Contains(kind, "object"):
				name += "Object"
				value = name + `Color{R: 100, G: 200, B: "150"}`
			}
			path, uri := "/"+name, "/"+name+"?"+want
			if s.in == "path" {
				path, uri = "/"+name+"/{color}/end", "/"+name+"/"+want+"/end"
			}
			doc += fmt.Sprintf("  %s:\n    get:\n      operationId: %s\n      responses: {'200': {description: ok}}\n      parameters: [{name: color, in: %s, required: true, style: %s, explode: %v, schema: %s}]\n",
				path, name, s.in, s.style, s.explode, kind)
			calls += fmt.Sprintf("\t{\n\t\ta, err := client.%s(ctx, %sParams{Color: %s})\n\t\tcheck(a, err, %q, %sParams{Color: %s})\n\t}\n", name, name, value, uri, name, value)
			methods += fmt.Sprintf("\nfunc (service) %s(ctx context.Context, r *Request, p %sParams) (*Answer[NoBody], error) { got = p; return nil, nil }\n", name, name)
		}
	}
	d, err := oas.Parse([]byte(doc))
	if err != nil {
		t.Fatalf("%v in\n%s", err, doc)
	}
	files, err := gen.Generate(d, gen.Options{Package: "main"})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range sound(files) {
		t.Error(w)
	}
	files["main.go"] = []byte(strings.Replace(stylesProgram, "CALLS", calls, 1) + methods)
	files["go.mod"] = []byte("module styles\n\ngo 1.25\n")
	dir := t.TempDir()
	for name, source := range files {
		if err := os.WriteFile(filepath.Join(dir, name), source, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command("go", "run", ".")
	c.Dir = dir
	c.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
