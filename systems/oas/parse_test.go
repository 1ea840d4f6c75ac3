package oas_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/systems/oas"
)

func TestBadJSONIsRefusedWithItsPlace(t *testing.T) {
	for _, c := range []struct {
		name, source      string
		line, col, offset int
		pointer, message  string
	}{
		{"nothing", "", 1, 1, 0, "", "empty"},
		{"only space", " \n ", 2, 2, 3, "", "empty"},
		{"a byte order mark", "\xef\xbb\xbf{}", 1, 1, 0, "", "byte order mark"},
		{"invalid UTF-8 in a string", "{\"a\":\"é\xff\"}", 1, 8, 8, "/a", "not UTF-8"},
		{"invalid UTF-8 outside of one", "[1,\n\x80]", 2, 1, 4, "/1", "not UTF-8"},
		{"a lone high surrogate", `["\ud800"]`, 1, 3, 2, "/0", "high surrogate"},
		{"a high surrogate before something else", `["\ud800\u0041"]`, 1, 3, 2, "/0", "high surrogate"},
		{"a lone low surrogate", `{"a":{"b":"x\udc00"}}`, 1, 13, 12, "/a/b", "low surrogate"},
		{"a control character", "[\"a\tb\"]", 1, 4, 3, "/0", `\u0009`},
		{"a line feed in a string", "[\"0123456789\n\"]", 1, 13, 12, "/0", `\u000a`},
		{"an unknown escape", `["\x"]`, 1, 3, 2, "/0", `no escape`},
		{"three digits", `["\u12g4"]`, 1, 3, 2, "/0", "four hexadecimal"},
		{"the end in an escape", `["\`, 1, 3, 2, "/0", "ends in an escape"},
		{"the end in a string", `{"a": "bc`, 1, 7, 6, "/a", "no end"},
		{"a key without an end", `{"a`, 1, 2, 1, "", "no end"},
		{"a leading zero", `[01]`, 1, 2, 1, "/0", "begin with 0"},
		{"a minus alone", `[-]`, 1, 2, 1, "/0", "after -"},
		{"a plus", `[+1]`, 1, 2, 1, "/0", "'+' stands where a value"},
		{"no digit after the point", `[1.]`, 1, 2, 1, "/0", "after the point"},
		{"no digit before the point", `[.5]`, 1, 2, 1, "/0", "'.' stands where a value"},
		{"no digit in the exponent", `[1e+]`, 1, 2, 1, "/0", "exponent"},
		{"a word that is none", `{"a":[nul]}`, 1, 7, 6, "/a/0", "null"},
		{"a word too long", `{"a":nulls}`, 1, 10, 9, "", "comma or }"},
		{"a capital", `[True]`, 1, 2, 1, "/0", "'T' stands"},
		{"something after the end", "{}\n{}", 2, 1, 3, "", "stands after it"},
		{"no comma", "{\n  \"info\": {\"a\": 1 \"b\": 2}}", 2, 19, 20, "/info", "comma or }"},
		{"a comma too many in an array", `[1,]`, 1, 4, 3, "/1", "']' stands where a value"},
		{"a comma too many in an object", `{"a":1,}`, 1, 8, 7, "", "key in double quotes"},
		{"no colon", `{"a" 1}`, 1, 6, 5, "", "colon"},
		{"no value", `{"a":}`, 1, 6, 5, "/a", "'}' stands where a value"},
		{"a key without quotes", `{a:1}`, 1, 2, 1, "", "key in double quotes"},
		{"no closing brace", `{"a":[1`, 1, 8, 7, "/a", "the end of the source"},
		{"no value at the end", `{"a":`, 1, 6, 5, "/a", "ends where a value"},
		{"an escape in the pointer", `{"a/b":{"m~n":{"\u0022":x}}}`, 1, 25, 24, `/a~1b/m~0n/"`, "'x' stands"},
		{"a key twice", `{"a":{"b":1,"c":2,"b":3}}`, 1, 19, 18, "/a", `"b" twice`},
		{"a key twice, once escaped", "{\"a\":1,\n \"\\u0061\":2}", 2, 2, 9, "", "twice"},
		{"a key twice, escaped twice", `{"\n":1,"\u000a":2}`, 1, 9, 8, "", "twice"},
		{"a key twice among many", `{"1":1,"2":1,"3":1,"4":1,"5":1,"6":1,"7":1,"8":1,"9":1,"a":1,"4":1}`, 1, 62, 61, "", `"4" twice`},
		{"a key twice among many, escaped", `{"1":1,"2":1,"3":1,"4":1,"5":1,"6":1,"7":1,"8":1,"9":1,"a":1,"\u0034":1}`, 1, 62, 61, "", "twice"},
		{"too deep", strings.Repeat("[", oas.MaxDepth+1), 1, 1001, 1000, strings.Repeat("/0", oas.MaxDepth), "deeper than 1000"},
		{"objects too deep", strings.Repeat(`{"a":`, oas.MaxDepth+1), 1, 5001, 5000, strings.Repeat("/a", oas.MaxDepth), "deeper than 1000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := oas.ParseJSON([]byte(c.source))
			var e *oas.SyntaxError
			if !errors.As(err, &e) {
				t.Fatalf("document %v and error %v", d, err)
			}
			if e.Line != c.line || e.Col != c.col || e.Offset != c.offset || e.Pointer != c.pointer || !strings.Contains(e.Msg, c.message) {
				t.Errorf("%v at offset %d,\nwant %d:%d, offset %d, %q, in %q", e, e.Offset, c.line, c.col, c.offset, c.message, c.pointer)
			}
			if d != nil {
				t.Error("a document beside the error")
			}
		})
	}
}

func TestTheErrorReadsAsASentence(t *testing.T) {
	_, err := oas.Parse([]byte("{\n  \"info\": {\"a\": 1 \"b\": 2}}"))
	if want := `2:19: '"' stands where a comma or } should be (in /info)`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestWhatIsAllowed(t *testing.T) {
	for _, source := range []string{
		`{}`, `[]`, ` [ ] `, "\t\r\n{ }\n", `"x"`, `0`, `-0`, `-0.0e-0`, `1E+10`, `123456789012345678901234567890`, `true`, `false`, `null`,
		`["\"\\\/\b\f\n\r\t\u00e9\ud834\udd1e"]`, `{"":{"":[]}}`, `["é𝄞` + "\u2028\x7f" + `"]`,
		strings.Repeat("[", oas.MaxDepth) + strings.Repeat("]", oas.MaxDepth),
		`{"1":1,"2":1,"3":1,"4":1,"5":1,"6":1,"7":1,"8":1}`, `{"a":1,"A":1,"a ":1,"\u0061\u0061":1}`,
	} {
		if _, err := oas.ParseJSON([]byte(source)); err != nil {
			t.Errorf("%.60s: %v", source, err)
		}
	}
}

func TestManyKeysAreFoundOnce(t *testing.T) {
	for _, n := range []int{2, 7, 8, 9, 15, 16, 17, 1000, 70_000} {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `%c"k%d":%d`, ",{"[min(1, max(0, 1-i))], i, i)
		}
		if _, err := oas.ParseJSON([]byte(b.String() + "}")); err != nil {
			t.Errorf("%d keys: %v", n, err)
		}
		for _, again := range []int{0, n / 2, n - 1} {
			source := fmt.Sprintf(`%s,"k%d":0}`, b.String(), again)
			var e *oas.SyntaxError
			if _, err := oas.ParseJSON([]byte(source)); !errors.As(err, &e) || e.Offset != b.Len()+1 {
				t.Errorf("%d keys and k%d again: %v", n, again, err)
			}
		}
	}
}

