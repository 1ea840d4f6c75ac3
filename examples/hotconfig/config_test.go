package main

import (
	"maps"
	"net/http"
	"strings"
	"testing"
)

func TestAFileIsTakenOverOrEverythingWrongIsNamed(t *testing.T) {
	for _, c := range []struct {
		name, text string
		wrong      []string // what the error says; nil: it is right
	}{
		{"a default and redirects", `{"default": "https://a.example/", "redirects": {"/x": {"to": "http://b.example/y", "status": 301}, "/z": {"to": "https://c.example"}}}`, nil},
		{"nothing", `{}`, nil},
		{"no redirects", `{"redirects": null}`, nil},
		{"space behind it", "{}\n\n", nil},
		{"no file yet", ``, []string{"EOF"}},
		{"half a file", `{"redirects": {"/x": {"to": "http`, []string{"unexpected EOF"}},
		{"a word that is not known", `{"redirect": {}}`, []string{`unknown field "redirect"`}},
		{"two files in one", `{}{}`, []string{"behind the closing brace"}},
		{"another type", `{"redirects": []}`, []string{"cannot unmarshal array"}},
		{"a path without a slash", `{"redirects": {"x": {"to": "https://a.example"}}}`, []string{`"x": a path begins with /`}},
		{"a target of another kind", `{"redirects": {"/x": {"to": "javascript:alert(1)"}}}`, []string{`"javascript:alert(1)" is no target`}},
		{"a target without a host", `{"redirects": {"/x": {"to": "https:///y"}}}`, []string{`"https:///y" is no target`}},
		{"no target", `{"redirects": {"/x": {}}}`, []string{`"" is no target`}},
		{"a target that is no URL", `{"redirects": {"/x": {"to": "http://[::1"}}}`, []string{"missing ']'"}},
		{"a wrong default", `{"default": "nowhere"}`, []string{`default: "nowhere" is no target`}},
		{"a status that does not redirect", `{"redirects": {"/x": {"to": "https://a.example", "status": 200}}}`, []string{"status 200 is no redirect"}},
		{"several mistakes", `{"default": "d", "redirects": {"/x": {"to": "e"}, "y": {"to": "https://a.example"}}}`,
			[]string{`default: "d"`, `"/x": "e"`, `"y": a path`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := newConfig().read(strings.NewReader(c.text))
			if c.wrong == nil {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if err == nil {
				t.Fatal("no error")
			}
			for _, wrong := range c.wrong {
				if !strings.Contains(err.Error(), wrong) {
					t.Errorf("the error does not say %q: %v", wrong, err)
				}
			}
		})
	}
}

func TestARedirectIsFoundByItsPath(t *testing.T) {
	c := newConfig()
	text := `{"default": "https://a.example/", "redirects": {"/x": {"to": "https://b.example/", "status": 308}, "/y": {"to": "https://c.example/"}}}`
	if err := c.read(strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]Redirect{
		"/x":  {"https://b.example/", http.StatusPermanentRedirect},
		"/y":  {"https://c.example/", http.StatusFound},
		"/x/": {"https://a.example/", http.StatusFound},
	} {
		if got, ok := c.find(path); !ok || got != want {
			t.Errorf("%s goes to %v, %t, want %v", path, got, ok, want)
		}
	}
	c.Default = ""
	if got, ok := c.find("/z"); ok {
		t.Errorf("/z goes to %v, want nowhere", got)
	}
}

// What is used again must not tell what it was: json.Unmarshal adds to a map.
func TestAResetConfigReadsAsANewOne(t *testing.T) {
	const first = `{"default": "https://a.example/", "redirects": {"/only-in-the-first": {"to": "https://b.example/"}}}`
	for _, text := range []string{`{}`, `{"redirects": null}`, `{"redirects": {"/x": {"to": "https://c.example/"}}}`} {
		c, fresh := newConfig(), newConfig()
		if err := c.read(strings.NewReader(first)); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if !c.reset() {
				t.Fatal("a configuration says that it is not fit for another use")
			}
			if c.Redirects == nil || len(c.Redirects) != 0 {
				t.Fatalf("after reset the redirects are %v", c.Redirects)
			}
			if err := c.read(strings.NewReader(text)); err != nil {
				t.Fatal(err)
			}
		}
		if err := fresh.read(strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		if c.Default != fresh.Default || !maps.Equal(c.Redirects, fresh.Redirects) {
			t.Errorf("%s read into a used one: %v, into a new one: %v", text, *c, *fresh)
		}
	}
}
