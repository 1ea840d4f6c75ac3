//go:build poolproofdebug

package hotswap_test

import (
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/poolproof/poolproof/hotswap"
	"github.com/poolproof/poolproof/internal/expect"
	"github.com/poolproof/poolproof/internal/ledger"
)

type row struct {
	name string
	at   [2]float64
}

// everything has a field of each kind that a sum looks at, and some that it does not
// look at: they look after themselves.
type everything struct {
	plain
	own struct {
		hits  atomic.Int64
		lines []string
	}
	guarded struct {
		mu    *sync.Mutex
		lines []string
	}
}

type plain struct {
	n       int
	ok      bool
	f       float64
	c       complex64
	text    string
	any     any
	point   *int
	numbers []int
	rows    []row
	fixed   [3]row
	inner   struct{ deep []byte }
	byName  map[string][]int
	byNaN   map[float64]int
	none    map[int]int
}

func newEverything() *everything {
	x := new(everything)
	x.plain = plain{
		text: "text", point: new(int), numbers: make([]int, 3, 5), rows: make([]row, 2),
		byName: map[string][]int{"a": {1, 2}, "b": {3}}, byNaN: map[float64]int{math.NaN(): 1, 2: 2},
	}
	x.any = x.point
	x.inner.deep = make([]byte, 4)
	x.own.lines, x.guarded.lines = make([]string, 1), make([]string, 1)
	return x
}

// published has one of them as its current value, which it returns.
func published(t *testing.T) (*hotswap.Pool[everything], *hotswap.Container[everything], *everything) {
	t.Helper()
	p := hotswap.NewPool(hotswap.Options[everything]{New: newEverything})
	c := hotswap.New(p)
	d := p.Get()
	x := d.Value()
	if err := c.Update(&d); err != nil {
		t.Fatal(err)
	}
	return p, c, x
}

func TestCheckedAWriteToAPublishedValueIsFound(t *testing.T) {
	for name, write := range map[string]func(*everything){
		"a number":                 func(x *everything) { x.n++ },
		"a bool":                   func(x *everything) { x.ok = true },
		"a float":                  func(x *everything) { x.f = math.Copysign(0, -1) },
		"a complex":                func(x *everything) { x.c = 1i },
		"a string":                 func(x *everything) { x.text = "texts" },
		"the type of an interface": func(x *everything) { x.any = 1 },
		"a pointer":                func(x *everything) { x.point = new(int) },
		"an element":               func(x *everything) { x.numbers[2]++ },
		"the length of a slice":    func(x *everything) { x.numbers = x.numbers[:2] },
		"a field of an element":    func(x *everything) { x.rows[1].at[1] = 2 },
		"a field in an array":      func(x *everything) { x.fixed[2].name = "x" },
		"an inner struct":          func(x *everything) { x.inner.deep[3] = 1 },
		"a new key":                func(x *everything) { x.byName["c"] = nil },
		"an element in a map":      func(x *everything) { x.byName["a"][1] = 7 },
		"the value of a key":       func(x *everything) { x.byNaN[2] = 3 },
		"a map":                    func(x *everything) { x.none = map[int]int{} },
	} {
		p, c, x := published(t)
		write(x)
		text := expect.Panic(func() { c.Clear() })
		if !strings.Contains(text, "a published value (*hotswap_test.everything) was written, while it was current or read") {
			t.Errorf("%s: %.300s", name, text)
		}
		p.Trim() // it is found once
		c.Clear()
	}
}

func TestCheckedWhatMayChangeInAPublishedValue(t *testing.T) {
	p, c, x := published(t)
	*x.point = 9
	x.own.hits.Add(1)
	x.own.lines[0] = "seen"
	x.guarded.lines[0] = "seen"
	c.Clear()
	d := p.Get()
	d.Discard()
}

func TestCheckedAPublishedValueThatWasWrittenIsFoundByAllThatEndIt(t *testing.T) {
	defer hotswap.SetDelay(8)()
	for name, end := range map[string]func(*hotswap.Pool[everything], *hotswap.Container[everything]){
		"Update": func(p *hotswap.Pool[everything], c *hotswap.Container[everything]) {
			d := p.Get()
			_ = c.Update(&d)
		},
		"Get":   func(p *hotswap.Pool[everything], c *hotswap.Container[everything]) { p.Get() },
		"Close": func(p *hotswap.Pool[everything], c *hotswap.Container[everything]) { _ = c.Close(t.Context()) },
	} {
		p, c, x := published(t)
		x.n++
		text := expect.Panic(func() { end(p, c) })
		if text == "" {
			t.Errorf("%s finds nothing", name)
			continue
		}
		expect.InOrder(t, text, "a published value", "its writer got it at", "hotswap_test.published",
			"published it at", "hotswap_test.published", "and the write was found at", "ThatEndIt")
	}
	p, _, x := published(t) // and by package pooltest, while it is current
	x.n++
	n := 0
	for _, w := range ledger.Verify() {
		if strings.Contains(w.String(), "hotswap_test.everything) was written") {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d writes in the ledger, want 1", n)
	}
	if n := len(ledger.Verify()); n != 0 {
		t.Errorf("%d writes are found again", n)
	}
	p.Trim()
}

// A draft that was refused is its writer's, to be written.
func TestCheckedADraftThatWasNotPublishedMayBeWritten(t *testing.T) {
	p, c, _ := published(t)
	d := p.Get()
	if ok, err := c.UpdateIf(nil, &d); ok || err != nil {
		t.Fatal(ok, err)
	}
	d.Value().n++
	if err := c.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := c.Update(&d); err != hotswap.ErrClosed {
		t.Fatal(err)
	}
	d.Value().n++
	d.Discard()
	d = p.Get()
	d.Discard()
}

func TestCheckedAWriteToAPartOfAFreeValueIsFound(t *testing.T) {
	defer hotswap.SetDelay(8)()
	p, c, x := published(t)
	part := x.rows
	c.Clear()
	part[0].at[0] = 1
	expect.InOrder(t, expect.Panic(func() { p.Get() }), "a free value (*hotswap_test.everything) was written", "its last writer got it at", "it became free at")
	d := p.Get() // found once
	d.Discard()
}

// Of a value that is too large to be looked at whole the same part is looked at each
// time.
func TestCheckedALargeValueIsNotReported(t *testing.T) {
	type large struct {
		rows []map[int]string
		m    map[int][]string
		late []int
	}
	p := hotswap.NewPool(hotswap.Options[large]{New: func() *large {
		x := &large{m: make(map[int][]string), late: make([]int, 1<<20)}
		for i := range 1 << 15 {
			x.rows = append(x.rows, map[int]string{i: "a", -i: "b"})
			x.m[i] = []string{"a"}
		}
		return x
	}})
	c := hotswap.New(p)
	for range 3 {
		d := p.Get()
		if err := c.Update(&d); err != nil {
			t.Fatal(err)
		}
	}
}