func TestAnObjectInsideOfOneHasKeysOfItsOwn(t *testing.T) {
	var inner strings.Builder
	for i := range 20 {
		fmt.Fprintf(&inner, `%c"k%d":{"k%d":[{"k0":1}]}`, ",{"[min(1, max(0, 1-i))], i, i)
	}
	if _, err := oas.ParseJSON([]byte(`{"k1":` + inner.String() + `}}`)); err != nil {
		t.Error(err)
	}
}

func TestAnEmptyDocumentAnswersWithZeroValues(t *testing.T) {
	var zero oas.Doc
	failed := parse(t, `{"a":1}`)
	if err := failed.Reset([]byte(`{`)); err == nil {
		t.Fatal("no error")
	}
	for name, d := range map[string]*oas.Doc{"zero": &zero, "after an error": failed} {
		n := d.Root()
		if n.Exists() || n.Kind() != oas.Invalid || n.Len() != 0 || n.Key() != "" || n.KeyIs("") || n.Str() != "" || n.Is("") ||
			n.Get("a").Exists() || n.Index(0).Exists() || n.Raw() != nil || n.JSON() != nil || n.Size() != 0 || n.Pointer() != "" || n.Parent().Exists() {
			t.Errorf("%s: the root has something", name)
		}
		if b, ok := n.Bool(); b || ok {
			t.Errorf("%s: a boolean", name)
		}
		if i, ok := n.Int(); i != 0 || ok {
			t.Errorf("%s: an integer", name)
		}
		if f, ok := n.Float(); f != 0 || ok {
			t.Errorf("%s: a number", name)
		}
		if line, col := n.Pos(); line != 0 || col != 0 {
			t.Errorf("%s: a place", name)
		}
		for range n.All() {
			t.Errorf("%s: a child", name)
		}
		if out := d.AppendJSON(nil); out != nil || d.JSON() != nil || d.AppendIndent(nil, "", " ") != nil || d.AppendYAML(nil) != nil || d.Size() != 0 {
			t.Errorf("%s: it has a text", name)
		}
		if n, err := d.WriteTo(nil); n != 0 || err != nil {
			t.Errorf("%s: WriteTo returned %d and %v", name, n, err)
		}
		if _, err := d.At(""); err == nil {
			t.Errorf("%s: At found something", name)
		}
		if _, err := n.Set("a", 1); err == nil {
			t.Errorf("%s: Set set something", name)
		}
		if n.Delete() == nil || n.Replace(1) == nil || n.Rename("a") == nil {
			t.Errorf("%s: an edit edited something", name)
		}
		if r, err := d.Resolve(n); r.Exists() || err != nil {
			t.Errorf("%s: Resolve returned %v and %v", name, r, err)
		}
		if b, err := d.MarshalJSON(); string(b) != "null" || err != nil {
			t.Errorf("%s: MarshalJSON returned %s and %v", name, b, err)
		}
	}
}

