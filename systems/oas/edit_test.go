package oas_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/poolproof/poolproof/systems/oas"
)

const shop = `{"openapi":"3.1.0","info":{"title":"Shop","x-a":1},"tags":[1,{"n":2},3],"paths":{}}`

func TestEditsAreWritten(t *testing.T) {
	other := parse(t, `{"z":{"y":[1.0,"\u0041"],"x":2}}`)
	for _, c := range []struct {
		name string
		edit func(r oas.Node) error
		want string
	}{
		{"a new member comes last", func(r oas.Node) error { _, err := r.Get("info").Set("version", "1"); return err },
			strings.Replace(shop, `"x-a":1`, `"x-a":1,"version":"1"`, 1)},
		{"a member that is there keeps its place", func(r oas.Node) error { _, err := r.Set("info", 12); return err },
			strings.Replace(shop, `{"title":"Shop","x-a":1}`, `12`, 1)},
		{"the first member of an empty object", func(r oas.Node) error { _, err := r.Get("paths").Set("/a", nil); return err },
			strings.Replace(shop, `"paths":{}`, `"paths":{"/a":null}`, 1)},
		{"an element more", func(r oas.Node) error { _, err := r.Get("tags").Append(true); return err },
			strings.Replace(shop, `,3]`, `,3,true]`, 1)},
		{"an element replaced", func(r oas.Node) error { return r.Get("tags").Index(1).Replace("<&>") },
			strings.Replace(shop, `{"n":2}`, `"<&>"`, 1)},
		{"the root replaced", func(r oas.Node) error { return r.Replace(json.RawMessage(" [ 1 ] ")) }, `[1]`},
		{"the first member deleted", func(r oas.Node) error { return r.Get("openapi").Delete() }, strings.Replace(shop, `"openapi":"3.1.0",`, ``, 1)},
		{"the last element deleted", func(r oas.Node) error { return r.Get("tags").Index(2).Delete() }, strings.Replace(shop, `,3]`, `]`, 1)},
		{"all elements deleted while they are looked at", func(r oas.Node) error {
			for n := range r.Get("tags").All() {
				if err := n.Delete(); err != nil {
					return err
				}
			}
			return nil
		}, strings.Replace(shop, `[1,{"n":2},3]`, `[]`, 1)},
		{"a key", func(r oas.Node) error { return r.Get("tags").Rename("x-\"t\"") }, strings.Replace(shop, `"tags"`, `"x-\"t\""`, 1)},
		{"a key that is the same", func(r oas.Node) error { return r.Get("tags").Rename("tags") }, shop},
		{"a copy of a value of another document", func(r oas.Node) error { _, err := r.Set("x-z", other.Root().Get("z")); return err },
			shop[:len(shop)-1] + `,"x-z":{"y":[1.0,"\u0041"],"x":2}}`},
		{"a copy of a value into itself", func(r oas.Node) error { _, err := r.Get("info").Set("x-info", r.Get("info")); return err },
			strings.Replace(shop, `"x-a":1}`, `"x-a":1,"x-info":{"title":"Shop","x-a":1}}`, 1)},
		{"a whole document as a value", func(r oas.Node) error { return r.Get("paths").Replace(other) },
			strings.Replace(shop, `"paths":{}`, `"paths":{"z":{"y":[1.0,"\u0041"],"x":2}}`, 1)},
		{"values that encoding/json marshals", func(r oas.Node) error {
			return r.Get("tags").Replace(struct {
				A []float64 `json:"a"`
				B string
			}{[]float64{1.5}, "<"})
		}, strings.Replace(shop, `[1,{"n":2},3]`, `{"a":[1.5],"B":"<"}`, 1)},
		{"text with control characters", func(r oas.Node) error { return r.Get("tags").Replace("a\x00\t\u2028b") },
			strings.Replace(shop, `[1,{"n":2},3]`, `"a`+`\u0000\t`+"\u2028"+`b"`, 1)},
		{"edits of what an edit has brought", func(r oas.Node) error {
			n, err := r.Set("a", map[string]int{})
			if err != nil {
				return err
			}
			if _, err = n.Set("b", []int{1}); err != nil {
				return err
			}
			if _, err = n.Get("b").Append(n); err != nil {
				return err
			}
			return n.Get("b").Index(0).Delete()
		}, shop[:len(shop)-1] + `,"a":{"b":[{"b":[1]}]}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, d := range []*oas.Doc{parse(t, shop), parse(t, string(parse(t, shop).AppendIndent(nil, "", " "))), parse(t, string(parse(t, shop).AppendYAML(nil)))} {
				before := d.Clone()
				if err := c.edit(d.Root()); err != nil {
					t.Fatal(err)
				}
				same(t, d, []byte(c.want))
				same(t, before, []byte(shop))
				for _, n := range nodes(d) {
					if found, err := d.At(n.Pointer()); err != nil || found != n {
						t.Errorf("At(%q): %v", n.Pointer(), err)
					}
				}
				same(t, d.Clone(), []byte(c.want))
			}
		})
	}
}

func TestEditsThatAreRefusedChangeNothing(t *testing.T) {
	d := parse(t, shop)
	r := d.Root()
	gone := r.Get("tags").Index(0)
	if err := gone.Delete(); err != nil {
		t.Fatal(err)
	}
	want := d.JSON()
	for name, edit := range map[string]func() error{
		"Set on an array":               func() error { _, err := r.Get("tags").Set("a", 1); return err },
		"Append to an object":           func() error { _, err := r.Append(1); return err },
		"a value that is not JSON":      func() error { _, err := r.Set("a", json.RawMessage("{")); return err },
		"the same in an array":          func() error { _, err := r.Get("tags").Append(json.RawMessage("")); return err },
		"a key twice":                   func() error { return r.Get("info").Replace(json.RawMessage(`{"a":1,"a":2}`)) },
		"infinity":                      func() error { _, err := r.Set("a", math.Inf(1)); return err },
		"a channel":                     func() error { return r.Get("info").Replace(make(chan int)) },
		"no Node":                       func() error { _, err := r.Set("a", oas.Node{}); return err },
		"the root deleted":              func() error { return r.Delete() },
		"what is deleted already":       func() error { return gone.Delete() },
		"text that is not UTF-8":        func() error { return r.Get("tags").Replace("a\xff") },
		"a key that is not UTF-8":       func() error { _, err := r.Set("\xff", 1); return err },
		"a member of what is gone":      func() error { _, err := gone.Set("a", 1); return err },
		"another value of what is gone": func() error { return gone.Replace(1) },
		"a key that another has":        func() error { return r.Get("tags").Rename("info") },
		"a key for an element":          func() error { return r.Get("tags").Index(0).Rename("a") },
		"a key for the root":            func() error { return r.Rename("a") },
		"a key for what was deleted":    func() error { return gone.Rename("a") },
	} {
		if err := edit(); err == nil {
			t.Errorf("%s: no error", name)
		} else if !strings.HasPrefix(err.Error(), "oas: ") {
			t.Errorf("%s: %v", name, err)
		}
		if got := d.JSON(); string(got) != string(want) {
			t.Errorf("%s: the document became %s", name, got)
		}
	}
	if gone.Pointer() != "" || gone.Parent().Exists() {
		t.Error("what was deleted has a place")
	}
}

// A model of a document: encoding/json's values with the order of the keys.
type model struct {
	keys []string
	list []*model
	text string
}

func (m *model) json() string {
	var b strings.Builder
	switch {
	case m.text != "":
		return m.text
	case m.keys != nil:
		b.WriteByte('{')
		for i, key := range m.keys {
			b.WriteString(",\""[min(1, max(0, 1-i)):] + key + `":` + m.list[i].json())
		}
		b.WriteByte('}')
	default:
		b.WriteByte('[')
		for i, e := range m.list {
			b.WriteString(","[min(1, max(0, 1-i)):] + e.json())
		}
		b.WriteByte(']')
	}
	return b.String()
}

