package oas_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/poolproof/poolproof/systems/oas"
)

func TestBundle(t *testing.T) {
	files := fstest.MapFS{}
	for name, source := range map[string]string{
		"api/main.yaml": `openapi: 3.1.0 # kept
info: {title: T, version: "1"}
paths:
  /a: {$ref: paths/a.yaml}
  /b:
    get:
      parameters: [{$ref: "../shared/all.json#/parameters/Limit"}]
      responses:
        "200": {description: ok, content: {application/json: {schema: {$ref: "../shared/all.json#/schemas/Pet"}}}}
        "404": {$ref: "https://example.com/x.yaml#/a"}
components:
  schemas:
    Pet: {type: string}
    Own: {$ref: "#/components/schemas/Pet"}
`,
		"api/paths/a.yaml": `get:
  responses:
    "200": {description: ok, content: {application/json: {schema: {$ref: "../../shared/all.json#/schemas/Pet"}}}}
    "201": {description: ok, content: {application/json: {schema: {$ref: "../main.yaml#/components/schemas/Own"}}}}
`,
		"shared/all.json": `{"parameters":{"Limit":{"name":"limit","in":"query","schema":{"$ref":"#/schemas/a~1b"}}},
"schemas":{"Pet":{"type":"object","properties":{"mother":{"$ref":"#/schemas/Pet"},"n":{"$ref":"../shared/all.json#/schemas/a~1b"}}},"a/b":{"type":"integer"}}}`,
	} {
		files[name] = &fstest.MapFile{Data: []byte(source)}
	}
	source := files["api/main.yaml"].Data
	d := parse(t, string(source))
	if err := d.Bundle(files, "api/main.yaml"); err != nil {
		t.Fatal(err)
	}
	for pointer, want := range map[string]string{
		"/paths/~1a/$ref": "#/components/pathItems/a",
		"/components/pathItems/a/get/responses/200/content/application~1json/schema/$ref": "#/components/schemas/Pet2",
		"/components/pathItems/a/get/responses/201/content/application~1json/schema/$ref": "#/components/schemas/Own",
		"/paths/~1b/get/parameters/0/$ref":                                                "#/components/parameters/Limit",
		"/paths/~1b/get/responses/404/$ref":                                               "https://example.com/x.yaml#/a",
		"/components/parameters/Limit/schema/$ref":                                        "#/components/schemas/a~1b",
		"/components/schemas/Pet2/properties/mother/$ref":                                 "#/components/schemas/Pet2",
		"/components/schemas/Pet2/properties/n/$ref":                                      "#/components/schemas/a~1b",
		"/components/schemas/a~1b/type":                                                   "integer",
		"/components/schemas/Own/$ref":                                                    "#/components/schemas/Pet",
	} {
		if n, err := d.At(pointer); err != nil || n.Str() != want {
			t.Errorf("%s is %q, want %q; error %v", pointer, n.Str(), want, err)
		}
	}
	if text, err := d.AppendSource(nil); err != nil || !strings.HasPrefix(string(text), "openapi: 3.1.0 # kept\n") {
		t.Errorf("error %v\n%s", err, text)
	}
}

func TestBundleRefuses(t *testing.T) {
	dir := t.TempDir()
	for name, source := range map[string]string{"in/ok.yaml": "a: 1\n", "in/bad.yaml": "a: [\n", "secret.yaml": "key: 1\n"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(source), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../secret.yaml", filepath.Join(dir, "in", "link.yaml")); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(filepath.Join(dir, "in"))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for ref, want := range map[string]string{
		"../secret.yaml":    "outside of the folder",
		"/etc/passwd":       "",
		"link.yaml":         "escapes",
		"none.yaml":         "none.yaml",
		"bad.yaml":          "bad.yaml:2:1",
		"ok.yaml#/b":        `has no member "b"`,
		"ok.yaml#x":         "leads nowhere",
		"%zz":               "invalid URL escape",
		"../../secret.yaml": "outside of the folder",
	} {
		d := parse(t, `{"openapi":"3.0.0","components":{"schemas":{"A":{"$ref":"`+ref+`"}}}}`)
		err := d.Bundle(root.FS(), "main.json")
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "main.json:1:") {
			t.Errorf("%s: %v", ref, err)
		}
		if got := d.Root().Get("components").Get("schemas").Get("A").Get("$ref"); !got.Is(ref) {
			t.Errorf("%s became %s", ref, got.Raw())
		}
	}
	if err := new(oas.Doc).Bundle(root.FS(), "x"); err == nil {
		t.Error("an empty document is bundled")
	}
	// A chain of files that never ends.
	d := parse(t, `{"openapi":"3.0.0","components":{"schemas":{"A":{"$ref":"1"}}}}`)
	if err := d.Bundle(endless{}, "main.json"); err == nil || !strings.Contains(err.Error(), "more than 1000 files") {
		t.Errorf("files without end: %.200v", err)
	}
}

// endless has all files: each refers to the one after it.
type endless struct{}

func (endless) Open(string) (fs.File, error) { return nil, errors.New("no") }
func (endless) ReadFile(name string) ([]byte, error) {
	return []byte(`{"a":{"$ref":"` + name + `1"}}`), nil
}
