package oas_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/systems/oas"
)

// documents returns the documents of the folder of test data.
func documents(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("testdata/*/*.*")
	if err != nil || len(files) < 27 {
		t.Fatalf("%d files, error %v", len(files), err)
	}
	all := map[string][]byte{}
	for _, file := range append(files, "testdata/pets.yaml") {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(file)] = source
	}
	for name, source := range commented {
		all[name] = []byte(source)
	}
	return all
}

// commented are sources with all that a source can have besides values.
var commented = map[string]string{
	"blocks.yaml": `# The licence of this file.

openapi: 3.1.0 # the version
info:
  # about the title
  title: "Pets" # quoted
  version: '1' # single
  description: >-
    folded
    text

    more
  x-lit: |+ # header
    line

    # no comment


  x-plain: several
    lines of
    text # end
tags:
- name: a # first
  x: 1
- # second
  name: b
-
  name: c
paths: {} # none
x-flow: {a: 1, "b" : [1, 2,], c: {d: e}} # flow
x-lines: {
  a: 1, # about a
  # about b
  b: 2,
  c: [x,
    y] # last
}
x-empty:
x-empties:
  - # nothing
  -
x-seq:
  - - 1
    - 2
  - - 3
    # after 3
# The end.
`,
	"anchors.yaml2": "a: &x\n  k: 1 # one\n  l: [1, 2]\nb: *x\nc:\n  d: *x # again\ne: &s text\nf: *s\n&k g: 1\n",
	"crlf.yaml2":    "a: 1 # x\r\nb:\r\n  - c\r\n  - d: |\r\n      x\r\n      y\r\ne: {f: 1}\r\n",
	"open.yaml2":    "a: 1\nb:\n  c: 2 # the end has no line feed",
	"open2.yaml2":   "a:\n  - 1\n  - x: |\n      lit",
	"tags.yaml2":    "a: !!str 1 # t\nb: !!map\n  c: &q !!int 3\n? d\n: e\n---x: 1\n",
	"bom.yaml2":     "\ufeffa: 1\nb: 2 # ü\nc: {ü: [1, ü]}\n",
	"spaced.json":   "{ \"a\" : 1 , \"b\" :[ 1,2 ] ,\n\n \"c\":{}\t}\n\n",
	"compact.json":  `{"a":{"b":[1,{"c":null}],"d":"\u0041"},"e":[]}`,
	"tabs.json":     "{\n\t\"a\": {\n\t\t\"b\": [\n\t\t\t1,\n\t\t\t2\n\t\t]\n\t},\n\t\"c\": []\n}\n",
}

func TestAnUnchangedDocumentIsItsSource(t *testing.T) {
	for name, source := range documents(t) {
		d := parse(t, string(source))
		got, err := d.AppendSource([]byte("before"))
		if err != nil || string(got) != "before"+string(source) {
			t.Errorf("%s: error %v", name, err)
		}
		// An edit that is undone leaves nothing.
		if _, err := d.Root().Set("x-zzz", []any{1, map[string]int{"a": 2}}); err != nil {
			t.Fatal(err)
		}
		if got, err := d.AppendSource(nil); err != nil || len(got) <= len(source) {
			t.Errorf("%s: with a member more: error %v", name, err)
		}
		if err := d.Root().Get("x-zzz").Delete(); err != nil {
			t.Fatal(err)
		}
		if got, err := d.AppendSource(nil); err != nil || !bytes.Equal(got, source) {
			t.Errorf("%s: after an edit that is undone: error %v\n%s", name, err, firstDifference(got, source))
		}
	}
}

func firstDifference(got, want []byte) string {
	a, b := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d is %q, want %q", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(a), len(b))
}

