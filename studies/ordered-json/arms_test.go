package orderedjson

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/poolproof/poolproof/studies/internal/exact"
)

// TestArmsAgree holds the arms together: all that keep the order return the
// same bytes. It runs before anything is timed.
func TestArmsAgree(t *testing.T) {
	for _, doc := range documents {
		d := doc.get()
		want, err := Grow(d)
		if err != nil {
			t.Fatal(err)
		}
		if len(want) != doc.shape.Size {
			t.Errorf("%s: compact JSON takes %d bytes, want %d", doc.name, len(want), doc.shape.Size)
		}
		if !json.Valid(want) {
			t.Errorf("%s: no JSON", doc.name)
		}
		agree(t, doc.name, d, want)
		t.Logf("result: %s %x", doc.name, sha256.Sum256(want))
	}
}

// agree runs every arm that keeps the order, twice: the second run finds used
// buffers.
func agree(t *testing.T, name string, d *Document, want []byte) {
	t.Helper()
	var wantIndented bytes.Buffer
	if err := json.Indent(&wantIndented, want, "", "  "); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for run := range 2 {
		for _, arm := range orderedArms {
			if got, err := arm.marshal(d); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s, run %d: %s returned %.300q and error %v,\nwant %.300q", name, run, arm.name, got, err, want)
			}
		}
		for _, arm := range indentArms {
			if got, err := arm.marshal(d); err != nil || !bytes.Equal(got, wantIndented.Bytes()) {
				t.Errorf("%s, run %d, indented: %s returned %.300q and error %v,\nwant %.300q", name, run, arm.name, got, err, wantIndented.Bytes())
			}
		}
	}
}

