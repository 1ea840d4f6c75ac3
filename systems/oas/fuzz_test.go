package oas_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/poolproof/poolproof/systems/oas"
)

// stricter reports whether the error is one of the rules that we have and
// encoding/json has not. It takes invalid UTF-8, halves of surrogate pairs and
// keys that are there twice, and nests deeper.
func stricter(err error) bool {
	var e *oas.SyntaxError
	if !errors.As(err, &e) {
		return false
	}
	for _, rule := range []string{"not UTF-8", "surrogate", "twice", "deeper than", "byte order mark"} {
		if strings.Contains(e.Msg, rule) {
			return true
		}
	}
	return false
}

func FuzzJSON(f *testing.F) {
	for _, source := range texts {
		f.Add([]byte(source))
	}
	f.Add([]byte(shop))
	f.Add([]byte(`{"a":{"b":1,"c":2,"b":3}}`))
	f.Add([]byte("[\"0123456\\\\\",\n        1e5,\t\"\\ud834\\udd1e\"]"))
	var reused oas.Doc
	f.Fuzz(func(t *testing.T, source []byte) {
		kept := bytes.Clone(source)
		d, err := oas.ParseJSON(source)
		if err != nil {
			if json.Valid(source) && !stricter(err) {
				t.Fatalf("valid, but %v", err)
			}
			return
		}
		if !json.Valid(source) {
			t.Fatal("not valid, but no error")
		}
		same(t, d, source)
		for _, n := range nodes(d) {
			if found, err := d.At(n.Pointer()); err != nil || found != n {
				t.Fatalf("At(%q): %v", n.Pointer(), err)
			}
		}
		again, err := oas.ParseJSON(d.AppendIndent(nil, "", "\t"))
		if err != nil || !bytes.Equal(again.JSON(), d.JSON()) {
			t.Fatalf("indented: %v", err)
		}
		if err := reused.Reset(source); (source[0] == '{' || source[0] == '[') && (err != nil || !bytes.Equal(reused.JSON(), d.JSON())) {
			t.Fatalf("Reset: %v", err)
		}
		y := d.AppendYAML(nil)
		if again, err := oas.ParseYAML(y); err != nil || !bytes.Equal(plainJSON(t, again), plainJSON(t, d)) {
			t.Fatalf("%s\nin YAML: %v\n%s", d.JSON(), err, y)
		}
		if !bytes.Equal(source, kept) {
			t.Fatal("the source was written to")
		}
	})
}

// FuzzYAML compares what ParseYAML makes of a source with what the YAML library
// decodes it to, and what AppendYAML writes with what the library reads of it.
func FuzzYAML(f *testing.F) {
	for _, source := range []string{
		"a: 1\nb: [x, 'y', \"z\\n\"]\nc:\n  - |\n    one\n    two\n  - >-\n    three\n    four\n",
		"&a x: &b {k: v, l: *b}\n", "base: &b {x: 1}\nuse: *b\nlist: [*b, *b]\n", "? a\n: b\n? [c]\n: d\n",
		"%YAML 1.2\n---\na: !!str 1\nb: !!int 2\nc: !!float 3\nd: ~\n...\n", "a: 0x1F\nb: 010\nc: 1_000\nd: 2019-01-01\ne: no\nf: .inf\ng: 1e5\nh: +1\ni: .5\n",
		"a: |2-\n    x\n   y\n", "200: ok\ntrue: 1\nnull: 2\n1.5: x\n", "a: 'it''s'\nb: \"\\x41\\u00e9\\U0001F600\"\n", "- - a\n  - b\n-\n  - c\n", "<<: {a: 1}\n", "\"a\\\n  b\"\n", "a: {}\nb: []\nc:\nd: ''\n", "--- a\n--- b\n",
	} {
		f.Add([]byte(source))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		d, err := oas.ParseYAML(source)
		if err != nil {
			var e *oas.SyntaxError
			if !errors.As(err, &e) || e.Line < 1 || e.Col < 1 || e.Offset < 0 || e.Offset > len(source) {
				t.Fatalf("%#v", err)
			}
			return
		}
		var theirs any
		if err := yaml.Load(source, &theirs); err == nil {
			alike(t, d.Root(), theirs)
		}
		for _, n := range nodes(d) {
			if line, col := n.Pos(); line < 1 || col < 1 || line > most(source) {
				t.Fatalf("%s is at %d:%d", n.Pointer(), line, col)
			}
		}
		out := d.AppendYAML(nil)
		again, err := oas.ParseYAML(out)
		if err != nil || !bytes.Equal(again.JSON(), d.JSON()) {
			t.Fatalf("written as\n%s\nand read as %s, error %v", out, again.JSON(), err)
		}
		var written any
		if err := yaml.Load(out, &written); err != nil {
			t.Fatalf("the library refuses\n%s: %v", out, err)
		}
		alike(t, d.Root(), written)
	})
}

// most returns the last line that a value of a source can be in: the library ends
// a source without a line feed with one.
func most(source []byte) int {
	lines := 2
	for _, end := range []string{"\n", "\r", "\u0085", "\u2028", "\u2029"} {
		lines += bytes.Count(source, []byte(end))
	}
	return lines
}

// alike compares a value with what the YAML library decoded it to. The library
// knows more numbers than JSON has, such as 0x1F, and dates: these are strings of
// ours, and the keys that are no strings of theirs are only counted.
func alike(t *testing.T, n oas.Node, theirs any) {
	t.Helper()
	is := func(same bool) {
		if !same {
			t.Fatalf("%s is %s, and %#v by the library", n.Pointer(), n.Raw(), theirs)
		}
	}
	switch theirs := theirs.(type) {
	case nil:
		is(n.Kind() == oas.Null || n.Is("<<")) // a plain << is a merge key of theirs
	case string:
		is(n.Kind() == oas.String && n.Str() == theirs)
	case bool:
		v, ok := n.Bool()
		is(ok && v == theirs)
	case int, int64, uint64, float64:
		v, ok := n.Float()
		is(n.Kind() == oas.String || ok && v == asFloat(theirs))
	case time.Time:
		is(n.Kind() == oas.String)
	case []any:
		is(n.Kind() == oas.Array && n.Len() == len(theirs))
		for i, v := range theirs {
			alike(t, n.Index(i), v)
		}
	case map[string]any:
		is(n.Kind() == oas.Object && n.Len() == len(theirs))
		for key, v := range theirs {
			alike(t, n.Get(key), v)
		}
	case map[any]any:
		is(n.Kind() == oas.Object && n.Len() >= len(theirs))
		for key, v := range theirs {
			if key, ok := key.(string); ok {
				alike(t, n.Get(key), v)
			}
		}
	default:
		t.Fatalf("%s is %s, and a %T by the library", n.Pointer(), n.Raw(), theirs)
	}
}

func asFloat(v any) float64 {
	switch v := v.(type) {
	case int:
		return float64(v)
	case int64:
		return float64(v)
	case uint64:
		return float64(v)
	}
	return v.(float64)
}
