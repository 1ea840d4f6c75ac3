package states_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/sourcetest"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/states"
)

const common = `package p
import "sync"
type T struct { b []byte; n int }
type O struct { t *T; open bool; other *T; all []*T }
var pool = sync.Pool{New: func() any { return new(T) }}
func get() *T { return pool.Get().(*T) }
func put(t *T) { pool.Put(t) }
func (o *O) end() { put(o.t); o.t = nil }
func (o *O) endOther() { put(o.other); o.other = nil }
`

// What F does with what the field t of its receiver holds, as its callers know it.
func TestWhatAFunctionDoesWithAField(t *testing.T) {
	for source, want := range map[string]string{
		"func (o *O) F() { put(o.t) }":                                     "puts",
		"func (o *O) F() { put(o.t); o.t = nil }":                          "puts sets",
		"func (o *O) F() { o.end() }":                                      "puts sets",
		"func (o *O) F() { if o.open { put(o.t) } }":                       "may put",
		"func (o *O) F() { if o.t != nil { put(o.t) } }":                   "puts",
		"func (o *O) F() { if o.open { o.end() } }":                        "may put sets",
		"func (o *O) F() int { return o.t.n }":                             "uses",
		"func (o *O) F() { o.t.n++ }":                                      "uses",
		"func (o *O) F() int { if o.t == nil { return 0 }; return o.t.n }": "uses",
		"func (o *O) F() int { if o.open { return o.t.n }; return 0 }":     "may use",
		"func (o *O) F() { o.t = get() }":                                  "",
		"func (o *O) F() { put(o.other) }":                                 "",
		"func (o *O) F() { go o.end() }":                                   "may put sets",
		"func (o *O) F() { defer o.end(); o.t.n++ }":                       "puts sets",
	} {
		t.Run(source, func(t *testing.T) {
			got := ""
			for _, code := range sourcetest.Codes(t, common+source) {
				if code.F.Name() != "F" {
					continue
				}
				e, _ := code.Program.Own(code.F).Field(0, ".0*")
				if e.Param == 0 && !e.Puts && !e.MayPut && !e.Uses && !e.May {
					e, _ = code.Program.Own(code.F).Field(0, ".0")
				}
				for _, says := range []struct {
					is   bool
					what string
				}{{e.Puts, "puts"}, {e.MayPut && !e.Puts, "may put"}, {e.Uses && !e.Puts, "uses"}, {e.May && !e.Uses && !e.Puts && !e.MayPut, "may use"}, {e.Sets && (e.Puts || e.MayPut), "sets"}} {
					if says.is {
						got += " " + says.what
					}
				}
			}
			if got = strings.TrimSpace(got); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

func TestTypesThatAreLent(t *testing.T) {
	for source, want := range map[string]string{
		"type C struct{ n int }; var cs sync.Pool; func F(f func(*C)) { c := cs.Get().(*C); f(c); cs.Put(c) }":    "[C]",
		"type C struct{ n int }; var cs sync.Pool; func F(f func(*C)) { c := cs.Get().(*C); f(c) }":               "[]",
		"type C struct{ n int }; var cs sync.Pool; func F(f func(int)) { c := cs.Get().(*C); f(c.n); cs.Put(c) }": "[]",
		"type C struct{ n int }; func F(f func(*C)) { f(new(C)) }":                                                "[]",
		"type c struct{ n int }; var cs sync.Pool; func F(f func(*c)) { x := cs.Get().(*c); f(x); cs.Put(x) }":    "[]",
	} {
		t.Run(source, func(t *testing.T) {
			var lent []string
			for _, code := range sourcetest.Codes(t, common+source) {
				for _, name := range states.Lends(code, code.F.Pkg.Pkg) {
					lent = append(lent, name.Name())
				}
			}
			if got := fmt.Sprint(lent); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}
