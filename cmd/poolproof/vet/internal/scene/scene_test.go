package scene_test

import (
	"fmt"
	"go/types"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/facts"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/sourcetest"
)

// sceneOf returns the events of a source.
func sceneOf(t *testing.T, source string) *events.Events {
	t.Helper()
	return sourcetest.Analyze(t, sourcetest.Common+source, facts.Analyzer).Roots[0].Result.(*events.Events)
}

// How an object is called, and what is known of its memory.
func TestHowTheSourceCallsAnObject(t *testing.T) {
	for source, want := range map[string]string{
		"func F() { t := get(); use(t); put(t) }":                                                                "t, a struct",
		"func F() { var x *T; x = get(); put(x) }":                                                               "x, a struct",
		"func F() { put(get()) }":                                                                                ", a struct",
		"func F(t *T) { put(t) }":                                                                                "t, a struct",
		"type O struct { t *T }; func F(o *O) { put(o.t) }":                                                      "o.t, a struct",
		"var bs sync.Pool; func F() { b := bs.Get().(*bytes.Buffer); bs.Put(b) }":                                "b, a buffer",
		"var bs sync.Pool; func F() { x := bs.Get(); bs.Put(x) }":                                                "x, not known",
		"func F(c chan *T) { t := <-c; put(t) }":                                                                 "t, a struct",
		"func F(c chan *T) { t, ok := <-c; if ok { put(t) } }":                                                   "t, a struct",
		"func F() { t, err := find(); if err == nil { put(t) } }; func find() (*T, error) { return get(), nil }": "t, a struct",
	} {
		t.Run(source, func(t *testing.T) {
			shapes := map[events.Shape]string{events.Struct: "a struct", events.Buffer: "a buffer", events.Interface: "not known"}
			for _, f := range sceneOf(t, source).Funcs {
				if f.Name != "F" {
					continue
				}
				if got := fmt.Sprintf("%s, %s", f.Objects[0].Name, shapes[f.Objects[0].Shape]); got != want {
					t.Errorf("%s, want %s", got, want)
				}
			}
		})
	}
}

// The pools of a source, each with its gets and puts.
func TestPools(t *testing.T) {
	kinds := map[events.PoolKind]string{events.OtherPool: "other", events.GlobalPool: "global", events.FieldPool: "field", events.LocalPool: "local"}
	for source, want := range map[string]string{
		"": "global pool: get of *p.T, put of *p.T",
		"type P struct { ts sync.Pool }; func (p *P) F() { t, ok := p.ts.Get().(*T); if ok { defer p.ts.Put(t) } }": "global pool: get of *p.T, put of *p.T; field ts: get of *p.T if it is one, deferred put of *p.T",
		"func F() { var ts sync.Pool; for range 2 { ts.Put(new(T)) } }":                                             "global pool: get of *p.T, put of *p.T; local ts: put of *p.T in a loop",
		"var all [2]sync.Pool; func F(i int) any { return all[i].Get() }":                                           "global pool: get of *p.T, put of *p.T; global all: get",
		"func F(p *sync.Pool) { x := p.Get(); if x != nil { use(x.(*T)) } }":                                        "global pool: get of *p.T, put of *p.T; local p: get of *p.T or nil",
	} {
		t.Run(source, func(t *testing.T) {
			var said []string
			for _, p := range sceneOf(t, source).Pools {
				name := kinds[p.Kind]
				if p.Var != nil {
					name += " " + p.Var.Name()
				}
				var calls []string
				for _, g := range p.Gets {
					calls = append(calls, "get"+typed(g.Asserted)+when(g.CommaOK, " if it is one")+when(g.NilCheck, " or nil")+when(g.InLoop, " in a loop"))
				}
				for _, put := range p.Puts {
					calls = append(calls, when(put.Deferred, "deferred ")+"put"+typed(put.Type)+when(put.InLoop, " in a loop"))
				}
				said = append(said, name+": "+strings.Join(calls, ", "))
			}
			if got := strings.Join(said, "; "); got != want {
				t.Errorf("%s\nwant %s", got, want)
			}
		})
	}
}

func when(is bool, text string) string {
	if is {
		return text
	}
	return ""
}

func typed(t types.Type) string {
	if t == nil {
		return ""
	}
	return " of " + types.TypeString(t, (*types.Package).Name)
}