func TestEditsAgreeWithAModel(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 0))
		d := parse(t, "[]")
		root := &model{}
		type pair struct {
			n oas.Node
			m *model
		}
		values := []pair{{d.Root(), root}}
		drop := map[*model]bool{}
		var forget func(m *model)
		forget = func(m *model) {
			drop[m] = true
			for _, c := range m.list {
				forget(c)
			}
		}
		fresh := func() (any, *model) {
			switch r.IntN(3) {
			case 0:
				return []int{}, &model{}
			case 1:
				return map[string]int{}, &model{keys: []string{}}
			}
			return 7, &model{text: "7"}
		}
		for range 60 {
			p := values[r.IntN(len(values))]
			if drop[p.m] {
				continue
			}
			v, m := fresh()
			var n oas.Node
			var err error
			switch op := r.IntN(10); {
			case op < 7 && p.m.keys != nil:
				key := string(rune('a' + r.IntN(5)))
				at := -1
				for i, k := range p.m.keys {
					if k == key {
						at = i
					}
				}
				if n, err = p.n.Set(key, v); at >= 0 {
					forget(p.m.list[at])
					p.m.list[at] = m
				} else {
					p.m.keys, p.m.list = append(p.m.keys, key), append(p.m.list, m)
				}
				values = append(values, pair{n, m})
			case op < 7 && p.m.text == "":
				n, err = p.n.Append(v)
				p.m.list = append(p.m.list, m)
				values = append(values, pair{n, m})
			case len(p.m.list) > 0:
				i := r.IntN(len(p.m.list))
				c := p.m.list[i]
				switch {
				case op == 7 && p.m.keys != nil:
					if key := string(rune('f' + i)); p.n.Get(key).Exists() {
						continue
					} else {
						err = p.n.Index(i).Rename(key)
						p.m.keys[i] = key
					}
				default:
					err = p.n.Index(i).Delete()
					forget(c)
					p.m.list = append(p.m.list[:i:i], p.m.list[i+1:]...)
					if p.m.keys != nil {
						p.m.keys = append(p.m.keys[:i:i], p.m.keys[i+1:]...)
					}
				}
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if got := string(d.JSON()); got != root.json() {
			t.Fatalf("seed %d: %s,\nwant %s", seed, got, root.json())
		}
		same(t, d, []byte(root.json()))
	}
}