func TestEditsChangeTheirOwnLines(t *testing.T) {
	type edit func(oas.Node) error
	set := func(pointer string, v any) edit {
		return func(r oas.Node) error {
			n, err := r.Doc().At(pointer)
			if err == nil {
				return n.Replace(v)
			}
			at := strings.LastIndexByte(pointer, '/')
			if n, err = r.Doc().At(pointer[:at]); err == nil && n.Kind() == oas.Array {
				_, err = n.Append(v)
			} else if err == nil {
				_, err = n.Set(strings.ReplaceAll(pointer[at+1:], "~1", "/"), v)
			}
			return err
		}
	}
	remove := func(pointer string) edit {
		return func(r oas.Node) error {
			n, err := r.Doc().At(pointer)
			if err == nil {
				err = n.Delete()
			}
			return err
		}
	}
	rename := func(pointer, key string) edit {
		return func(r oas.Node) error {
			n, err := r.Doc().At(pointer)
			if err == nil {
				err = n.Rename(key)
			}
			return err
		}
	}
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	blocks, anchors := commented["blocks.yaml"], commented["anchors.yaml2"]
	for _, c := range []struct {
		name, source string
		edit         edit
		old, new     string // the change of the source
	}{
		{"a quoted string", blocks, set("/info/title", "Cats: all"), `"Pets"`, `"Cats: all"`},
		{"a string in single quotes", blocks, set("/info/version", "it's"), `'1'`, `'it''s'`},
		{"a plain string", blocks, set("/openapi", "3.1.1"), "3.1.0 #", `"3.1.1" #`},
		{"a folded string becomes short", blocks, set("/info/description", "short"), "description: >-\n    folded\n    text\n\n    more\n", "description: short\n"},
		{"a literal becomes another", blocks, set("/info/x-lit", "one\ntwo\n"), "x-lit: |+ # header\n    line\n\n    # no comment\n\n\n", "x-lit: |\n    one\n    two\n"},
		{"a plain string of several lines", blocks, set("/info/x-plain", true), "several\n    lines of\n    text # end", "true # end"},
		{"a scalar becomes an object", blocks, set("/openapi", raw(`{"a":{"b":1}}`)), "openapi: 3.1.0 # the version\n", "openapi: # the version\n  a:\n    b: 1\n"},
		{"an object becomes a scalar", blocks, set("/info", 1), blocks[strings.Index(blocks, "info:"):strings.Index(blocks, " # end\ntags")], "info: 1"},
		{"an array becomes a scalar", blocks, set("/x-seq", nil), "x-seq:\n  - - 1\n    - 2\n  - - 3\n", "x-seq: null\n"},
		{"a new member", blocks, set("/info/x-new", "a: b"), "text # end\n", "text # end\n  x-new: \"a: b\"\n"},
		{"a new object", blocks, set("/info/license", raw(`{"name":"MIT","a":[1,{"b":2,"c":3}]}`)), "text # end\n", "text # end\n  license:\n    name: MIT\n    a:\n    - 1\n    - b: 2\n      c: 3\n"},
		{"a new element", blocks, set("/tags/-", raw(`{"name":"d","z":2}`)), "  name: c\n", "  name: c\n- name: d\n  z: 2\n"},
		{"a member of an element", blocks, set("/tags/0/z", 1), "  x: 1\n", "  x: 1\n  z: 1\n"},
		{"the first member of an element deleted", blocks, remove("/tags/0/name"), "- name: a # first\n  x: 1", "- x: 1"},
		{"an element deleted", blocks, remove("/tags/1"), "- # second\n  name: b\n", ""},
		{"a member deleted with its comment", blocks, remove("/info/title"), "  # about the title\n  title: \"Pets\" # quoted\n", ""},
		{"the first member deleted, the licence stays", blocks, remove("/openapi"), "openapi: 3.1.0 # the version\n", ""},
		{"a literal deleted", blocks, remove("/info/x-lit"), "  x-lit: |+ # header\n    line\n\n    # no comment\n\n\n", ""},
		{"an empty value", blocks, set("/x-empty", 5), "x-empty:\n", "x-empty: 5\n"},
		{"an empty value becomes an array", blocks, set("/x-empty", []int{1, 2}), "x-empty:\n", "x-empty:\n- 1\n- 2\n"},
		{"an empty element", blocks, set("/x-empties/0", 1), "- # nothing", "- 1 # nothing"},
		{"an empty element becomes an object", blocks, set("/x-empties/1", raw(`{"a":1,"b":2}`)), "  -\nx-seq", "  - a: 1\n    b: 2\nx-seq"},
		{"an empty object", blocks, set("/paths/~1a", raw(`{"get":{}}`)), "paths: {} # none\n", "paths: # none\n  /a:\n    get: {}\n"},
		{"all members deleted", "a:\n  b: 1 # x\nc: 2\n", remove("/a/b"), "a:\n  b: 1 # x\n", "a: {} # x\n"},
		{"in brackets", blocks, set("/x-flow/b/0", "x, y"), "[1, 2,]", "[\"x, y\", 2,]"},
		{"a new one in brackets", blocks, set("/x-flow/b/-", raw(`{"k":[3]}`)), "[1, 2,]", "[1, 2, {k: [3]},]"},
		{"one in brackets deleted", blocks, remove("/x-flow/b/1"), "[1, 2,]", "[1,]"},
		{"the first in brackets deleted", blocks, remove("/x-flow/a"), "{a: 1, ", "{"},
		{"one on its line in brackets deleted", blocks, remove("/x-lines/a"), "  a: 1, # about a\n", ""},
		{"the last in brackets deleted", blocks, remove("/x-lines/c"), ",\n  c: [x,\n    y] # last", " # last"},
		{"one on its line in brackets added", blocks, set("/x-lines/d", 1), "    y] # last", "    y],\n  d: 1 # last"},
		{"a key", blocks, rename("/tags", "x tags"), "tags:\n", "x tags:\n"},
		{"a key in brackets", blocks, rename("/x-flow/b", "b,c"), "\"b\" :", "\"b,c\" :"},
		{"in an array of arrays", blocks, set("/x-seq/0/-", 9), "    - 2\n", "    - 2\n    - 9\n"},
		{"the first of an array of arrays", blocks, remove("/x-seq/0/0"), "- - 1\n    - 2", "- - 2"},
		{"an array of arrays, all", blocks, remove("/x-seq/1/0"), "- - 3\n", "- []\n"},
		{"what an alias stands for", anchors, set("/a/k", 2), "k: 1 # one\n  l: [1, 2]\nb: *x\nc:\n  d: *x # again\n", "k: 2 # one\n  l: [1, 2]\nb:\n  k: 1\n  l:\n    - 1\n    - 2\nc:\n  d: # again\n    k: 1\n    l:\n      - 1\n      - 2\n"},
		{"an alias", anchors, set("/b/k", 2), "b: *x\n", "b:\n  k: 2\n  l:\n    - 1\n    - 2\n"},
		{"a line feed is missing", commented["open.yaml2"], set("/b/d", "x\ny\n"), "no line feed", "no line feed\n  d: \"x\\ny\\n\""},
		{"the last line deleted", commented["open.yaml2"], remove("/b/c"), "b:\n  c: 2 #", "b: {} #"},
		{"lines that end in CR LF", commented["crlf.yaml2"], set("/b/1/e", raw(`{"x":[1]}`)), "      y\r\n", "      y\r\n    e:\r\n      x:\r\n        - 1\r\n"},
		{"a literal in CR LF", commented["crlf.yaml2"], set("/b/1/d", "p\nq\n"), "      x\r\n      y\r\n", "      p\r\n      q\r\n"},
		{"JSON in lines", commented["tabs.json"], set("/a/b/-", raw(`{"x":[3]}`)), "\t\t\t2\n", "\t\t\t2,\n\t\t\t{\n\t\t\t\t\"x\": [\n\t\t\t\t\t3\n\t\t\t\t]\n\t\t\t}\n"},
		{"an empty array of JSON", commented["tabs.json"], set("/c/-", 1), "[]", "[\n\t\t1\n\t]"},
		{"a line of JSON deleted", commented["tabs.json"], remove("/a/b/0"), "\t\t\t1,\n", ""},
		{"the last line of JSON deleted", commented["tabs.json"], remove("/c"), ",\n\t\"c\": []", ""},
		{"compact JSON", commented["compact.json"], set("/a/f", raw(`{"x": [1, 2]}`)), `"\u0041"`, `"\u0041","f":{"x":[1,2]}`},
		{"a key of JSON", commented["compact.json"], rename("/a/b", "\""), `"b"`, `"\""`},
		{"a value of JSON", commented["spaced.json"], set("/b", raw(`{"x":1}`)), "[ 1,2 ]", `{"x":1}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := parse(t, c.source)
			if err := c.edit(d.Root()); err != nil {
				t.Fatal(err)
			}
			got, err := d.AppendSource(nil)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Count(c.source, c.old) != 1 {
				t.Fatalf("%q is %d times in the source", c.old, strings.Count(c.source, c.old))
			}
			if want := strings.Replace(c.source, c.old, c.new, 1); string(got) != want {
				t.Errorf("%s, in\n%s\nwant\n%s", firstDifference(got, []byte(want)), got, want)
			}
		})
	}
}

// scramble makes a random edit of a document.
func scramble(r *rand.Rand, d *oas.Doc) error {
	all := nodes(d)
	n := all[r.IntN(len(all))]
	values := []any{"text", "a: b, c", "", 1, nil, true, "two\nlines\n", "  lead", json.RawMessage(`{"k":[1,{"x":"y z","w":"a\nb"}],"e":{}}`), []string{"p", "q"}, json.RawMessage("1e3"), "ü#", all[r.IntN(len(all))]}
	v := values[r.IntN(len(values))]
	if v, ok := v.(oas.Node); ok && v.Size() > 2000 {
		return nil
	}
	key := fmt.Sprintf("k%d, #", r.IntN(1000))
	switch r.IntN(5) {
	case 0:
		if n == d.Root() {
			return nil
		}
		return n.Delete()
	case 1:
		if n.Parent().Kind() == oas.Object {
			return n.Rename(key)
		}
	case 2:
		if n != d.Root() {
			return n.Replace(v)
		}
	default:
		if n.Kind() == oas.Object {
			_, err := n.Set(key, v)
			return err
		} else if n.Kind() == oas.Array {
			_, err := n.Append(v)
			return err
		}
	}
	return nil
}

// Whatever is edited, the source that is written reads as the document.
func TestRandomEditsArePutIntoTheSource(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	scripts, failed := 0, 0
	rounds := 300
	if testing.Short() {
		rounds = 10
	}
	for name, source := range documents(t) {
		for range rounds {
			d := parse(t, string(source))
			for range 1 + r.IntN(4) {
				if err := scramble(r, d); err != nil {
					t.Fatal(err)
				}
			}
			scripts++
			if _, err := d.AppendSource(nil); err != nil {
				failed++
				t.Errorf("%s: %v\n%.800s", name, err, d.AppendIndent(nil, "", " "))
			}
		}
	}
	t.Logf("%d scripts, %d cannot be put into the source", scripts, failed)
}
