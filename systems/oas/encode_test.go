package oas_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/systems/oas"
)

var texts = []string{
	`{}`, `[]`, ` { } `, `{"b":1,"a":{"d":[],"c":{}}}`, "{ \"b\" : 1 ,\n\"a\" : [ 2 , { \"x\" : \"<&>\" } ] }",
	`[1.0,1e2,-0,"\u003c\/é` + "\u2028" + `",true,false,null]`, `[[[[]]],[[],[{}]]]`, `"only a string"`, `12`,
	`{"":{"":[0]}}`, `[ 1 , 2 ]`, `{"a":[1 ,2]}`,
}

func TestTextsAreKept(t *testing.T) {
	for _, source := range texts {
		d, err := oas.ParseJSON([]byte(source))
		if err != nil {
			t.Fatal(err)
		}
		same(t, d, []byte(source))
	}
}

// same checks everything that d can be written as against encoding/json.
func same(t *testing.T, d *oas.Doc, source []byte) {
	t.Helper()
	want := compact(t, source)
	if got := d.JSON(); !bytes.Equal(got, want) || cap(got) != len(got) && cap(got) != 0 {
		t.Errorf("JSON returned %.200s with room for %d, want %.200s", got, cap(got), want)
	}
	if got := d.AppendJSON([]byte("before ")); string(got) != "before "+string(want) {
		t.Errorf("AppendJSON returned %.200s", got)
	}
	if d.Size() != len(want) {
		t.Errorf("Size is %d, want %d", d.Size(), len(want))
	}
	var b bytes.Buffer
	if n, err := d.WriteTo(&b); err != nil || n != int64(len(want)) || !bytes.Equal(b.Bytes(), want) {
		t.Errorf("WriteTo wrote %d bytes %.200s, error %v", n, b.Bytes(), err)
	}
	for _, c := range [][2]string{{"", "  "}, {"", "\t"}, {"> ", ""}, {"\t", "    "}} {
		var indented bytes.Buffer
		if err := json.Indent(&indented, want, c[0], c[1]); err != nil {
			t.Fatal(err)
		}
		if got := d.AppendIndent(nil, c[0], c[1]); !bytes.Equal(got, indented.Bytes()) {
			t.Errorf("indented by %q: %.300s,\nwant %.300s", c, got, indented.Bytes())
		}
	}
}

func TestEachNodeKnowsItsSizeAndItsPointer(t *testing.T) {
	for _, source := range append(texts, string(read(t, "testdata/pets.yaml"))) {
		d := parse(t, source)
		for _, n := range nodes(d) {
			if text := n.JSON(); len(text) != n.Size() || !bytes.Equal(n.Raw(), text) {
				t.Errorf("%s: %d bytes, Size %d, Raw %.100s", n.Pointer(), len(text), n.Size(), n.Raw())
			}
			for _, pointer := range []string{n.Pointer(), "#" + strings.ReplaceAll(n.Pointer(), "%", "%25")} {
				if found, err := d.At(pointer); err != nil || found != n {
					t.Errorf("At(%q): %v", pointer, err)
				}
			}
		}
	}
}

func TestResetEqualsParse(t *testing.T) {
	var reused oas.Doc
	sources := append([]string{`{"a":1`, "a: [1\n", string(read(t, "testdata/pets.yaml"))}, texts...)
	for round := range 3 {
		for i := range sources {
			source := sources[(i*7+round)%len(sources)]
			fresh, err := oas.Parse([]byte(source))
			again := reused.Reset([]byte(source))
			if fmt.Sprint(err) != fmt.Sprint(again) {
				t.Fatalf("%.100s: %v, and %v in a used Doc", source, err, again)
			}
			if err != nil {
				continue
			}
			if !bytes.Equal(fresh.JSON(), reused.JSON()) || !bytes.Equal(fresh.AppendIndent(nil, "", " "), reused.AppendIndent(nil, "", " ")) {
				t.Fatalf("%.100s: %s, and %s in a used Doc", source, fresh.JSON(), reused.JSON())
			}
			if a, b := len(nodes(fresh)), len(nodes(&reused)); a != b {
				t.Fatalf("%.100s: %d nodes, and %d in a used Doc", source, a, b)
			}
		}
	}
}

func TestTheSourceIsNotWrittenTo(t *testing.T) {
	const source = `{"a": [1, {"b": 2}]}`
	memory := []byte(source + strings.Repeat("#", 1000))
	d, err := oas.Parse(memory[:len(source)])
	if err != nil {
		t.Fatal(err)
	}
	d.Root().Set("c", strings.Repeat("x", 100))
	d.Root().Get("a").Append(1)
	_ = append(d.Root().Get("a").Index(0).Raw(), "overwritten"...)
	d.AppendIndent(nil, "", " ")
	if string(memory) != source+strings.Repeat("#", 1000) {
		t.Errorf("the caller's memory became %q", memory)
	}
}

// slow takes some bytes of each Write, then fails.
type slow struct {
	bytes.Buffer
	writes, fails int
	short         bool
}

func (s *slow) Write(p []byte) (int, error) {
	s.writes++
	if s.writes == s.fails {
		if s.short {
			return s.Buffer.Write(p[:len(p)/2])
		}
		return 0, errors.New("the line is cut")
	}
	return s.Buffer.Write(p)
}

func TestWriteToOfLargeDocuments(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"long":"` + strings.Repeat("x", 100_000) + `","list":[0`)
	for i := range 30_000 {
		fmt.Fprintf(&b, `, {"i":%d}`, i)
	}
	b.WriteString(`]}`)
	d := parse(t, b.String())
	var out slow
	n, err := d.WriteTo(&out)
	if err != nil || n != int64(d.Size()) || !bytes.Equal(out.Bytes(), d.JSON()) {
		t.Fatalf("%d bytes of %d, error %v", n, d.Size(), err)
	}
	if most := d.Size()/(32<<10) + 4; out.writes > most {
		t.Errorf("%d writes for %d bytes", out.writes, d.Size())
	}
	for _, short := range []bool{false, true} {
		out := slow{fails: 3, short: short}
		n, err := d.WriteTo(&out)
		if err == nil || n != int64(out.Len()) || out.writes != 3 {
			t.Errorf("%d bytes of %d that were written, error %v after %d writes", n, out.Len(), err, out.writes)
		}
	}
}
