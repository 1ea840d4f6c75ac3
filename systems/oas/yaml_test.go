package oas_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/systems/oas"
)

func TestYAMLScalars(t *testing.T) {
	for _, c := range []struct{ yaml, json string }{
		{"", "null"}, {"~", "null"}, {"null", "null"}, {"Null", "null"}, {"NULL", "null"}, {`""`, `""`}, {"nULL", `"nULL"`},
		{"true", "true"}, {"True", "true"}, {"FALSE", "false"}, {`"true"`, `"true"`}, {"'null'", `"null"`},
		{"no", `"no"`}, {"yes", `"yes"`}, {"on", `"on"`}, {"y", `"y"`},
		{"0", "0"}, {"-0", "-0"}, {"12", "12"}, {"1.0", "1.0"}, {"1e2", "1e2"}, {"-1.5E+3", "-1.5E+3"},
		{"0x1F", `"0x1F"`}, {"0o17", `"0o17"`}, {"010", `"010"`}, {"1_000", `"1_000"`}, {"+1", `"+1"`}, {".5", `".5"`}, {"1.", `"1."`}, {"1:30", `"1:30"`},
		{"2019-09-15", `"2019-09-15"`}, {"2019-09-15T10:00:00Z", `"2019-09-15T10:00:00Z"`}, {"1.0.0", `"1.0.0"`},
		{"!!str 12", `"12"`}, {"!!int 12", "12"}, {"!!float 12", "12"}, {"!!bool true", "true"}, {"!!null ~", "null"}, {"!!str", `""`}, {"!", `""`}, {"! 12", `"12"`}, {"! [! true]", `["true"]`}, {"! {a: 1}", `{"a":1}`},
		{"<<", `"<<"`}, {"=", `"="`},
		{"|\n  a\n  b\n", `"a\nb\n"`}, {">-\n  a\n  b\n", `"a b"`}, {`"\u00e9\x07\U0001d11e"`, `"é\u0007𝄞"`}, {"<&>", `"<&>"`},
		{"[a, {b: c}]", `["a",{"b":"c"}]`}, {"{}", "{}"}, {"&x [1]", "[1]"}, {"!!map {a: 1}", `{"a":1}`}, {"!!seq [1]", "[1]"},
	} {
		d, err := oas.ParseYAML([]byte("v: " + c.yaml + "\n"))
		if err != nil {
			t.Errorf("%q: %v", c.yaml, err)
			continue
		}
		if got := string(d.Root().Get("v").JSON()); got != c.json {
			t.Errorf("%q is %s, want %s", c.yaml, got, c.json)
		}
	}
}

func TestYAMLKeys(t *testing.T) {
	for _, c := range []struct{ yaml, json string }{
		{"200: a\n'201': b\ndefault: c\n", `{"200":"a","201":"b","default":"c"}`},
		{"true: a\n~: b\n1.50: c\n", `{"true":"a","~":"b","1.50":"c"}`},
		{"? a\n: b\n", `{"a":"b"}`},
		{"a: &k x\n*k : y\n", `{"a":"x","x":"y"}`},
		{"'<<': a\n", `{"<<":"a"}`},
		{"a: &x {b: [1]}\nc: *x\nd: [*x, *x]\n", `{"a":{"b":[1]},"c":{"b":[1]},"d":[{"b":[1]},{"b":[1]}]}`},
		{"\"a\\\"b\": 1\n", `{"a\"b":1}`},
		{"%YAML 1.2\n---\na: 1\n", `{"a":1}`},
		{"\xef\xbb\xbfa: 1\n", `{"a":1}`},
		{"a: 1\n...\n", `{"a":1}`},
		{"# only\na: # a\n  b # c\n", `{"a":"b"}`},
	} {
		if d, err := oas.ParseYAML([]byte(c.yaml)); err != nil || string(d.JSON()) != c.json {
			t.Errorf("%q: %v, want %s", c.yaml, err, c.json)
		}
	}
}

