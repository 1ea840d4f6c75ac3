package attribute

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
)

// The module under test. A comment "at NAME" marks a line.
var module = map[string]string{
	"go.mod": "module example.org/m\n\ngo 1.24\n",
	"enc/enc.go": `package enc

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

type node struct{ next *node }

func kinds(n int, m map[string]int, p []byte, s string) any {
	a := make([]int, n)         // at make
	a = append(a, n)            // at append
	b := &node{}                // at literal
	c := new(node)              // at new
	d := string(p)              // at conversion
	e := "<" + s + ">" + d      // at concat
	m[e] = len(a)               // at map
	f := func() any { return c } // at closure
	g := make(chan int)         // at chan
	h := []any{a, b, f, g}      // at slice
	var i node                  // at moved
	k := &i
	l, o := new(node), new(node) // at two
	return append(h, k, l, o)
}

func home(rows []string) []byte {
	var buf bytes.Buffer // at home
	for _, r := range rows {
		put(&buf, r) // at passes
	}
	return buf.Bytes()
}

func put(w *bytes.Buffer, r string) {
	w.WriteString(r) // at put
}

func written(v any) string {
	var b strings.Builder // at written
	enc := newEncoder(&b)
	enc.print(v) // at encodes
	return b.String()
}

type encoder struct{ w io.Writer }

func newEncoder(w io.Writer) *encoder { return &encoder{w} } // at encoder

func (e *encoder) print(v any) { fmt.Fprint(e.w, v) } // at print

type page struct{ buf bytes.Buffer }

func (p *page) add(s string) { p.buf.WriteString(s) } // at field

func compress(p []byte, w io.Writer) error {
	z := gzip.NewWriter(w) // at constructor
	if _, err := z.Write(p); err != nil { // at first use
		return err
	}
	return z.Close()
}

var pool = sync.Pool{New: func() any {
	return gzip.NewWriter(nil) // at pooled
}}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }} // at buffers

func reused(s string) {
	buf := buffers.Get().(*bytes.Buffer) // at get
	buf.WriteString(s) // at reused
}

type T[E any] struct{ list []E }

func (t *T[E]) Add(e E) { t.list = append(t.list, e) } // at generic

func two(v any) string {
	var a, b bytes.Buffer // at buffers two
	enc := newEncoder(io.MultiWriter(&a, &b))
	enc.print(v) // at which
	return a.String() + b.String()
}

func given(w *bytes.Buffer, f func(w *bytes.Buffer)) {
	each := func(w *bytes.Buffer) {
		w.WriteString("x") // at literal's
	}
	each(w)
}

type message struct{}

func (*message) Reset()        {}
func (*message) ProtoMessage() {}

func NewMessage() *message { return &message{} } // at new message

type table struct{ rows []int }

func (t *table) Reset() { t.rows = t.rows[:0] }

func newTable() *table { return &table{make([]int, 9)} } // at rows

func findTable() *table { return newTable() } // at find

func others() {
	_ = sha256.New()       // at hash
	_ = time.NewTimer(1)   // at timer
	_ = NewMessage()       // at message
	_ = findTable()        // at found
	_ = bytes.NewBuffer(nil) // at buffer
}

func both(w io.Writer) {
	x := gzip.NewWriter(w) // at x
	y := gzip.NewWriter(w) // at y
	x.Write(nil)           // at either
	y.Write(nil)
}

type G[E any] struct{ list []E }

func NewG[E any](n int) *G[E] { return &G[E]{} }

func (g *G[E]) Reset() { g.list = g.list[:0] }

func (g *G[E]) Put(e E) { g.list = append(g.list, e) } // at growing

func generic() *G[int] {
	g := NewG[int](1) // at new generic
	g.Put(1)          // at put generic
	return g
}

func mixed(p *page, s string) string {
	var b strings.Builder
	p.buf.WriteString(s) // at mixed
	return b.String()
}

func grabTable() *table { return &table{make([]int, 9)} } // at grab

type odd struct{ n int }

func (o *odd) reset()    { o.n = 0 }
func (o *odd) Next() int { return o.n }

func newOdd() *odd { return &odd{} } // at odd

func createTable() *table { return &table{} } // at create

func strangers(r io.Reader) {
	_ = grabTable()              // at grabbed
	_ = newOdd()                 // at new odd
	_ = createTable()            // at created
	z, err := gzip.NewReader(r)  // at reader
	fmt.Println(z, err)
}

func text(n int) string { return fmt.Sprintf("%d", n) } // at callee

func more(s string, n int) {
	s += "x"                     // at grown
	m := make(map[string]int, n) // at make map
	l := map[string]int{s: 1}    // at map literal
	r := []rune(s)               // at runes
	go more(string(r[0]), len(m)+len(l)) // at go
}
`,
	"enc/enc_test.go": "package enc\n\nfunc helper() []int { return make([]int, 8) }\n",
	"cmd/main.go": `package main

func main() { _ = make([]byte, 1<<20) } // at main
`,
}

