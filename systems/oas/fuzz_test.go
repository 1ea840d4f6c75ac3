package oas_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

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
