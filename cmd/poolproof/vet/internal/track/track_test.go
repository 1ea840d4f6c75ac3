package track_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/sourcetest"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

const common = `package p
import "sync"
type T struct { b []byte; n int }
type O struct { t *T }
var pool = sync.Pool{New: func() any { return new(T) }}
func get() *T { return pool.Get().(*T) }
func put(t *T) { pool.Put(t) }
func use(t *T) { t.n++ }
func fit(t *T) { if cap(t.b) < 10 { pool.Put(t) } }
func may(t *T, x bool) { if x { pool.Put(t) } }
func newO() *O { return &O{get()} }
func (o *O) close() { put(o.t) }
`

// function returns F of a source.
func function(t *testing.T, source string) *track.Code {
	t.Helper()
	codes := sourcetest.Codes(t, common+source)
	i := slices.IndexFunc(codes, func(c *track.Code) bool { return c.F.Name() == "F" })
	if i < 0 {
		t.Fatal("there is no function F")
	}
	return codes[i]
}

func TestTheGetsAndPutsOfAFunction(t *testing.T) {
	for source, want := range map[string]string{
		"func F() { t := get(); put(t) }":                      "get, put",
		"func F() { t := pool.Get().(*T); defer pool.Put(t) }": "get, deferred put",
		"func F() { t := get(); fit(t) }":                      "get, put",
		"func F(x bool) { t := get(); may(t, x) }":             "get, may put",
		"func F(t *T) { use(t) }":                              "",
		"func F() { o := newO(); o.close() }":                  "holder",
		"func F() { t := get(); defer func() { put(t) }() }":   "get, deferred put",
		"func F() { t := get(); go put(t) }":                   "get, put",
		"func F() { t := new(T); put(t) }":                     "put",
	} {
		t.Run(source, func(t *testing.T) {
			code := function(t, source)
			var got []string
			for range code.Gets {
				got = append(got, "get")
			}
			for range code.Holders {
				got = append(got, "holder")
			}
			for _, p := range code.Puts {
				what := "put"
				if !p.Certain {
					what = "may put"
				}
				if p.Call.Deferred() {
					what = "deferred " + what
				}
				got = append(got, what)
			}
			if got := strings.Join(got, ", "); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

// What F does with the object that it gets, on its paths.
func TestWhatAFunctionDoesWithItsObject(t *testing.T) {
	for source, want := range map[string]string{
		"func F() int { t := get(); return t.n }":                        "read",
		"func F() { t := get(); t.n = 1 }":                               "written",
		"func F() *T { t := get(); return t }":                           "returned",
		"func F(c chan *T) { t := get(); c <- t }":                       "sent",
		"func F(o *O) { t := get(); o.t = t }":                           "stored in a field",
		"func F() { t := get(); use(t) }":                                "passed to use",
		"func F() { t := get(); put(t) }":                                "put by put",
		"func F() { t := get(); t = get(); use(t) }":                     "",
		"func F() { t := get(); u := t; t = get(); use(u) }":             "passed to use",
		"func F(x bool) { t := get(); if x { t = new(T) }; use(t) }":     "passed to use",
		"func F() { t := get(); func() { put(t) }() }":                   "put by the function literal",
		"func F() { t := get(); b := t.b; println(cap(b)) }":             "read",
		"func F() bool { t := get(); return t == nil }":                  "",
		"func F() { t := get(); var o O; o.t = t; use(o.t) }":            "passed to use",
		"func F() { t := get(); var o O; o.t = t; o.t = nil; use(o.t) }": "",
		"func F() { var o O; o.t = get(); o.close() }":                   "put by close",
	} {
		t.Run(source, func(t *testing.T) {
			code := function(t, source)
			g := code.Gets[0]
			w := &track.Follower{Table: code.Table, Al: code.AliasesOf(g.Value), Start: g.Call.Instr}
			var said []string
			w.Found = func(_ ssa.Instruction, touch track.Touch, _ *paths.State) bool {
				if s := says(touch); !slices.Contains(said, s) {
					said = append(said, s)
				}
				return true
			}
			if !code.Whole().From(g.Call.Instr, w) {
				t.Fatal("the walk has run out of its budget")
			}
			if got := strings.Join(said, ", "); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// says is what an instruction does, in words.
func says(t track.Touch) string {
	if t.Kind == events.Put {
		return "put by " + t.What
	}
	switch t.How {
	case events.Read:
		return "read"
	case events.Written:
		return "written"
	case events.Returned:
		return "returned"
	case events.Sent:
		return "sent"
	case events.StoredField:
		return "stored in a field"
	case events.Passed:
		return "passed to " + t.What
	}
	return fmt.Sprint(t.How)
}

func TestTwoPoolsThatAreCertainlyNotTheSame(t *testing.T) {
	for source, want := range map[string]bool{
		"var other sync.Pool; func F() { t := get(); other.Put(t) }":                            true,
		"func F() { t := get(); pool.Put(t) }":                                                  false,
		"func F() { t := get(); put(t) }":                                                       false,
		"type P struct { a, b sync.Pool }; func F(p *P) { t := p.a.Get().(*T); p.b.Put(t) }":    true,
		"type P struct { a, b sync.Pool }; func F(p *P) { t := p.a.Get().(*T); p.a.Put(t) }":    false,
		"type P struct { a, b sync.Pool }; func F(p, q *P) { t := p.a.Get().(*T); q.b.Put(t) }": false,
		"var all [4]sync.Pool; func F(i, j int) { t := all[i].Get().(*T); all[j].Put(t) }":      false,
	} {
		t.Run(source, func(t *testing.T) {
			code := function(t, source)
			g, p := code.Gets[0], code.Puts[0]
			from, ok := code.PoolFrom(&g.Call, g.Result())
			to, known := code.PoolTo(&p.Call, p.Index)
			if got := ok && known && from.Other(to); got != want {
				t.Errorf("%t, want %t: %+v, %+v", got, want, from, to)
			}
		})
	}
}