func TestBadYAMLIsRefusedWithItsPlace(t *testing.T) {
	bomb := "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
	for c := 'b'; c <= 'i'; c++ {
		p := string(c - 1)
		bomb += string(c) + ": &" + string(c) + " [*" + strings.Join(strings.Split(strings.Repeat(p, 10), ""), ", *") + "]\n"
	}
	for _, c := range []struct {
		name, source string
		line, col    int
		pointer      string
		message      string
	}{
		{"a merge key", "a: &x {b: 1}\nc:\n  <<: *x\n", 3, 3, "/c", "merge key"},
		{"a tab as indent", "a:\n\tb: 1\n", 2, 1, "", "tab"},
		{"infinity", "a:\n  b: .inf\n", 2, 6, "/a/b", "JSON has no number .inf"},
		{"minus infinity", "a: [-.INF]\n", 1, 5, "/a/0", "JSON has no number"},
		{"not a number", "a: .nan\n", 1, 4, "/a", "JSON has no number .nan"},
		{"an alias bomb", bomb, 0, 0, "", "eight times"},
		{"an alias of what it is in", "a: &a\n  b: *a\n", 0, 0, "", ""},
		{"an alias of nothing", "a: *b\n", 0, 0, "", "b"},
		{"a mapping as a key", "a:\n  ? {b: 1}\n  : 2\n", 2, 5, "/a", "must be a scalar, not a mapping"},
		{"a sequence as a key", "? [b]\n: 2\n", 1, 3, "", "must be a scalar, not a sequence"},
		{"a key twice", "a:\n  b: 1\n  c: 2\n  b: 3\n", 4, 3, "/a", `"b" twice`},
		{"a key twice, once a number", "200: a\n'200': b\n", 2, 1, "", `"200" twice`},
		{"a key twice by an alias", "a: &k b\nb: 1\n*k : 2\n", 3, 1, "", `"b" twice`},
		{"an unknown tag", "a: !pet cat\n", 1, 4, "/a", "!pet"},
		{"a tag on a mapping", "a: !pet {b: 1}\n", 1, 4, "/a", "!pet"},
		{"a binary", "a: !!binary aGVsbG8=\n", 1, 4, "/a", "!!binary"},
		{"an integer that is none", "a: !!int x\n", 1, 4, "/a", "!!int"},
		{"a set", "a: !!set {b, c}\n", 1, 4, "/a", "!!set"},
		{"two documents", "a: 1\n---\nb: 2\n", 2, 1, "", "a second document begins here"},
		{"two documents, the second empty", "a: 1\n...\n---\n", 3, 1, "", "a second document begins here"},
		{"no end of a sequence", "a: [1\n", 0, 0, "", ""},
		{"no end of a string", "a: \"x\n", 0, 0, "", ""},
		{"nothing but a comment", "# a\n", 0, 0, "", ""},
		{"a control character", "a: \x01\n", 0, 0, "", ""},
		{"invalid UTF-8", "a: \xff\n", 0, 0, "", ""},
		{"nested too deep", strings.Repeat("[", oas.MaxDepth+1) + strings.Repeat("]", oas.MaxDepth+1), 1, 1001, "", "deeper than 1000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := oas.ParseYAML([]byte(c.source))
			var e *oas.SyntaxError
			if !errors.As(err, &e) {
				t.Fatalf("document %v and error %v", d, err)
			}
			t.Log(err)
			if e.Line < 1 || e.Col < 1 || c.line > 0 && (e.Line != c.line || e.Col != c.col) || c.pointer != "" && e.Pointer != c.pointer || !strings.Contains(e.Msg, c.message) {
				t.Errorf("%v at offset %d,\nwant %d:%d, %q, in %q", e, e.Offset, c.line, c.col, c.message, c.pointer)
			}
			lines := strings.Split(c.source[:e.Offset], "\n")
			if c.line > 0 && (len(lines) != e.Line || len([]rune(lines[len(lines)-1])) != e.Col-1) {
				t.Errorf("offset %d is not at %d:%d", e.Offset, e.Line, e.Col)
			}
		})
	}
}

func TestTheFirstCharacterTellsJSONFromYAML(t *testing.T) {
	for source, ok := range map[string]bool{
		"{a: 1}": false, " \n{\"a\": 1}": true, "[1]": true, "a: 1": true, `"a": 1`: true, "- a": true, "\xef\xbb\xbf{}": false, "\xef\xbb\xbfa: 1": true, "": false,
	} {
		if _, err := oas.Parse([]byte(source)); (err == nil) != ok {
			t.Errorf("%q: %v", source, err)
		}
	}
	if _, err := oas.ParseYAML([]byte("{a: 1}")); err != nil {
		t.Error(err)
	}
}

