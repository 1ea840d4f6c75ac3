package fields

import (
	"strings"
	"testing"
)

// Memory that each user begins without is no memory of the object, whatever shows that it is used again.
func TestFieldsThatEachUserBeginsWithout(t *testing.T) {
	const types = "import \"sync\"\nvar p sync.Pool\ntype P struct{ n int }\ntype T struct{ part *P; m map[int]int; b []byte; w any; n int }\n" +
		"func (t *T) all() { if t.part == nil { t.part = &P{} }; if t.m == nil { t.m = map[int]int{} }; if cap(t.b) < 9 { t.b = make([]byte, 9) }; if t.w == nil { t.w = &P{} } }\n"
	const all = "T.b T.m T.part T.w"
	for name, test := range map[string]struct{ code, want string }{
		"nothing drops them":               {"func get() *T { return p.Get().(*T) }", all},
		"one field":                        {"func get() *T { t := p.Get().(*T); t.part = nil; return t }", "T.b T.m T.w"},
		"all of it":                        {"func get() *T { t := p.Get().(*T); *t = T{}; return t }", ""},
		"all but one":                      {"func get() *T { t := p.Get().(*T); *t = T{b: t.b[:0]}; return t }", "T.b"},
		"all but one, without names":       {"func get() *T { t := p.Get().(*T); *t = T{nil, t.m, nil, nil, 0}; return t }", "T.m"},
		"all, and one gets back its own":   {"func get() *T { t := p.Get().(*T); b := t.b[:0]; *t = T{}; t.b = b; return t }", "T.b"},
		"one made for each user":           {"func get() *T { t := p.Get().(*T); t.part = &P{}; t.m = make(map[int]int); return t }", "T.b T.w"},
		"by a method":                      {"func (t *T) reset() { *t = T{} }\nfunc get() *T { t := p.Get().(*T); t.reset(); return t }", ""},
		"by a method of a method":          {"func (t *T) reset() { t.m = nil; t.more() }\nfunc (t *T) more() { t.part = nil }\nfunc get() *T { t := p.Get().(*T); t.reset(); return t }", "T.b T.w"},
		"by a method that calls itself":    {"func (t *T) reset() { t.m = nil; t.reset() }\nfunc get() *T { t := p.Get().(*T); t.reset(); return t }", "T.b T.part T.w"},
		"by a function":                    {"func reset(n int, t *T) { t.m = nil }\nfunc get() *T { t := p.Get().(*T); reset(1, t); return t }", "T.b T.part T.w"},
		"by a method, and its own back":    {"func (t *T) reset() { *t = T{} }\nfunc get() *T { t := p.Get().(*T); b := t.b; t.reset(); t.b = b[:0]; return t }", "T.b"},
		"by the caller of what gets it":    {"func get() *T { return p.Get().(*T) }\nfunc use() { t := get(); t.part = nil; p.Put(t) }", "T.b T.m T.w"},
		"if there is one":                  {"func get() *T { if t, ok := p.Get().(*T); ok { t.part = nil; return t }; return &T{} }", "T.b T.m T.w"},
		"of what it embeds":                {"type U struct{ T; k int }\nfunc get() *U { u := p.Get().(*U); u.T = T{}; return u }", ""},
		"below a condition":                {"func get(x bool) *T { t := p.Get().(*T); if x { t.part = nil }; return t }", all},
		"in a loop":                        {"func get(x int) *T { t := p.Get().(*T); for range x { t.part = nil }; return t }", all},
		"in a closure":                     {"func get() (*T, func()) { t := p.Get().(*T); return t, func() { t.part = nil } }", all},
		"later":                            {"func (t *T) reset() { t.part = nil }\nfunc get() *T { t := p.Get().(*T); defer t.reset(); return t }", all},
		"of a parameter without a Get":     {"func detach(t *T) *P { q := t.part; t.part = nil; return q }", all},
		"of a new one":                     {"func get() *T { t := &T{}; t.part = nil; t.m = nil; return t }", all},
		"where it is too large":            {"func put() { t := p.Get().(*T); if cap(t.b) > 99 { t.b = nil }; p.Put(t) }", all},
		"emptied once by its maker":        {"func newT() *T { return &T{} }\nfunc (t *T) reset() { *t = T{} }\nfunc get() *T { if t := p.Get(); t != nil { return t.(*T) }; t := newT(); t.reset(); return t }", all},
		"emptied by who gets or makes":     {"func newT() *T { return &T{} }\nfunc get() *T { if t := p.Get(); t != nil { return t.(*T) }; return newT() }\nfunc use() { t := get(); *t = T{} }", ""},
		"of a hook":                        {"var get func() *T\nfunc use() { t := get(); *t = T{} }", ""},
		"of another type":                  {"type U struct{ part *P }\nfunc get() *U { u := p.Get().(*U); u.part = nil; return u }", all},
		"one made by the user of a getter": {"func get() *T { return p.Get().(*T) }\nfunc use() { t := get(); t.m = make(map[int]int); p.Put(t) }", all},
		"made by one that returns any":     {"func newT() any { return &T{} }\nfunc get() *T { t := newT().(*T); t.part = nil; return t }", all},
		"made by one, named":               {"func newT() (x any, err error) { x = new(T); return x, nil }\nfunc get() *T { x, _ := newT(); t := x.(*T); t.part = nil; return t }", all},
		"got by one that returns any":      {"func get() any { return p.Get() }\nfunc use() { t := get().(*T); t.part = nil; p.Put(t) }", "T.b T.m T.w"},
		"got or made, as any":              {"func get() any { if x := p.Get(); x != nil { return x }; return &T{} }\nfunc use() { t := get().(*T); t.part = nil; p.Put(t) }", "T.b T.m T.w"},
		"by way of what returns it":        {"func same(x any) any { return x }\nfunc use() { t := same(p.Get()).(*T); t.part = nil; p.Put(t) }", "T.b T.m T.w"},
		"by way of a typed one":            {"func same(t *T) *T { return t }\nfunc use() { t := same(p.Get().(*T)); t.part = nil; p.Put(t) }", "T.b T.m T.w"},
		"made once by a constructor":       {"func newT() *T { return &T{} }\nfunc get() *T { t := newT(); t.m = make(map[int]int); return t }", all},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, f := range owned(scanned([]Package{pkg(t, types+test.code), std(t, "sync")}, asIs, nil)) {
				if f = strings.TrimPrefix(f, "example.com/x."); f != "U.part" {
					got = append(got, f)
				}
			}
			if s := strings.Join(got, " "); s != test.want {
				t.Errorf("owned: %q, want %q", s, test.want)
			}
		})
	}
}