// seed writes the module and returns its scope, and where a mark is.
func seed(t *testing.T) (*Scope, func(mark string) (file string, line int)) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range module {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	chain, err := overlay.Find(t.Context(), dir, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	scope := new(Scope)
	if err := scope.Add(t.Context(), chain, dir, "", "./..."); err != nil {
		t.Fatal(err)
	}
	return scope, func(mark string) (string, int) {
		for name, text := range module {
			for i, line := range strings.Split(text, "\n") {
				if strings.HasSuffix(line, "// at "+mark) {
					return filepath.Join(dir, name), i + 1
				}
			}
		}
		t.Fatalf("no mark %q", mark)
		return "", 0
	}
}

// frames reads a stack: frames separated by " < ", the innermost first; a function
// of the module has "@MARK" after it.
func frames(at func(string) (string, int), text string) (stack []profile.Frame) {
	for _, part := range strings.Split(text, " < ") {
		function, mark, ours := strings.Cut(part, "@")
		f := profile.Frame{Function: function, File: "/go/src/x.go", Line: 1}
		if ours {
			f.Function = "example.org/m/enc." + function
			f.File, f.Line = at(mark)
		}
		stack = append(stack, f)
	}
	return stack
}

func TestAStackIsAttributed(t *testing.T) {
	scope, at := seed(t)
	const bench = " < example.org/m/enc.BenchmarkX < testing.(*B).runN"
	for _, c := range []struct {
		stack string
		// mark, kind and what else is known; "" for a stack of nobody's
		want string
	}{
		{"runtime.mallocgc < runtime.makeslice < kinds@make", "make: make of a slice, make([]int, n)"},
		{"runtime.growslice < kinds@append", "append: append growth, append(a, n)"},
		{"runtime.newobject < kinds@literal", "literal: composite literal, &node{}"},
		{"runtime.newobject < kinds@new", "new: new, new(node)"},
		{"runtime.slicebytetostring < kinds@conversion", "conversion: conversion, string(p)"},
		{"runtime.rawstring < runtime.concatstrings < runtime.concatstring4 < kinds@concat", `concat: concatenation, "<" + s + ">" + d`},
		{"runtime.mapassign_faststr < kinds@map", "map: map growth, m[e]"},
		{"internal/runtime/maps.(*Map).growToTable < runtime.mapassign_faststr < kinds@map", "map: map growth, m[e]"},
		{"runtime.newobject < kinds@closure", "closure: closure, func literal"},
		{"runtime.makechan < kinds@chan", "chan: make of a channel, make(chan int)"},
		{"runtime.newobject < kinds@slice", "slice: composite literal, []any{…}"},
		{"runtime.convTslice < kinds@slice", "slice: boxing"},
		{"runtime.newobject < kinds@moved", "moved: new, i"},
		{"runtime.newobject < kinds@two", "two: new"},
		{"runtime.rawstring < runtime.concatstrings < runtime.concatstring2 < more@grown", "grown: concatenation, s"},
		{"runtime.makemap < more@make map", "make map: make of a map, make(map[string]int, n)"},
		{"internal/runtime/maps.NewMap < more@map literal", "map literal: make of a map, map[string]int{…}"},
		{"runtime.stringtoslicerune < more@runes", "runes: conversion, []rune(s)"},
		{"runtime.intstring < more@go", "go: conversion, string(r[0])"},
		{"runtime.newproc < more@go", "go: goroutine, more(string(r[0]), len(m) + len(l))"},
		{"kinds@make", "make: make of a slice, make([]int, n)"}, // pprof leaves the runtime's frames out
		{"runtime.growslice < T[...].Add@generic", "generic: append growth, append(t.list, e)"},
		{"strconv.FormatInt < fmt.Sprintf < text@callee", `callee: in callee, fmt.Sprintf("%d", n) of fmt.Sprintf`},

		// A buffer that is passed down is found where it is declared.
		{"runtime.growslice < bytes.growSlice < bytes.(*Buffer).grow < bytes.(*Buffer).WriteString < put@put < home@passes", "home: growth of a buffer, buf bytes.Buffer"},
		{"internal/bytealg.MakeNoZero < bytes.growSlice < bytes.(*Buffer).WriteString < put@put < home@passes", "home: growth of a buffer, buf bytes.Buffer"},
		{"runtime.growslice < strings.(*Builder).Write < fmt.Fprint < (*encoder).print@print < written@encodes", "written: growth of a buffer, b strings.Builder"},
		{"runtime.growslice < bytes.(*Buffer).WriteString < (*page).add@field", "field: growth of a buffer, p.buf.WriteString(s) of bytes.(*Buffer).WriteString"},
		{"runtime.growslice < bytes.(*Buffer).WriteString < put@put", "put: growth of a buffer, w.WriteString(r) of bytes.(*Buffer).WriteString"},
		{"runtime.growslice < bytes.(*Buffer).WriteString < reused@reused", "get: growth of a buffer, buf *bytes.Buffer in a pool"},

		{"runtime.growslice < bytes.(*Buffer).Write < fmt.Fprint < (*encoder).print@print < two@which", "print: growth of a buffer, fmt.Fprint(e.w, v) of fmt.Fprint"},
		{"runtime.growslice < bytes.(*Buffer).WriteString < given.func1@literal's", "literal's: growth of a buffer, w.WriteString(\"x\") of bytes.(*Buffer).WriteString"},

		{"runtime.growslice < bytes.(*Buffer).WriteString < mixed@mixed", "mixed: growth of a buffer, p.buf.WriteString(s) of bytes.(*Buffer).WriteString"},

		// A constructor has what its product allocates in the function that calls it.
		{"runtime.newobject < compress/gzip.NewWriterLevel < compress/gzip.NewWriter < compress@constructor", "constructor: constructor, gzip.NewWriter(w) of compress/gzip.NewWriter makes *gzip.Writer"},
		{"runtime.newobject < compress/flate.NewWriter < compress/gzip.(*Writer).Write < compress@first use", "constructor: constructor, gzip.NewWriter(w) of compress/gzip.NewWriter makes *gzip.Writer"},
		{"runtime.newobject < crypto/sha256.New < others@hash", "hash: constructor, sha256.New() of crypto/sha256.New makes hash.Hash"},
		{"runtime.makeslice < newTable@rows < findTable@find < others@found", "find: constructor, newTable() of example.org/m/enc.newTable makes *enc.table"},
		{"runtime.newobject < NewG[...]@growing < generic@new generic", "new generic: constructor, NewG[int](1) of example.org/m/enc.NewG makes *enc.G[int]"},
		{"runtime.growslice < (*G[...]).Put@growing < generic@put generic", "new generic: constructor, NewG[int](1) of example.org/m/enc.NewG makes *enc.G[int]"},
		{"runtime.newobject < time.NewTimer < others@timer", "timer: in callee, time.NewTimer(1) of time.NewTimer"},
		{"runtime.newobject < NewMessage@new message < others@message", "new message: composite literal, &message{}"},
		{"runtime.newobject < bytes.NewBuffer < others@buffer", "buffer: in callee, bytes.NewBuffer(nil) of bytes.NewBuffer"},
		{"runtime.newobject < newEncoder@encoder < written@written", "encoder: composite literal, &encoder{…}"},

		{"runtime.newobject < compress/gzip.NewReader < strangers@reader", "reader: constructor, gzip.NewReader(r) of compress/gzip.NewReader makes *gzip.Reader"},
		{"runtime.newobject < createTable@create < strangers@created", "created: constructor, createTable() of example.org/m/enc.createTable makes *enc.table"},
		{"runtime.makeslice < grabTable@grab < strangers@grabbed", "grab: make of a slice, make([]int, 9)"},
		{"runtime.newobject < newOdd@odd < strangers@new odd", "odd: composite literal, &odd{}"},

		// What fills a pool is no candidate.
		{"runtime.newobject < compress/gzip.NewWriter < init.func1@pooled < sync.(*Pool).Get < reused@get", "pooled: constructor, gzip.NewWriter(nil) of compress/gzip.NewWriter makes *gzip.Writer in a pool"},
		{"runtime.newobject < init.func2@buffers < sync.(*Pool).Get < reused@get", "buffers: new, new(bytes.Buffer) in a pool"},

		{"runtime.makeslice < bytes.Clone < example.com/other.F", ""},
		{"runtime.gcBgMarkWorker", ""},
	} {
		sample := profile.Sample{Stack: frames(at, c.stack), Bytes: 64, Objects: 1}
		for _, f := range frames(at, strings.TrimPrefix(bench, " < ")) {
			f.File = filepath.Join(scope.Dir("example.org/m/enc"), "enc_test.go")
			sample.Stack = append(sample.Stack, f)
		}
		samples := []profile.Sample{sample}
		if c.want == "" {
			samples[0].Stack = frames(at, c.stack)
		}
		p, err := scope.Samples(t.Context(), samples)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, s := range p.Sites {
			got += told(s, at, strings.Split(c.want, ":")[0])
			if s.Stale {
				t.Errorf("%s is said to be of another version", c.stack)
			}
		}
		if got != c.want {
			t.Errorf("%s:\n\tis  %q\n\tnot %q", c.stack, got, c.want)
		}
	}
}

// A site has the lines that are charged, with what they call, and the lines of the user's that led there.
func TestASiteKnowsWhoLedThere(t *testing.T) {
	scope, at := seed(t)
	place := func(mark string) profile.Place {
		file, line := at(mark)
		return profile.Place{File: file, Line: line}
	}
	for stack, want := range map[string]struct {
		charged profile.Call
		callers []profile.Place
	}{
		"runtime.makeslice < kinds@make < text@callee": {profile.Call{Place: place("make")}, []profile.Place{place("callee")}},
		"strconv.FormatInt < fmt.Sprintf < text@callee < fmt.Sprint < kinds@map < kinds@new": {
			profile.Call{Place: place("callee"), Callee: "fmt.Sprintf"}, []profile.Place{place("new"), place("map")}},
		"runtime.growslice < bytes.growSlice < bytes.(*Buffer).WriteString < put@put < home@passes < kinds@new": {
			profile.Call{Place: place("passes"), Callee: "example.org/m/enc.put", Grows: true}, []profile.Place{place("new")}},
	} {
		p, err := scope.Samples(t.Context(), []profile.Sample{{Stack: frames(at, stack), Bytes: 8, Objects: 1}})
		if err != nil {
			t.Fatal(err)
		}
		s := p.Sites[0]
		slices.SortFunc(want.callers, comparePlaces)
		if len(s.Charged) != 1 || s.Charged[0] != want.charged || !slices.Equal(s.Callers, want.callers) {
			t.Errorf("%s: charged %+v, callers %+v", stack, s.Charged, s.Callers)
		}
	}
}

func TestAFunctionThatIsNotAtTheLineIsOfAnotherVersion(t *testing.T) {
	scope, at := seed(t)
	for stack, want := range map[string]bool{
		"runtime.makeslice < home@make": true, "runtime.newobject < kinds@buffers": true, "runtime.newobject < T[...].Add@generic": false,
		"runtime.newobject < (*T[...]).Add@generic": false, "runtime.newobject < (*T[...]).Len@generic": true, "runtime.newobject < init@buffers": false,
		"runtime.newobject < glob..func1@buffers": false, "runtime.newobject < (*encoder).print-fm@print": false,
	} {
		p, err := scope.Samples(t.Context(), []profile.Sample{{Stack: frames(at, stack), Bytes: 8, Objects: 1}})
		if err != nil {
			t.Fatal(err)
		}
		if p.Sites[0].Stale != want {
			t.Errorf("%s: %t", stack, !want)
		}
	}
}

func TestTheFirstUseOfOneOfTwoProductsIsOfNeither(t *testing.T) {
	scope, at := seed(t)
	var samples []profile.Sample
	for _, stack := range []string{"compress/gzip.NewWriter < both@x", "compress/gzip.NewWriter < both@y", "compress/gzip.(*Writer).Write < both@either"} {
		samples = append(samples, profile.Sample{Stack: frames(at, "runtime.newobject < "+stack), Bytes: 8, Objects: 1})
	}
	p, err := scope.Samples(t.Context(), samples)
	if err != nil {
		t.Fatal(err)
	}
	for mark, kind := range map[string]profile.Kind{"x": profile.KindConstructor, "y": profile.KindConstructor, "either": profile.KindCallee} {
		file, line := at(mark)
		elsewhere := func(s *profile.Site) bool { return s.File != file || s.Line != line }
		if s := slices.DeleteFunc(slices.Clone(p.Sites), elsewhere); len(s) != 1 || s[0].Kind != kind || s[0].Bytes != 8 {
			t.Errorf("%s: %+v", mark, s)
		}
	}
}

// told describes a site, as the table above does.
func told(s *profile.Site, at func(string) (string, int), mark string) string {
	file, line := at(mark)
	if s.File != file || s.Line != line {
		mark = fmt.Sprintf("%s:%d", s.File, s.Line)
	}
	text := mark + ": " + string(s.Kind)
	if s.Expr != "" {
		text += ", " + s.Expr
	}
	if s.Callee != "" {
		text += " of " + s.Callee
	}
	if s.Type != "" {
		text += " makes " + s.Type
	}
	if s.InPool {
		text += " in a pool"
	}
	if s.Stale {
		text += " stale"
	}
	return text
}

func TestSharesAreOfAllThatBenchmarksAllocateInTheSameTime(t *testing.T) {
	scope, at := seed(t)
	direct := frames(at, "runtime.makeslice < kinds@make")
	file, _ := at("make")
	test := []profile.Frame{{Function: "runtime.makeslice"}, {Function: "example.org/m/enc.helper", File: filepath.Join(filepath.Dir(file), "enc_test.go"), Line: 3}, direct[1]}
	p, err := scope.Benchmarks(t.Context(), []profile.Benchmark{
		{Package: "example.org/m/enc", Name: "BenchmarkFast", Wall: 10, CPU: profile.CPU{Samples: 1e9, Collect: 5e8}, Samples: []profile.Sample{
			{Stack: direct, Bytes: 30, Objects: 1}, {Stack: test, Bytes: 10, Objects: 1},
		}},
		{Package: "example.org/m/enc", Name: "BenchmarkSlow", Wall: 1000, CPU: profile.CPU{Samples: 1e9, Collect: 1e8}, Samples: []profile.Sample{
			{Stack: direct, Bytes: 2000, Objects: 100}, {Stack: frames(at, "runtime.makeslice < other.F"), Bytes: 2000, Objects: 100},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Sites) != 1 {
		t.Fatalf("%d sites", len(p.Sites))
	}
	// In 1000 ns the fast one allocates 3000 + 1000 bytes, the slow one 2000 + 2000.
	s := p.Sites[0]
	got := fmt.Sprintf("%.4f %.4f %.4f %.4f %.4f %.4f", s.ByteShare, s.ObjectShare, p.Tests.Bytes, p.Tests.Objects, p.Elsewhere.Bytes, p.Elsewhere.Objects)
	if want := "0.6250 0.5000 0.1250 0.2500 0.2500 0.2500"; got != want {
		t.Errorf("shares %s, want %s", got, want)
	}
	got = fmt.Sprintf("%v %v; %v %s %.3f %.3f", s.Bytes, s.Objects, len(s.Benchmarks), s.Bound.Benchmark, s.Bound.CPU, s.Bound.Bytes)
	if want := "30 1; 2 BenchmarkFast 0.375 0.750"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if r := s.Benchmarks[1]; r.Benchmark != "BenchmarkSlow" || r.Bytes != 2000 || r.ByteShare != 0.5 || r.Rate != 1e6 {
		t.Errorf("second benchmark %+v", r)
	}
	if p.CPU.Samples != 2e9 {
		t.Errorf("%v samples", p.CPU.Samples)
	}
}

func TestAProfileOfAnotherVersionIsNoticed(t *testing.T) {
	scope, at := seed(t)
	file, line := at("make")
	for function, want := range map[string]bool{
		"example.org/m/enc.kinds": false, "example.org/m/enc.kinds.func1": false, "example.org/m/enc.other": true, "example.org/m/enc.(*T).kinds": true,
	} {
		p, err := scope.Samples(t.Context(), []profile.Sample{{Stack: []profile.Frame{{Function: function, File: "/build/" + filepath.Base(file), Line: line}}, Bytes: 1, Objects: 1}})
		if err != nil {
			t.Fatal(err)
		}
		if s := p.Sites[0]; s.Stale != want || s.File != file {
			t.Errorf("%s: stale %v, in %s", function, s.Stale, s.File)
		}
	}
}

func TestAProgramsFunctionsAreFoundByTheirFolder(t *testing.T) {
	scope, at := seed(t)
	file, line := at("main")
	p, err := scope.Samples(t.Context(), []profile.Sample{{Stack: []profile.Frame{{Function: "main.main", File: "/elsewhere/m/cmd/main.go", Line: line}}, Bytes: 1, Objects: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if s := p.Sites[0]; s.File != file || s.Package != "example.org/m/cmd" || s.Kind != profile.KindMakeSlice {
		t.Errorf("%+v", s)
	}
}