// plainJSON returns the document with each string written in the same way.
func plainJSON(t *testing.T, d *oas.Doc) []byte {
	t.Helper()
	e := oas.Doc{}
	if err := e.Reset([]byte(`[]`)); err != nil {
		t.Fatal(err)
	}
	var add func(to, n oas.Node)
	add = func(to, n oas.Node) {
		var v any = n
		switch n.Kind() {
		case oas.String:
			v = n.Str()
		case oas.Object:
			v = map[string]int{}
		case oas.Array:
			v = []int{}
		}
		var made oas.Node
		var err error
		if to.Kind() == oas.Object {
			made, err = to.Set(n.Key(), v)
		} else {
			made, err = to.Append(v)
		}
		if err != nil {
			t.Fatal(err)
		}
		for c := range n.All() {
			add(made, c)
		}
	}
	add(e.Root(), d.Root())
	return e.JSON()
}

func TestYAMLOutIsTheSameDocument(t *testing.T) {
	for _, source := range append(texts, string(read(t, "testdata/pets.yaml")),
		`{"a":"","b":" x","c":"x ","d":"a: b","e":"a #b","f":"#a","g":"- a","h":"y","i":"No","j":"NULL","k":"1","l":"0x1","m":"1.0","n":"2019-01-01","o":"*a","p":"&a","q":"!a","r":"%a","s":"@a","t":"`+"`"+`a","u":"'","v":"\"","w":"a\\b","x":"a\tb","z":"~"}`,
		`{"a":"one\ntwo","b":"one\ntwo\n","c":"one\ntwo\n\n\n","d":"\none","e":" one\ntwo","f":"one\n two\n  three","g":"one\n\n\ntwo","h":"one\r\ntwo","i":"\n","j":"one\n\ttwo","k":"a\n \n","l":"\ta\nb","m":["a\nb",["c\nd\n"],{"e":"f\n\n"}],"n":"last\n\n"}`,
		`{"a":"\u0000\u0007\u001f\u007f\u0085\u00a0\u2028\u2029\ufeff\ufffd\ufffe\ud834\udd1e\udbff\udfff","\u0000":"\ud83d\ude00"}`,
		`{"200":{"404":1},"true":2,"":3,"a b":4,"a: b":5,"/x/{y}":6,"$ref":"#/a","x-y":7,"<<":8,"-":9,"?":10,"{":11,"[":12,"=":13,"a,b":"c, d"}`,
		`[[1,[2,[3]]],[{"a":[{"b":[]}]}],{"c":{"d":{}}}]`, `{"a":["- x",["? y"]],"b":"---","c":"..."}`,
		`"\u0041\n\tx"`, `{"s":"x`+strings.Repeat(" y", 2000)+`"}`, `{"`+strings.Repeat("k", 2000)+`":1}`,
	) {
		d := parse(t, source)
		out := d.AppendYAML(nil)
		again, err := oas.ParseYAML(out)
		if err != nil {
			t.Errorf("%.300s: %v:\n%s", source, err, out)
			continue
		}
		if got, want := plainJSON(t, again), plainJSON(t, d); !bytes.Equal(got, want) {
			t.Errorf("%.1000s:\n%s\nread as %.1000s", want, out, got)
		}
		if before := d.AppendYAML([]byte("x: 1\n")); string(before) != "x: 1\n"+string(out) {
			t.Errorf("appended: %s", before)
		}
	}
}

func TestYAMLOutReadsWell(t *testing.T) {
	const want = `openapi: 3.1.0
info:
  title: Pets of the world, and more
  version: "1.0"
  description: |
    One.

    Two.
tags:
  - a
  - - b
    - c
  - name: d
    x-empty: {}
paths:
  /pets/{id}:
    $ref: "#/x"
`
	// 3.1.0 begins with a digit, so it is in quotes.
	d := parse(t, want)
	if got := string(d.AppendYAML(nil)); got != strings.Replace(want, "3.1.0", `"3.1.0"`, 1) {
		t.Errorf("got\n%s", got)
	}
}