func TestArmsKeepTheOrderOfTheSource(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"an empty mapping", `{}`, `{}`},
		{"keys that are not sorted", "b: 1\na: {d: 2, c: 3}\n", `{"b":1,"a":{"d":2,"c":3}}`},
		{"more keys than a small map holds", "j: 1\ni: 1\nh: 1\ng: 1\nf: 1\ne: 1\nd: 1\nc: 1\nb: 1\na: 1\n",
			`{"j":1,"i":1,"h":1,"g":1,"f":1,"e":1,"d":1,"c":1,"b":1,"a":1}`},
		{"mappings in sequences", "a: [{c: 1, b: 2}, [], [[x]]]\n", `{"a":[{"c":1,"b":2},[],[["x"]]]}`},
		{"scalars of each kind", `a: [s, "", 1, -7, 2.5, 1e100, true, false, null, 18446744073709551615]`,
			`{"a":["s","",1,-7,2.5,1e+100,true,false,null,18446744073709551615]}`},
		{"what encoding/json escapes", `{"<a>&": "<b>&\"\\/\n\u0007\u2028\u007fé𝄞"}`,
			`{"\u003ca\u003e\u0026":"\u003cb\u003e\u0026\"\\/\n\u0007\u2028` + "\u007fé𝄞" + `"}`},
		{"JSON with spaces", ` { "b" : 1 , "a" : [ 2 , 3 ] } `, `{"b":1,"a":[2,3]}`},
		{"each of these alone", `a: ["<", ">", "&", "\"", "\\", "\n", "\u2028", "\u007f", "é", "~ !"]`,
			`{"a":["\u003c","\u003e","\u0026","\"","\\","\n","\u2028","` + "\u007f" + `","é","~ !"]}`},
		{"keys that are numbers", "responses:\n  404: {b: 1, a: [{2: x, 1: {0: y}}]}\n  200: x\n",
			`{"responses":{"404":{"b":1,"a":[{"2":"x","1":{"0":"y"}}]},"200":"x"}}`},
		{"a key that is an alias comes last", "a: &b x\n*b : 1\nb: 2\n", `{"a":"x","b":2,"x":1}`},
		{"a date without quotes is a time, as published", "d: 2019-09-15\n", `{"d":"2019-09-15T00:00:00Z"}`},
		{"an alias is written in the order of its keys", "a: &x {d: 1, c: 2}\nb: *x\n", `{"a":{"d":1,"c":2},"b":{"c":2,"d":1}}`},
		{"merged keys come last, sorted", "a: &x {d: 1, c: 2}\nb: {z: 3, <<: *x}\n", `{"a":{"d":1,"c":2},"b":{"z":3,"c":2,"d":1}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			agree(t, c.name, parse(t, c.source), []byte(c.want))
		})
	}
}

func parse(t *testing.T, source string) *Document {
	t.Helper()
	d, err := Parse([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestArmsWriteTheValuesAsTheyAreNow(t *testing.T) {
	const source = "c: [1, {z: {y: 1, x: 2}}]\nb: {q: 1, p: 2}\na: text\n"
	for _, c := range []struct {
		name string
		edit func(values map[string]any)
		want string
	}{
		{"added keys come last, sorted", func(v map[string]any) { v["z"], v["d"] = 1, map[string]any{"n": 1, "m": 2} },
			`{"c":[1,{"z":{"y":1,"x":2}}],"b":{"q":1,"p":2},"a":"text","d":{"m":2,"n":1},"z":1}`},
		{"an added key that equals a scalar of the source", func(v map[string]any) { v["text"] = 1 },
			`{"c":[1,{"z":{"y":1,"x":2}}],"b":{"q":1,"p":2},"a":"text","text":1}`},
		{"removed keys", func(v map[string]any) { delete(v, "c"); delete(v, "a") }, `{"b":{"q":1,"p":2}}`},
		{"one removed, one added", func(v map[string]any) { delete(v, "c"); v["0"] = 1 }, `{"b":{"q":1,"p":2},"a":"text","0":1}`},
		{"a scalar for a mapping", func(v map[string]any) { v["b"] = 1 }, `{"c":[1,{"z":{"y":1,"x":2}}],"b":1,"a":"text"}`},
		{"a mapping for a scalar", func(v map[string]any) { v["a"] = map[string]any{"f": 1, "e": 2} },
			`{"c":[1,{"z":{"y":1,"x":2}}],"b":{"q":1,"p":2},"a":{"e":2,"f":1}}`},
		{"a sequence for a mapping", func(v map[string]any) { v["b"] = []any{1, "x"} }, `{"c":[1,{"z":{"y":1,"x":2}}],"b":[1,"x"],"a":"text"}`},
		{"a mapping for a sequence whose items look like keys", func(v map[string]any) { v["c"] = map[string]any{"1": 1, "0": 0} },
			`{"c":{"0":0,"1":1},"b":{"q":1,"p":2},"a":"text"}`},
		{"a sequence for a mapping that holds one", func(v map[string]any) {
			v["c"].([]any)[1] = []any{map[string]any{"y": 1, "x": 2}, map[string]any{"y": 1, "x": 2}}
		}, `{"c":[1,[{"x":2,"y":1},{"x":2,"y":1}]],"b":{"q":1,"p":2},"a":"text"}`},
		{"a longer sequence", func(v map[string]any) { v["c"] = []any{1, 2, 3} }, `{"c":[1,2,3],"b":{"q":1,"p":2},"a":"text"}`},
		{"a shorter sequence", func(v map[string]any) { v["c"] = []any{} }, `{"c":[],"b":{"q":1,"p":2},"a":"text"}`},
		{"nothing left", func(v map[string]any) { clear(v) }, `{}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := parse(t, source)
			c.edit(d.values)
			agree(t, c.name, d, []byte(c.want))
		})
	}
}

// The name of an anchor is no key, though an alias has it where a key has its
// own.
func TestAnAddedKeyThatEqualsTheNameOfAnAnchor(t *testing.T) {
	d := parse(t, "a: &b x\n*b : 1\n")
	d.values["b"] = 2
	agree(t, "an anchor", d, []byte(`{"a":"x","b":2,"x":1}`))
}

func TestSortedHasTheSameValuesInAnotherOrder(t *testing.T) {
	d := documents[1].get()
	ordered, _ := Grow(d)
	sorted, err := Sorted(d)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(ordered, sorted) {
		t.Error("the document has its keys in order, so that no test could see it lost")
	}
	var want, got any
	if err := json.Unmarshal(ordered, &want); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(sorted, &got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Error("the values differ")
	}
}

// A result must not change by what is done later: that is what the copy of the
// arm pool is for. The arm lease promises less.
func TestResultsAreTheCallers(t *testing.T) {
	first, second := parse(t, "a: first\n"), parse(t, "b: 2\n")
	for _, arms := range [][]arm{allArms, indentArms} {
		for _, arm := range arms {
			if arm.name == "lease" {
				continue
			}
			for range 20 { // under the race detector a pool keeps not everything
				a, err := arm.marshal(first)
				if err != nil {
					t.Fatal(err)
				}
				want := bytes.Clone(a)
				b, err := arm.marshal(second)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(a, want) {
					t.Fatalf("%s: the first result became %q after the second call, was %q", arm.name, a, want)
				}
				for i := range b[:cap(b)] {
					b[:cap(b)][i] = '?' // the caller may write to all of it
				}
				if a, _ = arm.marshal(first); !bytes.Equal(a, want) {
					t.Fatalf("%s: %q after the caller wrote to a result, want %q", arm.name, a, want)
				}
			}
		}
	}
}

