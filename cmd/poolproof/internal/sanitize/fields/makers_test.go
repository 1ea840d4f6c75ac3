package fields

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// registeredTypes returns the names of the types that code of package x registers.
func registeredTypes(t *testing.T, code string) string {
	t.Helper()
	pkgs := []Package{pkg(t, code)}
	for _, path := range []string{"sync", "sync/atomic", "container/list", "time", "bytes", "encoding/json", "runtime", "weak"} {
		pkgs = append(pkgs, std(t, path))
	}
	var names []string
	for name, is := range scanned(pkgs, asIs, nil).Registered {
		name = strings.TrimPrefix(name, "example.com/x.")
		if is.Kept == Memory {
			name += "'s"
		}
		for in, kept := range is.By {
			name += fmt.Sprint(" but ", kept, in[strings.LastIndexByte(in, ':'):])
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

const pooled = "import \"sync\"\ntype T struct{ n int; part *P; next *T; f func() }\ntype P struct{ n int }\nvar all []*T\nvar parts []*P\n"

func TestObjectsThatNewGivesToOthersAreFound(t *testing.T) {
	for name, test := range map[string]struct{ code, want string }{
		"appended":                    {"var p = sync.Pool{New: func() any { x := &T{}; all = append(all, x); return x }}", "T"},
		"appended among others":       {"var p = sync.Pool{New: func() any { x := new(T); all = append(all, nil, x); return x }}", "T"},
		"by another name":             {"var p = sync.Pool{New: func() any { x := &T{}; y := x; all = append(all, y); return x }}", "T"},
		"as the value of a map":       {"var m = map[int]*T{}\nvar p = sync.Pool{New: func() any { x := &T{}; m[1] = x; return x }}", "T"},
		"as the key of a map":         {"var m = map[*T]int{}\nvar p = sync.Pool{New: func() any { x := &T{}; m[x]++; return x }}", "T"},
		"sent":                        {"var c = make(chan *T, 9)\nvar p = sync.Pool{New: func() any { x := &T{}; c <- x; return x }}", "T"},
		"in a struct":                 {"type r struct{ *T }\nvar rs []r\nvar p = sync.Pool{New: func() any { x := &T{}; rs = append(rs, r{x}); return x }}", "T"},
		"in a closure":                {"var fs []func()\nvar p = sync.Pool{New: func() any { x := &T{}; fs = append(fs, func() { x.n++ }); return x }}", "T"},
		"as a method":                 {"func (x *T) add() {}\nvar fs []func()\nvar p = sync.Pool{New: func() any { x := &T{}; fs = append(fs, x.add); return x }}", "T"},
		"the address of a field":      {"var ns []*int\nvar p = sync.Pool{New: func() any { x := &T{}; ns = append(ns, &x.n); return x }}", "T"},
		"a part":                      {"var p = sync.Pool{New: func() any { q := &P{}; parts = append(parts, q); return &T{part: q} }}", "P"},
		"a part of it":                {"var p = sync.Pool{New: func() any { x := &T{part: &P{}}; parts = append(parts, x.part); return x }}", "P T's"},
		"to a variable outside":       {"func f() { var mine *T; p := sync.Pool{New: func() any { x := &T{}; mine = x; return x }}; _, _ = &p, mine }", "T"},
		"to a list in it":             {"var head *T\nvar p = sync.Pool{New: func() any { x := &T{next: head}; head = x; return x }}", "T"},
		"by a function":               {"func add(x *T) { all = append(all, x) }\nvar p = sync.Pool{New: func() any { x := &T{}; add(x); return x }}", "T"},
		"by a function of a function": {"func add(x *T) { all = append(all, x) }\nfunc adds(x *T) { add(x) }\nvar p = sync.Pool{New: func() any { x := &T{}; adds(x); return x }}", "T"},
		"by its own method":           {"func (x *T) add() { all = append(all, x) }\nvar p = sync.Pool{New: func() any { x := &T{}; x.add(); return x }}", "T"},
		"by an interface":             {"type R interface{ Add(any) }\ntype L struct{ all []any }\nfunc (l *L) Add(x any) { l.all = append(l.all, x) }\nvar r R = &L{}\nvar p = sync.Pool{New: func() any { x := &T{}; r.Add(x); return x }}", "T"},
		"by a function value":         {"var add func(*T) int = func(x *T) int { all = append(all, x); return 1 }\nvar p = sync.Pool{New: func() any { x := &T{}; x.n = add(x); return x }}", "T"},
		"by a constructor":            {"func newT() *T { x := &T{}; all = append(all, x); return x }\nvar p = sync.Pool{New: func() any { return newT() }}", "T"},
		"by a named New":              {"func newT() any { x := &T{}; all = append(all, x); return x }\nvar p = sync.Pool{New: newT}", "T"},
		"by a method as New":          {"type R struct{ sync.Pool; all []*T }\nfunc (r *R) newT() any { x := &T{}; r.all = append(r.all, x); return x }\nfunc (r *R) init() { r.New = r.newT }", "T"},
		"by a goroutine":              {"var p = sync.Pool{New: func() any { x := &T{}; go func() { x.n++ }(); return x }}", "T"},
		"by a goroutine of its own":   {"func (x *T) run() {}\nvar p = sync.Pool{New: func() any { x := &T{}; go x.run(); return x }}", "T"},
		"without a New":               {"var p sync.Pool\nfunc get() *T { x, ok := p.Get().(*T); if !ok { x = &T{}; all = append(all, x) }; return x }", "T"},
		"without a New, apart":        {"var p sync.Pool\nfunc get() *T { if x := p.Get(); x != nil { return x.(*T) }; x := &T{}; all = append(all, x); return x }", "T"},
		"of any type":                 {"type G[E any] struct{ sync.Pool; all []*E }\nfunc (g *G[E]) init() { g.New = func() any { x := new(E); g.all = append(g.all, x); return x } }\nvar g G[P]", "P"},

		// What stays with the object, or is kept by its users, is nothing to be silent about.
		"by a hook of a method":                 {"type R struct{ all []*T }\nfunc (r *R) on(x *T) { r.all = append(r.all, x) }\nvar r R\nvar hooks = []func(*T){r.on}\nvar p = sync.Pool{New: func() any { x := &T{}; for _, h := range hooks { h(x) }; return x }}", "T"},
		"as a key that is kept":                 {"var m = map[*T]int{}\nfunc use(x *T) { m[x]++ }", ""},
		"as a key of a field that is kept":      {"var r struct{ m map[*T]bool }\nfunc use(x *T) { if !r.m[x] { r.m[x] = true } }", "T"},
		"as a key, if it is new":                {"var m = map[*T]int{}\nfunc use(x *T) { if _, ok := m[x]; !ok { m[x] = 1 } }", "T"},
		"as a key, below another condition":     {"var m = map[*T]int{}\nfunc use(x *T) { if x.n > 0 { m[x] = 1 } }", ""},
		"as a key that is deleted":              {"var m = map[*T]int{}\nfunc use(x *T) { if m[x] == 0 { m[x] = 1 }; delete(m, x) }", ""},
		"as a key of a map that is cleared":     {"var m = map[*T]int{}\nfunc use(x *T) { if m[x] == 0 { m[x] = 1 }; clear(m) }", ""},
		"as a key of a map that is replaced":    {"var m = map[*T]int{}\nfunc use(x *T) { if m[x] == 0 { m[x] = 1 }; m = map[*T]int{} }", ""},
		"as a key by value":                     {"var m = map[P]int{}\nfunc use(x P) { if m[x] == 0 { m[x] = 1 } }", ""},
		"as a key of a walk that asks first":    {"type w struct{ seen map[*T]bool }\nfunc (w *w) use(x *T) { if !w.seen[x] { w.seen[x] = true } }", ""},
		"by a user of another pool":             {"var q sync.Pool\nfunc get() *T { return p.Get().(*T) }\nvar p = sync.Pool{New: func() any { return &T{} }}\nfunc parse(x *T) (*T, error) { return x, nil }\nfunc serve() error { b := q.Get(); defer q.Put(b); x := get(); y, err := parse(x); if err != nil { return err }; go func() { y.n++ }(); return err }", ""},
		"by a helper that is only called":       {"var hooks = []func(*T){func(x *T) { all = append(all, x) }}\nfunc test() { get := func() *T { x := &T{}; hooks[0](x); return x }; get().n++ }", ""},
		"by a helper that is a New":             {"var hooks = []func(*T){func(x *T) { all = append(all, x) }}\nfunc test() { get := func() any { x := &T{}; hooks[0](x); return x }; q := sync.Pool{New: get}; q.Put(get()) }", "T"},
		"its bytes copied":                      {"type B struct{ buf [8]byte }\nvar log []byte\nfunc write(p []byte) { log = append(log, p...) }\nvar p = sync.Pool{New: func() any { x := &B{}; write(x.buf[:]); return x }}", ""},
		"its bytes kept":                        {"type B struct{ buf [8]byte }\nvar log [][]byte\nfunc write(p []byte) { log = append(log, p) }\nvar p = sync.Pool{New: func() any { x := &B{}; write(x.buf[:]); return x }}", "B"},
		"its elements copied":                   {"var lists [][]*T\nvar p = sync.Pool{New: func() any { x := &T{}; mine := []*T{x}; all = append(all, mine...); return x }}", "T"},
		"its bytes given to a Writer":           {"type W interface{ Write(p []byte) (n int, err error) }\ntype keeper struct{ last []byte }\nfunc (k *keeper) Write(p []byte) (int, error) { k.last = p; return len(p), nil }\nvar w W = &keeper{}\ntype B struct{ buf [8]byte }\nvar p = sync.Pool{New: func() any { x := &B{}; w.Write(x.buf[:]); return x }}", ""},
		"its bytes given to another interface":  {"type W interface{ Keep(p []byte) (n int, err error) }\ntype keeper struct{ last []byte }\nfunc (k *keeper) Keep(p []byte) (int, error) { k.last = p; return len(p), nil }\nvar w W = &keeper{}\ntype B struct{ buf [8]byte }\nvar p = sync.Pool{New: func() any { x := &B{}; w.Keep(x.buf[:]); return x }}", "B"},
		"written to what is kept":               {"type E struct{ buf []byte }\nvar e = &E{}\nfunc (t *T) write(b []byte) []byte { return append(b, byte(t.n)) }\nfunc (e *E) add(t *T) { e.buf = t.write(e.buf) }\nvar p = sync.Pool{New: func() any { x := &T{}; e.add(x); return x }}", ""},
		"written by a function to what is kept": {"var buf []byte\nfunc write(b []byte, t *T) []byte { return append(b, byte(t.n)) }\nvar p = sync.Pool{New: func() any { x := &T{}; buf = write(buf, x); return x }}", ""},
		"memory of it that a method returns":    {"type B struct{ b []byte }\nvar buf []byte\nfunc (b *B) bytes() []byte { return b.b }\nvar p = sync.Pool{New: func() any { x := &B{}; buf = x.bytes(); return x }}", "B"},
		"in a list that a function extends":     {"func add(l []*T, t *T) []*T { return append(l, t) }\nvar p = sync.Pool{New: func() any { x := &T{}; all = add(all, x); return x }}", "T"},
		"as a key of a walk":                    {"type w struct{ seen map[*T]bool }\nfunc (w *w) use(x *T) { w.seen[x] = true }", ""},
		"as a key that is asked for":            {"var m = map[*T]int{}\nfunc use(x *T) int { return m[x] }", ""},
		"at first use":                          {"func use(x *T) { if x.n == 0 { x.n = 1; all = append(all, x) } }", "T"},
		"at first use, else return":             {"func use(x *T) { if x.n != 0 { return }; x.n = 1; all = append(all, x) }", "T"},
		"at first use by a Once":                {"type O struct{ sync.Once }\nvar os []*O\nfunc use(x *O) { x.Do(func() { os = append(os, x) }) }", "O"},
		"to the result of a function":           {"type R struct{ all []*T }\nvar std R\nfunc get() *R { return &std }\nvar p = sync.Pool{New: func() any { x := &T{}; r := get(); r.all = append(r.all, x); return x }}", "T"},
		"by a method of such a result":          {"type R struct{ all []*T }\nvar std R\nfunc get() *R { return &std }\nfunc (r *R) add(x *T) { r.all = append(r.all, x) }\nvar p = sync.Pool{New: func() any { x := &T{}; get().add(x); return x }}", "T"},

		// It is handed to code that keeps nothing.
		"to options":                      {"func with(n int) func(*T) { return func(x *T) { x.n = n } }\nfunc newT(opts ...func(*T)) *T { x := &T{}; for _, o := range opts { o(x) }; return x }\nvar p = sync.Pool{New: func() any { return newT(with(1)) }}", ""},
		"to a method of an option":        {"type O interface{ apply(*T) }\ntype n int\nfunc (n n) apply(x *T) { x.n = int(n) }\nvar os = []O{n(1)}\nvar p = sync.Pool{New: func() any { x := &T{}; for _, o := range os { o.apply(x) }; return x }}", ""},
		"to a type switch":                {"func is(v any) bool { switch v := v.(type) { case *T: return v.n > 0 }; return false }\nvar p = sync.Pool{New: func() any { x := &T{}; is(x); return x }}", ""},
		"to a part of a function's":       {"type R struct{ x *T }\nfunc newR() *R { return &R{} }\nfunc (r *R) set(x *T) { r.x = x }\nvar p = sync.Pool{New: func() any { x := &T{}; r := newR(); r.set(x); return x }}", ""},
		"a source to an interface":        {"type R interface{ Reset(*P) }\ntype Z struct{ src *P }\nfunc (z *Z) Reset(q *P) { z.src = q }\nvar p sync.Pool\nfunc get() *Z { z, ok := p.Get().(*Z); if !ok { z = &Z{} }; var r R = z; r.Reset(&P{}); return z }", ""},
		"in the Once of another":          {"type L struct{ once sync.Once }\ntype O struct{ l *L; n int }\nvar os []*O\nfunc use(x *O) { x.l.once.Do(func() { os = append(os, x) }) }", ""},
		"in a goroutine, not in its Once": {"type O struct{ once sync.Once; n int }\nfunc (x *O) run() { go func() { x.once.Do(func() { x.n++ }) }() }", ""},
		"taken back":                      {"func use(x *T) { if x.n == 0 { x.n = 1; all = append(all, x) } }\nfunc done(x *T) { x.n = 0; all = nil }", ""},
		"nothing":                         {"var p = sync.Pool{New: func() any { return new(T) }}", ""},
		"to itself":                       {"var p = sync.Pool{New: func() any { x := &T{}; x.next = x; return x }}", ""},
		"to its part":                     {"type Q struct{ of *R }\ntype R struct{ q *Q }\nvar p = sync.Pool{New: func() any { x := &R{}; x.q = &Q{of: x}; return x }}", ""},
		"to its closure":                  {"var p sync.Pool\nfunc newT() any { x := &T{}; x.f = func() { p.Put(x) }; return x }\nfunc init() { p.New = newT }", ""},
		"to a deferred function":          {"var p = sync.Pool{New: func() any { x := &T{}; defer func() { x.n = 1 }(); return x }}", ""},
		"its value":                       {"var ts []T\nvar p = sync.Pool{New: func() any { x := &T{}; ts = append(ts, *x); return x }}", ""},
		"a number of it":                  {"var ns []int\nvar p = sync.Pool{New: func() any { x := &T{}; ns = append(ns, x.n); return x }}", ""},
		"to a function that only asks":    {"func ask(x *T) int { return x.n }\nvar p = sync.Pool{New: func() any { x := &T{}; x.n = ask(x) + 1; return x }}", ""},
		"to a method that sets it up":     {"func (x *T) init() *T { x.part = &P{}; return x }\nvar p = sync.Pool{New: func() any { return (&T{}).init() }}", ""},
		"something else":                  {"var p = sync.Pool{New: func() any { parts = append(parts, &P{}); return new(T) }}", ""},
		"by a user":                       {"var p = sync.Pool{New: func() any { return new(T) }}\nfunc use() { x := p.Get().(*T); all = append(all, x) }", ""},
		"by each user":                    {"var p sync.Pool\nfunc use() *T { x, ok := p.Get().(*T); if !ok { x = &T{} }; all = append(all, x); return x }", ""},
		"by a constructor of others":      {"func newP() *P { q := &P{}; parts = append(parts, q); return q }\nvar p = sync.Pool{New: func() any { return new(T) }}", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := registeredTypes(t, pooled+test.code); got != test.want {
				t.Errorf("%s\nregisters %q, want %q", test.code, got, test.want)
			}
		})
	}
}

// What one function keeps says nothing of the objects of another one.
func TestAFunctionThatKeepsNothingIsNamed(t *testing.T) {
	const other = "\nvar q = sync.Pool{New: func() any { return new(bytes.Buffer) }}"
	const code = "import (\"sync\"; \"bytes\")\nvar _ sync.Mutex\nvar all []*bytes.Buffer\nvar lent [][]byte\nvar x struct{ b []byte }\n" // five lines, after that of the package
	for name, test := range map[string]struct{ code, want string }{
		"a New":                       {"var p = sync.Pool{New: func() any { b := new(bytes.Buffer); all = append(all, b); return b }}" + other, "bytes.Buffer but 0:8"},
		"of the standard library":     {"var p = sync.Pool{New: func() any { b := bytes.NewBuffer(nil); all = append(all, b); return b }}" + other, "bytes.Buffer but 0:8"},
		"memory":                      {"var p = sync.Pool{New: func() any { b := new(bytes.Buffer); lent = append(lent, b.Bytes()); return b }}" + other, "bytes.Buffer's but 0:8"},
		"memory in a field":           {"var p = sync.Pool{New: func() any { b := new(bytes.Buffer); x.b = b.Bytes(); return b }}" + other, "bytes.Buffer's but 0:8"},
		"an object and memory":        {"var p = sync.Pool{New: func() any { b := new(bytes.Buffer); all = append(all, b); return b }}\nvar q = sync.Pool{New: func() any { b := new(bytes.Buffer); x.b = b.Bytes(); return b }}", "bytes.Buffer but 1:8"},
		"after a nil Get":             {"var p sync.Pool\nfunc get() *bytes.Buffer { if b := p.Get(); b != nil { return b.(*bytes.Buffer) }; b := new(bytes.Buffer); all = append(all, b); return b }\nfunc more() *bytes.Buffer { if b := p.Get(); b != nil { return b.(*bytes.Buffer) }; return new(bytes.Buffer) }", "bytes.Buffer but 0:9"},
		"a New that may give any":     {"var f func() any\nvar p = sync.Pool{New: func() any { b := new(bytes.Buffer); all = append(all, b); return b }}\nvar q = sync.Pool{New: func() any { if v := f(); v != nil { return v }; return new(bytes.Buffer) }}", "bytes.Buffer"},
		"by a function of both":       {"func mk() *bytes.Buffer { b := new(bytes.Buffer); all = append(all, b); return b }\nvar p = sync.Pool{New: func() any { return mk() }}\nvar q = sync.Pool{New: func() any { return mk() }}", "bytes.Buffer"},
		"at first use":                {"type T struct{ n int }\nvar ts []*T\nfunc use(t *T) { if t.n == 0 { t.n = 1; ts = append(ts, t) } }\nvar p = sync.Pool{New: func() any { return new(T) }}", "T"},
		"two on one line, one keeps":  {"var p, q = sync.Pool{New: func() any { b := new(bytes.Buffer); all = append(all, b); return b }}, sync.Pool{New: func() any { return new(bytes.Buffer) }}", "bytes.Buffer"},
		"memory that a user has":      {"type view struct{ b []byte }\nvar p sync.Pool\nfunc use(v *view) { b, ok := p.Get().(*bytes.Buffer); if !ok { b = new(bytes.Buffer); v.b = b.Bytes() }; p.Put(b) }", ""},
		"what is loaded from another": {"type box struct{ b *bytes.Buffer }\nvar p = sync.Pool{New: func() any { c := &box{b: new(bytes.Buffer)}; all = append(all, c.b); return c.b }}" + other, "box's bytes.Buffer but 0:9"},
	} {
		if got := registeredTypes(t, code+test.code); got != test.want {
			t.Errorf("%s: registers %q, want %q", name, got, test.want)
		}
	}
}

func TestTheStandardLibraryIsKnownToKeepOrNot(t *testing.T) {
	const code = "import (\"sync\"; \"sync/atomic\"; \"container/list\"; \"time\"; \"bytes\"; \"encoding/json\"; \"runtime\"; \"weak\")\n" +
		"type T struct{ n int; buf bytes.Buffer; enc *json.Encoder; timer *time.Timer; at *list.Element }\nvar ptr atomic.Pointer[T]\nvar m sync.Map\nvar l list.List\nvar ws []weak.Pointer[T]\n" +
		"var _ = json.NewEncoder\nvar _ = time.AfterFunc\nvar _ = runtime.SetFinalizer\nvar _ = weak.Make[T]\nvar p = sync.Pool{New: func() any { x := &T{}; "
	for line, want := range map[string]string{
		"m.Store(1, x)":                                 "T",
		"ptr.Store(x)":                                  "T",
		"x.at = l.PushBack(x)":                          "T container/list.Element",
		"time.AfterFunc(1, func() { x.n++ })":           "T",
		"ws = append(ws, weak.Make(x))":                 "T",
		"x.enc = json.NewEncoder(&x.buf)":               "",
		"_ = json.Unmarshal(nil, x)":                    "",
		"runtime.SetFinalizer(x, func(x *T) { x.n++ })": "",
		"x.buf.Grow(9)":                                 "",
		"p2.Put(x)":                                     "",
	} {
		if got := registeredTypes(t, code+line+"; return x }}\nvar p2 sync.Pool\n"); got != want {
			t.Errorf("%s: registers %q, want %q", line, got, want)
		}
	}
}
