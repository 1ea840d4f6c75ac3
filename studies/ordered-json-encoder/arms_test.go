package orderedjsonencoder

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/poolproof/poolproof/studies/internal/exact"
)

// TestArmsAgree holds the arms together: both return the same bytes. It runs
// before anything is timed.
func TestArmsAgree(t *testing.T) {
	for _, v := range values {
		for _, arm := range v.arms {
			for range 3 { // the later ones find a used pool
				if got, err := arm.value.MarshalJSON(); err != nil || string(got) != v.want {
					t.Errorf("%s %s: %s and error %v,\nwant %s", v.name, arm.name, got, err, v.want)
				}
			}
		}
	}
}

func withExtras[E Encoding]() Document[E] {
	d := document[E]()
	d.Extra = map[string]any{"x-a": "<&>"}
	d.Info.Description = "text"
	d.Info.Extra = map[string]any{"x-b": []any{1, true}}
	d.Servers[0].Extra = map[string]any{"x-c": nil}
	item := d.Paths["/orders"]
	item.Extra = map[string]any{"x-d": map[string]any{"n": 1.5}}
	item.Get.Extra = map[string]any{"x-e": "line\n"}
	item.Get.Responses["200"] = Response[E]{Description: "ok", Extra: map[string]any{"x-f": "\u2028"}}
	d.Paths["/orders"] = item
	return d
}

func TestArmsAgreeWithExtensionsEverywhere(t *testing.T) {
	want, err := withExtras[Marshal]().MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"x-a":"\u003c\u0026\u003e"`, `"x-b":[1,true]`, `"x-c":null`, `"x-d":{"n":1.5}`, `"x-e":"line\n"`, `"x-f":"\u2028"`,
		`"operationId":"listOrders"`, `"summary":"List orders"`, `"tags":["orders"]`, `"get":{`, `"post":{`, `"title":"Shop"`,
		`"description":"text"`, `"openapi":"3.0.3"`} {
		if !strings.Contains(string(want), part) {
			t.Errorf("%s lacks %s", want, part)
		}
	}
	if got, err := withExtras[Pool]().MarshalJSON(); err != nil || !bytes.Equal(got, want) {
		t.Errorf("pool: %s and error %v,\nwant %s", got, err, want)
	}
	// And by way of json.Marshal, which calls the methods itself.
	whole, err := json.Marshal(withExtras[Pool]())
	if err != nil || !bytes.Equal(whole, want) {
		t.Errorf("pool, from outside: %s and error %v,\nwant %s", whole, err, want)
	}
}

func TestEmptyFieldsAreLeftOut(t *testing.T) {
	s := Server[Marshal]{URL: "/", Extra: map[string]any{"x-a": 1}}
	if got, err := s.MarshalJSON(); err != nil || string(got) != `{"url":"/","x-a":1}` {
		t.Errorf("%s and error %v", got, err)
	}
}

func TestOnlyTheNewlineOfTheEncoderIsCut(t *testing.T) {
	for _, v := range []any{"", "\n", "a\n", json.RawMessage("[1]")} {
		want, err := Marshal{}.Encode(v)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := (Pool{}).Encode(v); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%q: %q and error %v, want %q", v, got, err, want)
		}
	}
}

// A result must not change by what is done later.
func TestResultsAreTheCallers(t *testing.T) {
	for _, e := range []Encoding{Marshal{}, Pool{}} {
		for range 20 { // under the race detector a pool keeps not everything
			a, err := e.Encode("first")
			if err != nil {
				t.Fatal(err)
			}
			b, err := e.Encode("second")
			if err != nil {
				t.Fatal(err)
			}
			for i := range b[:cap(b)] {
				b[:cap(b)][i] = '?' // the caller may write to all of it
			}
			if _, err := e.Encode("third"); err != nil {
				t.Fatal(err)
			}
			if string(a) != `"first"` {
				t.Fatalf("%T: the first result became %q", e, a)
			}
		}
	}
}

func TestAnErrorLeavesNoTrace(t *testing.T) {
	for _, e := range []Encoding{Marshal{}, Pool{}} {
		if out, err := e.Encode([]any{"begun", math.Inf(1)}); err == nil || out != nil {
			t.Errorf("%T: %q and error %v for infinity, want an error alone", e, out, err)
		}
		if got, err := e.Encode(1); err != nil || string(got) != "1" {
			t.Errorf("%T: %q and error %v after the error, want 1", e, got, err)
		}
	}
}

func TestManyGoroutinesEncode(t *testing.T) {
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 50 {
				v := values[(g+i)%len(values)]
				if got, err := v.arms[1].value.MarshalJSON(); err != nil || string(got) != v.want {
					t.Errorf("%s: %s and error %v, want %s", v.name, got, err, v.want)
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestThePoolKeepsSmallBuffersOnly(t *testing.T) {
	exact.Pools(t)
	for _, c := range []struct {
		name string
		size int
		kept bool
	}{{"a buffer below the limit", keptSize / 4, true}, {"a buffer above the limit", keptSize, false}} {
		for range 8 { // what earlier tests left there
			buffers.Get()
		}
		if _, err := (Pool{}).Encode(strings.Repeat("x", c.size)); err != nil {
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