func TestALeaseEndsWithTheNextCall(t *testing.T) {
	var l Lease
	long, short := parse(t, "a: first\n"), parse(t, "b: 2\n")
	a, err := l.JSON(long)
	if err != nil {
		t.Fatal(err)
	}
	b, err := l.JSON(short)
	if err != nil {
		t.Fatal(err)
	}
	if &a[0] != &b[0] {
		t.Error("the second result has memory of its own")
	}
}

func TestAnErrorLeavesNoTrace(t *testing.T) {
	broken, sound := parse(t, "a: 1\n"), parse(t, "b: {d: 1, c: 2}\n")
	broken.values["b"] = math.Inf(1)
	broken.values["c"] = []any{1}
	for _, arms := range [][]arm{allArms, indentArms} {
		for _, arm := range arms {
			want, err := arm.marshal(sound)
			if err != nil {
				t.Fatal(err)
			}
			want = bytes.Clone(want)
			if out, err := arm.marshal(broken); err == nil || out != nil {
				t.Errorf("%s: %q and error %v for infinity, want an error alone", arm.name, out, err)
			}
			if got, err := arm.marshal(sound); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: %q and error %v after the error, want %q", arm.name, got, err, want)
			}
		}
	}
}

func TestManyGoroutinesMarshalOneDocument(t *testing.T) {
	docs := []*Document{documents[0].get(), documents[1].get(), parse(t, "a: 1\n")}
	for _, arm := range []arm{{"pool", Pool}, {"pool, indented", PoolIndent}, {"lean", Lean}} {
		var want [][]byte
		for _, d := range docs {
			out, err := arm.marshal(d)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, out)
		}
		var wg sync.WaitGroup
		for g := range 4 {
			wg.Go(func() {
				for i := range 30 {
					k := (g + i) % len(docs)
					if got, err := arm.marshal(docs[k]); err != nil || !bytes.Equal(got, want[k]) {
						t.Errorf("%s: %.100q and error %v, want %.100q", arm.name, got, err, want[k])
						return
					}
				}
			})
		}
		wg.Wait()
	}
}

// What a pool keeps is what the next user finds in it.
func TestThePoolKeepsSmallBuffersOnly(t *testing.T) {
	exact.Pools(t)
	fits := parse(t, "a: "+strings.Repeat("x", keptSize/4)+"\n")
	large := parse(t, "a: "+strings.Repeat("x", keptSize)+"\n")
	for _, run := range []func(*Document) ([]byte, error){Pool, PoolIndent} {
		for _, c := range []struct {
			name string
			doc  *Document
			kept bool
		}{{"a buffer below the limit", fits, true}, {"a buffer above the limit", large, false}} {
			for range 8 { // what earlier tests left there
				buffers.Get()
			}
			if _, err := run(c.doc); err != nil {
				t.Fatal(err)
			}
			b := buffers.Get()
			if isNew := b.Cap() == 4096; isNew == c.kept {
				t.Errorf("%s: the next user finds one of %d bytes", c.name, b.Cap())
			}
			if b.Len() != 0 {
				t.Errorf("%s: the next user finds %d bytes in it", c.name, b.Len())
			}
		}
	}
}

func TestParseRefusesWhatIsNoDocument(t *testing.T) {
	for _, c := range []struct{ name, source string }{
		{"nothing", ""},
		{"a comment", "# nothing\n"},
		{"a scalar", "text\n"},
		{"a sequence", "- a\n- b\n"},
		{"no YAML", "a: [1\n"},
		{"a key twice", "a: 1\na: 2\n"},
		{"a key that is a mapping", "? {a: 1}\n: 2\n"},
	} {
		if _, err := Parse([]byte(c.source)); err == nil {
			t.Errorf("%s was accepted", c.name)
		}
	}
}

func TestAShapeThatIsTooSmallIsRefused(t *testing.T) {
	s := Small
	s.Size = 100
	if _, err := s.Source(); err == nil || !strings.Contains(err.Error(), "more than wanted") {
		t.Errorf("error %v", err)
	}
	s.Size = 0
	if _, err := s.Source(); err != nil {
		t.Errorf("without a size: %v", err)
	}
}