func TestANodeKeptAcrossResetPanics(t *testing.T) {
	d := parse(t, `{"a":{"b":1}}`)
	kept := d.Root().Get("a")
	for _, source := range []string{`{"a":{"b":1}}`, `{`} {
		d.Reset([]byte(source))
		for name, use := range map[string]func(){
			"Kind": func() { kept.Kind() }, "Get": func() { kept.Get("b") }, "JSON": func() { kept.JSON() }, "Delete": func() { kept.Delete() },
		} {
			func() {
				defer func() {
					if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), "before Reset") {
						t.Errorf("%s: recovered %v", name, r)
					}
				}()
				use()
			}()
		}
	}
}

func TestAccessors(t *testing.T) {
	d := parse(t, `{"s":"a\"\n","i":-7,"f":1.5,"e":1e2,"big":9223372036854775808,"huge":1e999,"t":true,"x":false,"n":null,"a":[1,[2]],"\u006b\/":"k","":0}`)
	r := d.Root()
	if got := r.Get("s"); got.Str() != "a\"\n" || !got.Is("a\"\n") || got.Is(`a\"\n`) || got.Kind() != oas.String || string(got.Raw()) != `"a\"\n"` {
		t.Errorf("string: %q", got.Str())
	}
	for key, want := range map[string]int64{"i": -7, "e": 100, "": 0} {
		if i, ok := r.Get(key).Int(); !ok || i != want {
			t.Errorf("%s: %d %v", key, i, ok)
		}
	}
	for _, key := range []string{"f", "big", "huge", "s", "n"} {
		if i, ok := r.Get(key).Int(); ok || i != 0 {
			t.Errorf("%s is the integer %d", key, i)
		}
	}
	if f, ok := r.Get("f").Float(); !ok || f != 1.5 {
		t.Errorf("f: %v %v", f, ok)
	}
	if _, ok := r.Get("huge").Float(); ok {
		t.Error("1e999 is a float64")
	}
	if v, ok := r.Get("t").Bool(); !v || !ok {
		t.Error("t")
	}
	if v, ok := r.Get("x").Bool(); v || !ok {
		t.Error("x")
	}
	if _, ok := r.Get("n").Bool(); ok {
		t.Error("n")
	}
	if k := r.Get("k/"); k.Key() != "k/" || !k.KeyIs("k/") || k.KeyIs("k") || k.Str() != "k" {
		t.Errorf("key %q", k.Key())
	}
	if a := r.Get("a"); a.Len() != 2 || a.Index(1).Index(0).Kind() != oas.Number || a.Index(2).Exists() || a.Index(-1).Exists() || a.Get("0").Exists() {
		t.Error("array")
	}
	if r.Len() != 12 || r.Get("nothing").Get("more").Exists() {
		t.Error("object")
	}
	var keys []string
	for n := range r.All() {
		keys = append(keys, n.Key())
	}
	if got := strings.Join(keys, " "); got != "s i f e big huge t x n a k/ " {
		t.Errorf("keys %q", got)
	}
}

func TestPositions(t *testing.T) {
	const inJSON = "{\n \"é\": [1,\n  \"x\"], \"𝄞\": {\"b\":null}}"
	const inYAML = "é: [1,\n  x]\n\"𝄞\": {b: null}\n"
	for source, want := range map[string]map[string][2]int{
		inJSON: {"": {1, 1}, "/é": {2, 7}, "/é/0": {2, 8}, "/é/1": {3, 3}, "/𝄞": {3, 14}, "/𝄞/b": {3, 19}},
		inYAML: {"": {1, 1}, "/é": {1, 4}, "/é/0": {1, 5}, "/é/1": {2, 3}, "/𝄞": {3, 6}, "/𝄞/b": {3, 10}},
	} {
		d := parse(t, source)
		for pointer, place := range want {
			n, err := d.At(pointer)
			if err != nil {
				t.Fatal(err)
			}
			if line, col := n.Pos(); line != place[0] || col != place[1] {
				t.Errorf("%q, %s: %d:%d, want %v", source, pointer, line, col, place)
			}
		}
		added, _ := d.Root().Set("z", 1)
		if line, col := added.Pos(); line != 0 || col != 0 {
			t.Errorf("what was added is at %d:%d", line, col)
		}
	}
}