func TestManyGoroutinesReadAnEditedDocument(t *testing.T) {
	d := parse(t, shop)
	d.Root().Set("x-more", d.Root())
	want := string(d.JSON())
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 100 {
				if got := string(d.JSON()); got != want {
					t.Errorf("%s", got)
				}
				d.Root().Get("x-more").Get("tags").Index(1).Pointer()
			}
		})
	}
	wg.Wait()
}

func TestReferences(t *testing.T) {
	d := parse(t, `{"a":{"$ref":"#/b"},"b":{"$ref":"#/c~1d/0"},"c/d":[{"x":1}],"self":{"$ref":"#/self"},"one":{"$ref":"#/two"},"two":{"$ref":"#/one"},
		"far":{"$ref":"other.json#/a"},"lost":{"$ref":"#/lost/lost"},"number":{"$ref":1},"root":{"$ref":"#"},"space":{"$ref":"#/e%20f%25"},"e f%":2,
		"named":{"$anchor":"pet","y":1},"to":{"$ref":"#pet"},"noname":{"$ref":"#cat"},"bad":{"$ref":"#/%zz"},
		"~1":3,"tilde":{"$ref":"#/~01"},"l1":{"$ref":"#/l2"},"l2":{"$ref":"#/l3"},"l3":{"$ref":"#/l4"},"l4":{"$ref":"#/l5"},"l5":{"$ref":"#/l6"},"l6":{"$ref":"#/c~1d"}}`)
	for key, want := range map[string]string{"a": "/c~1d/0", "b": "/c~1d/0", "c/d": "/c~1d", "number": "/number", "root": "", "space": "/e f%", "to": "/named", "l1": "/c~1d", "tilde": "/~01"} {
		if n, err := d.Resolve(d.Root().Get(key)); err != nil || n.Pointer() != want || !n.Exists() {
			t.Errorf("%s: %s, %v, want %s", key, n.Pointer(), err, want)
		}
	}
	for key, want := range map[string]string{"self": "back to itself", "one": "back to itself", "far": "another document", "lost": "leads nowhere", "noname": "$anchor", "bad": "%zz"} {
		if n, err := d.Resolve(d.Root().Get(key)); err == nil || !strings.Contains(err.Error(), want) || n.Exists() {
			t.Errorf("%s: %v, want %q", key, err, want)
		}
	}
	if _, err := d.Resolve(d.Root().Get("far")); !errors.Is(err, oas.ErrExternal) {
		t.Error(err)
	}
	for pointer, want := range map[string]string{
		"a": "must be a /", "/a/~2": "~ without", "/a/b~": "~ without", "/none": `the document has no member "none"`, "/c~1d/1": "/c~1d has no element 1", "/c~1d/01": "is not an index",
		"/c~1d/-": "is not an index", "/c~1d/+0": "is not an index", "/c~1d/": "is not an index", "/e f%/x": "is a number", "#/%": "%", "/c~1d/0/x/": "/c~1d/0/x is a number", "/c~1d/99999999999": "is not an index",
	} {
		if n, err := d.At(pointer); err == nil || !strings.Contains(err.Error(), want) || n.Exists() {
			t.Errorf("At(%q): %v, want %q", pointer, err, want)
		}
	}
}
