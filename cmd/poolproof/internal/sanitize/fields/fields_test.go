package fields

import (
	"go/build"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// scanned returns the result of all packages together.
func scanned(pkgs []Package, actual func(string) string, c *Cache) Result {
	var all []*Facts
	for _, f := range Scan(pkgs, actual, c).facts {
		all = append(all, f)
	}
	return link(all)
}

// owned returns the names of the fields that own their arrays.
func owned(r Result) []string {
	var names []string
	for _, line := range r.Lines() {
		if name, ok := strings.CutPrefix(line, "+"); ok {
			names = append(names, name)
		}
	}
	return names
}

// std is a package of the standard library.
func std(t *testing.T, path string) Package {
	t.Helper()
	p, err := build.Import(path, "", 0)
	if err != nil {
		t.Fatal(err)
	}
	all := Package{Path: path, Standard: true}
	for _, f := range p.GoFiles {
		all.Files = append(all.Files, filepath.Join(p.Dir, f))
	}
	return all
}

func asIs(name string) string { return name }

// pkg writes a package of one file.
func pkg(t *testing.T, code string) Package {
	t.Helper()
	code += appends(code)
	file := filepath.Join(t.TempDir(), "x.go")
	if err := os.WriteFile(file, []byte("package x\n"+code), 0o666); err != nil {
		t.Fatal(err)
	}
	return Package{Path: "example.com/x", Files: []string{file}}
}

// appends is code that appends to each field that holds bytes, of a type of its own: it is
// emptied to be filled again.
func appends(code string) string {
	more := ""
	for _, m := range regexp.MustCompile(`type (\w+(?:\[E any\])?) struct ?{(?: n int;)? ?([a-z, ]+) (\[\]byte|\[\]E|B|net.IP|\[\]net.IP) }`).FindAllStringSubmatch(code, -1) {
		for _, name := range strings.Split(m[2], ", ") {
			more += "\nfunc (x *" + strings.Replace(m[1], " any", "", 1) + ") append" + name + "() { x." + name + " = append(x." + name + ", x." + name + "[0]) }"
		}
	}
	return more
}

func TestFieldsThatAreTruncatedInPlaceAreFound(t *testing.T) {
	for name, test := range map[string]struct{ code, want string }{
		"truncated":                         {"type T struct{ b []byte }\nfunc (t *T) reset() { t.b = t.b[:0] }", "T.b"},
		"from zero":                         {"type T struct{ b []byte }\nfunc (t *T) reset() { t.b = t.b[0:0] }", "T.b"},
		"in parentheses and dereferenced":   {"type T struct{ b []byte }\nfunc f(t *T) { (*t).b = (t.b)[:0] }", "T.b"},
		"appended to":                       {"type T struct{ b []byte }\nfunc (t *T) set(s string) { t.b = append(t.b[:0], s...) }", "T.b"},
		"appended to by strconv":            {"import \"strconv\"\ntype T struct{ b []byte }\nfunc (t *T) set() { t.b = strconv.AppendInt(t.b[:0], 1, 10) }", "T.b"},
		"grown":                             {"import \"slices\"\ntype T struct{ b []byte }\nfunc (t *T) set() { t.b = slices.Grow(t.b[:0], 10) }", "T.b"},
		"appended to twice":                 {"type T struct{ b []byte }\nfunc (t *T) set() { t.b = append(append(t.b[:0], 1), 2) }", "T.b"},
		"several at once":                   {"type T struct{ b, c []byte }\nfunc (t *T) reset() { t.b, t.c = t.b[:0], t.c[:0] }", "T.b T.c"},
		"in a new value":                    {"type T struct{ n int; b []byte }\nfunc (t *T) reset() { *t = T{b: t.b[:0]} }", "T.b"},
		"in a new value of a variable":      {"type T struct{ b []byte }\nvar v T\nfunc reset() { v = T{b: v.b[:0]} }", "T.b"},
		"in a function literal":             {"type T struct{ b []byte }\nvar f = func(t *T) { t.b = t.b[:0] }", "T.b"},
		"of an embedded struct":             {"type A struct{ b []byte }\ntype T struct{ A }\nfunc (t *T) reset() { t.b = t.b[:0] }", "A.b"},
		"of an embedded pointer":            {"type A struct{ b []byte }\ntype T struct{ *A }\nfunc (t *T) reset() { t.b = t.b[:0] }", "A.b"},
		"of a struct in a struct":           {"type A struct{ b []byte }\ntype T struct{ a A }\nfunc (t *T) reset() { t.a.b = t.a.b[:0] }", "A.b"},
		"of a pointer in a struct":          {"type A struct{ b []byte }\ntype T struct{ a *A }\nfunc (t *T) reset() { t.a.b = t.a.b[:0] }", "A.b"},
		"of a struct without a name":        {"type T struct{ a struct{ b []byte } }\nfunc (t *T) reset() { t.a.b = append(t.a.b[:0], 1) }", "T.a.b"},
		"of a generic type":                 {"type T[E any] struct{ b []E }\nfunc (t *T[E]) reset() { t.b = t.b[:0] }\nvar _ = T[int]{}", "T.b"},
		"of an instance of a generic type":  {"type T[E any] struct{ b []E }\nfunc f(t *T[int]) { t.b = t.b[:0] }", "T.b"},
		"of a type under another name":      {"type T struct{ b []byte }\ntype U = T\nfunc f(t *U) { t.b = t.b[:0] }", "T.b"},
		"of elements of a foreign type":     {"import \"net\"\ntype T struct{ b []net.IP }\nfunc (t *T) reset() { t.b = t.b[:0] }", "T.b"},
		"of a named slice type":             {"type B []byte\ntype T struct{ b B }\nfunc (t *T) reset() { t.b = t.b[:0] }", "T.b"},
		"of a foreign slice type":           {"import \"net\"\ntype T struct{ b net.IP }\nfunc (t *T) reset() { t.b = t.b[:0] }", "T.b"},
		"through an index":                  {"type T struct{ b []byte }\nvar all []T\nfunc f(i int) { all[i].b = all[i].b[:0] }", "T.b"},
		"beside code that does not compile": {"type T struct{ b []byte }\nfunc (t *T) reset() { t.b = t.b[:0]; nonsense() }", "T.b"},
		"with cgo":                          {"import \"C\"\ntype T struct{ b []byte }\nfunc (t *T) reset() { C.f(); t.b = t.b[:0] }", "T.b"},

		"out of a pool":                       {"import \"sync\"\nvar pool sync.Pool\ntype T struct{ b []byte }\nfunc get() *T { t := pool.Get().(*T); t.b = t.b[:0]; return t }", "T.b"},
		"out of a pool, if it is one":         {"import \"example.com/pools\"\ntype T struct{ b []byte }\nfunc get() *T { if t, ok := pools.Get().(*T); ok { t.b = t.b[:0]; return t }; return nil }", ""},
		"in a switch by type":                 {"import \"example.com/pools\"\ntype T struct{ b []byte }\nfunc get() { switch t := pools.Get().(type) { case *T: t.b = t.b[:0] } }", "T.b"},
		"by way of a variable":                {"type T struct{ b []byte }\nfunc (t *T) set(s string) { b := t.b[:0]; b = append(b, s...); t.b = b }", "T.b"},
		"by way of a variable, extended last": {"type T struct{ b []byte }\nfunc (t *T) set(s string) { b := t.b[:0]; t.b = append(b, s...) }", "T.b"},
		"by way of a variable, in a loop":     {"type T struct{ b []byte }\nfunc (t *T) set(s string) { b := t.b[:0]; for range 3 { b = append(b, s...) }; t.b = b[:2] }", "T.b"},

		"appended to, and made anew if it is full": {"type T struct{ B []int }\nfunc (t *T) add(p []int) []int { if cap(t.B)-len(t.B) < len(p) { t.B = make([]int, 0, 64) }; t.B = append(t.B, p...); return t.B[len(t.B)-len(p):] }", ""},
		"exchanged with another field":             {"type T struct{ b, c []byte }\nfunc (t *T) add(x byte) { t.b = append(t.b, x) }\nfunc (t *T) drain() []byte { out := t.b; t.b, t.c = t.c[:0], out; return out }", "T.b T.c"},
		"exchanged with a field that is lent":      {"type T struct{ b, c []byte }\nfunc (t *T) add(x byte, p []byte) { t.b = append(t.b, x); t.c = p }\nfunc (t *T) drain() []byte { out := t.b; t.b, t.c = t.c[:0], out; return out }", ""},
		"moved to another field, and never back":   {"type T struct{ b, C []int }\nfunc (t *T) add(x int) { t.b = append(t.b, x) }\nfunc (t *T) drain() { t.C = t.b; t.b = nil }", ""},

		"where another field is lent":           {"type T struct{ in, b []byte }\nfunc (t *T) reset(p []byte) { t.in = p; t.b = t.b[:0] }", "T.b"},
		"where another type's field is lent":    {"type T struct{ b []byte }\ntype U struct{ b []byte }\nfunc (u *U) reset(p []byte) { u.b = p }\nfunc (t *T) reset() { t.b = t.b[:0] }", "T.b"},
		"where a parameter is copied":           {"type T struct{ b []byte }\nfunc (t *T) reset(p []byte) { t.b = append(t.b[:0], p...); t.b = append([]byte(nil), p...) }", "T.b"},
		"where a parameter says how long it is": {"type T struct{ b []byte }\nfunc (t *T) reset(n int) { t.b = t.b[:0]; t.b = t.b[:n]; t.b = make([]byte, n) }", "T.b"},
		"where a variable is stored":            {"type T struct{ b []byte }\nfunc (t *T) reset() { b := make([]byte, 3); t.b = b; t.b = t.b[:0] }", "T.b"},

		// What is none must stay none: each would accuse somebody's legal code.
		"a string":                   {"type T struct{ s string }\nfunc (t *T) reset() { t.s = t.s[:0] }", ""},
		"another field":              {"type T struct{ b, c []byte }\nfunc (t *T) reset() { t.b = t.c[:0] }", ""},
		"another object":             {"type T struct{ b []byte }\nfunc f(t, u *T) { t.b = u.b[:0] }", ""},
		"a parameter":                {"type T struct{ b []byte }\nfunc (t *T) reset(p []byte) { t.b = p[:0] }", ""},
		"a window":                   {"type T struct{ b []byte }\nfunc (t *T) next(n int) { t.b = t.b[n:] }", ""},
		"shortened":                  {"type T struct{ b []byte }\nfunc (t *T) cut(n int) { t.b = t.b[:n] }", "T.b"},
		"its capacity cut":           {"type T struct{ b []byte }\nfunc (t *T) cut() { t.b = t.b[:0:0] }", ""},
		"from elsewhere":             {"type T struct{ b []byte }\nfunc (t *T) cut() { t.b = t.b[1:0] }", ""},
		"read only":                  {"type T struct{ b []byte }\nfunc (t *T) f() []byte { return t.b[:0] }", ""},
		"a new variable":             {"type T struct{ b []byte }\nfunc (t *T) f() { b := t.b[:0]; _ = b }", ""},
		"given to any function":      {"type T struct{ b []byte }\nfunc (t *T) f() { t.b = g(t.b[:0]) }\nfunc g(b []byte) []byte { return b }", "T.b"},
		"a variable of a package":    {"import \"os\"\nfunc f() { os.Args = os.Args[:0] }", ""},
		"a field of a foreign type":  {"import \"net/http\"\nfunc f(r *http.Request) { r.TransferEncoding = r.TransferEncoding[:0] }", ""},
		"a new value of another one": {"type T struct{ b []byte }\nfunc f(t, u *T) { *t = T{b: u.b[:0]} }", ""},
		"a variable that holds something else too":   {"type T struct{ b []byte }\nfunc (t *T) set(p []byte) { b := t.b[:0]; if p != nil { b = p }; t.b = b }", ""},
		"a variable declared for something else":     {"type T struct{ b []byte }\nfunc (t *T) set(p []byte) { var b = p; b = t.b[:0]; t.b = b }", ""},
		"a variable whose address is taken":          {"type T struct{ b []byte }\nfunc (t *T) set(g func(*[]byte)) { b := t.b[:0]; g(&b); t.b = b }", ""},
		"a variable of another object":               {"type T struct{ b []byte }\nfunc f(t, u *T) { b := t.b[:0]; u.b = b }", ""},
		"a variable that is a window":                {"type T struct{ b []byte }\nfunc f(t *T) { b := t.b[:0]; b = append(b, 1, 2); t.b = b[1:] }", "T.b"},
		"a variable out of a call":                   {"type T struct{ b []byte }\nfunc f(t *T, g func() ([]byte, error)) { b := t.b[:0]; b, _ = g(); t.b = b }", ""},
		"a parameter that is set, too":               {"type T struct{ b []byte }\nfunc f(t *T, b []byte) { if b == nil { b = t.b[:0] }; t.b = b }", ""},
		"a variable of a loop":                       {"type T struct{ b []byte }\nfunc f(t *T, all [][]byte) { b := t.b[:0]; for _, b = range all { }; t.b = b }", ""},
		"a variable that is another object by then":  {"type T struct{ b []byte }\nfunc f(t, c *T) { u := t; b := u.b[:0]; b = append(b, 1); u = c; u.b = b }", ""},
		"an array that an assembly function has got": {"type T struct{ b []byte }\nfunc ext(b []byte)\nfunc (t *T) reset() { b := make([]byte, 8); ext(b); t.b = b; t.b = append(t.b[:0], 1) }", ""},
		"an array that a function keeps":             {"type T struct{ b []byte }\nvar last []byte\nfunc keep(b []byte) { last = b }\nfunc (t *T) reset() { b := make([]byte, 8); keep(b); t.b = b; t.b = append(t.b[:0], 1) }", ""},
		"a struct that is a parameter":               {"type T struct{ b []byte }\nfunc f(t T) { p := &t; p.b = append(p.b[:0], 1) }", ""},
		"a struct that is a receiver":                {"type T struct{ b []byte }\nfunc (t T) f() { p := &t; p.b = append(p.b[:0], 1) }", ""},
		"a struct that is a parameter of a literal":  {"type T struct{ b []byte }\nvar f = func(t T) { p := &t; p.b = append(p.b[:0], 1) }", ""},
		"what a range sets":                          {"type T struct{ b []byte }\nfunc (t *T) f(all [][]byte) { for _, t.b = range all { t.b = append(t.b[:0], 1) } }", ""},
		"a struct that a range copies":               {"type T struct{ b []byte }\nfunc f(all []T) { for _, u := range all { p := &u; p.b = append(p.b[:0], 1) } }", ""},
		"a bump allocator by the length":             {"type T struct{ b []byte }\nfunc (t *T) take(n int) []byte { if len(t.b)+n > cap(t.b) { t.b = make([]byte, 0, 256) }; i := len(t.b); t.b = t.b[:i+n]; return t.b[i:] }", ""},
		"a bump allocator by a field":                {"type T struct{ b []byte; off int }\nfunc (t *T) take(n int) []byte { if t.off+n > len(t.b) { t.b, t.off = make([]byte, 256), 0 }; t.off += n; return t.b[t.off-n:t.off] }", ""},
		"a bump allocator that starts anew":          {"type T struct{ b []byte }\nfunc (t *T) take(n int) []byte { if len(t.b)+n > cap(t.b) { t.b = make([]byte, 0, 256) }; i := len(t.b); t.b = t.b[:i+n]; return t.b[i:] }\nfunc (t *T) reset() { t.b = t.b[:0] }", "T.b"},
		"set by reflection":                          {"import \"reflect\"\ntype T struct{ B, c []byte }\nfunc (t *T) reset() { t.B = append(t.B[:0], 1); t.c = append(t.c[:0], 1) }\nfunc set(v, x any) { reflect.ValueOf(v).Field(0).Set(reflect.ValueOf(x)) }", "T.c"},
		"a parameter of the same name":               {"type T struct{ b []byte }\nfunc f(t *T) { b := t.b[:0]; _ = b; g := func(b []byte) { t.b = b }; g(nil) }", ""},
		"set to a parameter elsewhere":               {"type T struct{ b []byte }\nfunc (t *T) reset(p []byte) { t.b = p }\nfunc (t *T) end() { t.b = t.b[:0] }", ""},
		"set to a window of a parameter":             {"type T struct{ b []byte }\nfunc (t *T) reset(p []byte) { t.b = (p)[2:] }\nfunc (t *T) end() { t.b = t.b[:0] }", ""},
		"set to a parameter with more behind it":     {"type T struct{ b []byte }\nfunc (t *T) to(dst []byte) { t.b = append(dst[:0], 1) }\nfunc (t *T) end() { t.b = t.b[:0] }", ""},
		"set to a parameter that was a string":       {"type T struct{ b []byte }\ntype S []byte\nfunc (t *T) to(s S) { t.b = []byte(s) }\nfunc (t *T) end() { t.b = t.b[:0] }", ""},
		"made with a parameter":                      {"type T struct{ n int; b []byte }\nfunc parse(p []byte) { t := &T{b: p}; t.b = t.b[:0] }", ""},
		"made with a parameter, without a name":      {"type T struct{ n int; b []byte }\nfunc parse(p []byte) { t := &T{1, p}; t.b = t.b[:0] }", ""},
		"renewed with a parameter":                   {"type T struct{ b []byte }\nfunc (t *T) reset(p []byte) { *t = T{b: p} }\nfunc (t *T) end() { t.b = t.b[:0] }", ""},
		"set to a parameter in a function literal":   {"type T struct{ b []byte }\nvar f = func(t *T, p []byte) { t.b = p }\nfunc (t *T) end() { t.b = t.b[:0] }", ""},
		"a nested field that is lent":                {"type A struct{ b []byte }\ntype T struct{ a A }\nfunc (t *T) reset(p []byte) { t.a.b = p }\nfunc (a *A) end() { a.b = a.b[:0] }", ""},
		"a new value with two names":                 {"type T struct{ b, c []byte }\nfunc f(t *T) { *t = T{b: t.c[:0]} }", ""},
	} {
		t.Run(name, func(t *testing.T) {
			var want []string
			for _, w := range strings.Fields(test.want) {
				want = append(want, "example.com/x."+w)
			}
			if d := cmp.Diff(want, owned(scanned([]Package{pkg(t, test.code), std(t, "sync"), std(t, "reflect")}, asIs, nil))); d != "" {
				t.Error(d)
			}
		})
	}
}

// Strings in an array that is only appended to may be handed out for good, also where
// New made the array.
func TestAnArrayThatIsOnlyAppendedToIsNotEvenNews(t *testing.T) {
	p := pkg(t, "type T struct{ b []byte }\nfunc (t *T) name(s string) { t.b = append(t.b, s...) }")
	if got := scanned([]Package{p}, asIs, nil).Lines(); !cmp.Equal(got, []string{"!example.com/x.T.b"}) {
		t.Error(got)
	}
}

// What a user stores in an interface may be there for all objects.
func TestAnInterfaceThatIsStored(t *testing.T) {
	for store, want := range map[string]string{"x": "?", "nil": "", "&T{}": "", "new(T)": ""} {
		got := scanned([]Package{pkg(t, "type T struct{ w any }\nfunc (t *T) set(x any) { t.w = "+store+" }")}, asIs, nil).Lines()
		if (want == "") != (len(got) == 0) || want != "" && got[0] != want+"example.com/x.T.w" {
			t.Errorf("%s: %q", store, got)
		}
	}
}

// A part that comes with the object, and that a user may replace, is the object's only until then.
func TestAPartThatIsMadeForEachUserToo(t *testing.T) {
	const code = "import \"sync\"\ntype P struct{ n int }\ntype T struct{ part, other *P }\nvar p = sync.Pool{New: func() any { return &T{part: &P{}, other: &P{}} }}\nfunc (t *T) next() { t.part = &P{} }"
	if got := owned(scanned([]Package{pkg(t, code), std(t, "sync")}, asIs, nil)); !slices.Equal(got, []string{"example.com/x.T.other"}) {
		t.Error(got)
	}
}

// Slices in a map belong to its field as rows do.
func TestSlicesInAMap(t *testing.T) {
	const types = "import \"maps\"\ntype T struct{ m map[string][]byte; o map[string][]byte }\nfunc (t *T) set(k, s string) { t.m[k] = append(t.m[k][:0], s...) }\nvar _ = maps.Copy[map[int]int, map[int]int]\n"
	for name, test := range map[string]struct {
		code string
		own  bool
	}{
		"emptied and filled":         {"", true},
		"read, ranged and emptied":   {"func (t *T) more() (n int) { for k, b := range t.m { n += len(b); delete(t.m, k) }; if t.m != nil { clear(t.m) }; return len(t.m) }", true},
		"a parameter is stored":      {"func (t *T) put(k string, b []byte) { t.m[k] = b }", false},
		"a range sets them":          {"func (t *T) all(l [][]byte) { for _, t.m[\"a\"] = range l { } }", false},
		"of another map":             {"func (t *T) put(k string, b []byte) { t.m[k] = t.o[k]; t.o[k] = b }", false},
		"copied by maps.Copy":        {"func (t *T) put(m map[string][]byte) { maps.Copy(t.m, m) }", false},
		"given to a function":        {"func fill(m map[string][]byte, b []byte) { m[\"a\"] = b }\nfunc (t *T) put(b []byte) { fill(t.m, b) }", false},
		"by way of a variable":       {"func (t *T) put(b []byte) { m := t.m; m[\"a\"] = b }", false},
		"its address is taken":       {"var d interface{ Decode(any) error }\nfunc (t *T) put() { d.Decode(&t.m) }", false},
		"kept by the code that adds": {"var last []byte\nfunc (t *T) put(k string) { b := make([]byte, 9); t.m[k] = b; last = b }", false},
	} {
		t.Run(name, func(t *testing.T) {
			got := owned(scanned([]Package{pkg(t, types+test.code), std(t, "maps")}, asIs, nil))
			if own := slices.Contains(got, "example.com/x.T.m[]"); own != test.own {
				t.Errorf("owned: %q, want T.m[]: %v", got, test.own)
			}
		})
	}
}

// An encoder truncates, the decoder of the same package borrows from its caller.
func TestTheTypeCountsNotOnlyTheName(t *testing.T) {
	p := pkg(t, "type Enc struct{ buf []byte }\ntype Dec struct{ buf []byte }\nfunc (e *Enc) reset() { e.buf = e.buf[:0] }\nfunc (d *Dec) reset(b []byte) { d.buf = b }")
	if got := owned(scanned([]Package{p}, asIs, nil)); !cmp.Equal(got, []string{"example.com/x.Enc.buf"}) {
		t.Errorf("found %q", got)
	}
}

func TestFilesThatCannotBeReadOrParsedArePassedOver(t *testing.T) {
	good := pkg(t, "type T struct{ b []byte }\nfunc (t *T) reset() { t.b = t.b[:0] }")
	broken := pkg(t, "func {{{")
	broken.Path = "example.com/y"
	good.Files = append(good.Files, broken.Files[0], "/nowhere/x.go")
	if got := owned(scanned([]Package{good, broken}, asIs, nil)); len(got) != 1 {
		t.Errorf("found %q", got)
	}
}

func TestAnOverlaidFileIsReadWhereItsTextIs(t *testing.T) {
	old := pkg(t, "type T struct{ b []byte }")
	now := pkg(t, "type T struct{ b []byte }\nfunc (t *T) reset() { t.b = t.b[:0] }")
	got := owned(scanned([]Package{old}, func(string) string { return now.Files[0] }, nil))
	if len(got) != 1 {
		t.Errorf("found %q", got)
	}
}

func TestTheCacheRemembersAndForgets(t *testing.T) {
	file := filepath.Join(t.TempDir(), "deep", "fields.json")
	p := pkg(t, "type T struct{ b []byte }\nfunc (t *T) reset() { t.b = t.b[:0] }")
	scan := func() []string {
		c := Open(file)
		defer func() {
			if err := c.Save(); err != nil {
				t.Error(err)
			}
		}()
		return owned(scanned([]Package{p}, asIs, c))
	}
	if got := scan(); len(got) != 1 {
		t.Fatalf("found %q", got)
	}
	// The same size and time: the cache answers, whatever the file says.
	info, err := os.Stat(p.Files[0])
	if err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(p.Files[0])
	write := func(text string, at time.Time) {
		if err := os.WriteFile(p.Files[0], []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(p.Files[0], at, at); err != nil {
			t.Fatal(err)
		}
	}
	changed := strings.Replace(string(text), "t.b[:0]", "t.b[9:]", 1)
	write(changed, info.ModTime())
	if got := scan(); len(got) != 1 {
		t.Errorf("the cache forgot: %q", got)
	}
	write(changed, info.ModTime().Add(time.Second))
	if got := scan(); len(got) != 0 {
		t.Errorf("the cache answers for another file: %q", got)
	}
	if err := os.WriteFile(file, []byte("{broken"), 0o666); err != nil {
		t.Fatal(err)
	}
	write(string(text), info.ModTime())
	if got := scan(); len(got) != 1 {
		t.Errorf("a broken cache: %q", got)
	}
}

// An external test package sees the tests of its package: what they declare is part of its key.
func TestTheCacheSeesTheTestsThatAnExternalTestImports(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, at time.Time) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
		return file
	}
	now := time.Now()
	x := write("x.go", "package x\ntype T struct{ B []byte }\ntype U struct{ B []byte }\n", now)
	export := write("export_test.go", "package x\nvar V T\n", now)
	ext := write("x_test.go", "package x_test\nimport \"example.com/x\"\nfunc f() { x.V.B = append(x.V.B[:0], 1) }\n", now)
	pkgs := []Package{
		{Path: "example.com/x", Files: []string{x}, Tests: []string{export}},
		{Path: "example.com/x_test", Files: []string{ext}, XTest: true, Imports: []string{"example.com/x"}},
	}
	cache := filepath.Join(dir, "fields.json")
	scan := func() []string {
		c := Open(cache)
		defer func() {
			if err := c.Save(); err != nil {
				t.Error(err)
			}
		}()
		return owned(scanned(pkgs, asIs, c))
	}
	if got := scan(); !slices.Equal(got, []string{"example.com/x.T.B"}) {
		t.Fatalf("found %q", got)
	}
	write("export_test.go", "package x\nvar V U\n", now.Add(time.Second))
	if got := scan(); !slices.Equal(got, []string{"example.com/x.U.B"}) {
		t.Errorf("the cache answers for other tests: %q", got)
	}
}

// A function whose variables are set from each other has more paths than can be
// followed, and is read all the same.
func TestVariablesThatAreSetFromEachOtherAreRead(t *testing.T) {
	code := "type T struct{ b []byte }\nfunc (t *T) reset() { t.b = t.b[:0] }\nfunc join(a, b, c []byte) []byte { return append(a, b...) }\nfunc f() []byte {\nvar v0"
	const n = 24
	for i := 1; i < n; i++ {
		code += ", v" + strconv.Itoa(i)
	}
	code += " []byte\nfor range 3 {\n"
	for i := range n {
		code += "v" + strconv.Itoa(i) + " = join(v" + strconv.Itoa((i+1)%n) + ", v" + strconv.Itoa((i+5)%n) + ", v" + strconv.Itoa((i+11)%n) + ")\n"
	}
	code += "}\nreturn v0\n}\n"
	done := make(chan []string, 1)
	go func() { done <- owned(scanned([]Package{pkg(t, code)}, asIs, nil)) }()
	select {
	case got := <-done:
		if diff := cmp.Diff([]string{"example.com/x.T.b"}, got); diff != "" {
			t.Error(diff)
		}
	case <-time.After(time.Minute):
		t.Fatal("the package is not read within a minute")
	}
}
