package stores

import (
	"bytes"
	"corpus/stores/other"
	"sync"
	"testing"
)

// node copies another node as a whole.
type node struct {
	key []byte
	n   int
}

func (n *node) copyOf(c *node) { *n = *c }
func (n *node) reset()         { n.key, n.n = n.key[:0], 0 }
func (n *node) set(s string)   { n.key = append(n.key[:0], s...) }

var nodes = sync.Pool{New: func() any { return new(node) }}

//want:silence
func TestWholeStruct(t *testing.T) {
	mine := &node{key: fresh(text)}
	n := nodes.Get().(*node)
	n.copyOf(mine)
	n.reset()
	nodes.Put(n)
	stillOurs(t, mine.key, text)
}

type leaf struct{ key []byte }

func (l *leaf) reset()       { l.key = l.key[:0] }
func (l *leaf) set(s string) { l.key = append(l.key[:0], s...) }

type branch struct {
	left leaf
	many [2]leaf
}

func (b *branch) reset() { b.left.reset(); b.many[0].reset(); b.many[1].reset() }

var branches = sync.Pool{New: func() any { return new(branch) }}

//want:silence
func TestNestedStruct(t *testing.T) {
	mine := &branch{left: leaf{fresh(text)}}
	b := branches.Get().(*branch)
	b.left = mine.left
	b.reset()
	branches.Put(b)
	stillOurs(t, mine.left.key, text)
}

//want:silence
func TestElementOfAnArrayOfStructs(t *testing.T) {
	mine := &branch{many: [2]leaf{{fresh(text)}, {}}}
	b := branches.Get().(*branch)
	b.many[1] = mine.many[0]
	b.reset()
	branches.Put(b)
	stillOurs(t, mine.many[0].key, text)
}

type bush struct{ many [2]twig }

type twig struct{ key []byte }

func (x *twig) reset()       { x.key = x.key[:0] }
func (x *twig) set(s string) { x.key = append(x.key[:0], s...) }

var bushes = sync.Pool{New: func() any { return new(bush) }}

//want:silence
func TestArrayOfStructs(t *testing.T) {
	mine := &bush{many: [2]twig{{fresh(text)}, {fresh(text2)}}}
	b := bushes.Get().(*bush)
	b.many = mine.many
	b.many[0].reset()
	b.many[1].reset()
	bushes.Put(b)
	stillOurs(t, mine.many[0].key, text)
	stillOurs(t, mine.many[1].key, text2)
}

type result struct{ b []byte }

func resultOf(p *packet) result { return result{p.data} }

func (x *result) reset()       { x.b = x.b[:0] }
func (x *result) set(s string) { x.b = append(x.b[:0], s...) }

var results = sync.Pool{New: func() any { return new(result) }}

//want:silence
func TestStructOfACall(t *testing.T) {
	p := &packet{fresh(text)}
	x := results.Get().(*result)
	*x = resultOf(p)
	x.reset()
	results.Put(x)
	stillOurs(t, p.data, text)
}

type event struct{ b []byte }

func (x *event) reset()       { x.b = x.b[:0] }
func (x *event) set(s string) { x.b = append(x.b[:0], s...) }

var events = sync.Pool{New: func() any { return new(event) }}

//want:silence
func TestStructOfAChannel(t *testing.T) {
	mine, ch := event{fresh(text)}, make(chan event, 1)
	ch <- mine
	x := events.Get().(*event)
	*x = <-ch
	x.reset()
	events.Put(x)
	stillOurs(t, mine.b, text)
}

type record struct{ b []byte }

func (x *record) reset()       { x.b = x.b[:0] }
func (x *record) set(s string) { x.b = append(x.b[:0], s...) }

var recordPool = sync.Pool{New: func() any { return new(record) }}

//want:silence
func TestStructOfARange(t *testing.T) {
	mine := []record{{fresh(text)}}
	for _, r := range mine {
		x := recordPool.Get().(*record)
		*x = r
		x.reset()
		recordPool.Put(x)
	}
	stillOurs(t, mine[0].b, text)
}

type entry struct{ b []byte }

func (x *entry) reset()       { x.b = x.b[:0] }
func (x *entry) set(s string) { x.b = append(x.b[:0], s...) }

// release puts a copy of the entry: the original goes on.
func (x entry) release() {
	x.reset()
	entries.Put(&x)
}

var entries = sync.Pool{New: func() any { return new(entry) }}

//want:silence
func TestCopyOfTheReceiverIsPut(t *testing.T) {
	mine := entry{fresh(text)}
	mine.release()
	stillOurs(t, mine.b, text)
}

type option struct{ b []byte }

func (x *option) reset()         { x.b = x.b[:0] }
func (x *option) set(s string)   { x.b = append(x.b[:0], s...) }
func (x *option) merge(o option) { x.b = o.b }

var options = sync.Pool{New: func() any { return new(option) }}

//want:silence
func TestFieldOfAStructByValue(t *testing.T) {
	mine := option{fresh(text)}
	x := options.Get().(*option)
	x.merge(mine)
	x.reset()
	options.Put(x)
	stillOurs(t, mine.b, text)
}

type lit struct {
	n int
	b []byte
}

func (x *lit) reset()       { x.b = x.b[:0] }
func (x *lit) set(s string) { x.b = append(x.b[:0], s...) }

var lits = sync.Pool{New: func() any { return new(lit) }}

//want:silence
func TestLiteralWithACall(t *testing.T) {
	p := &packet{fresh(text)}
	x := lits.Get().(*lit)
	*x = lit{n: 1, b: p.next()}
	x.reset()
	lits.Put(x)
	stillOurs(t, p.data, text)
}

type lit2 struct {
	n int
	b []byte
}

func (x *lit2) reset()       { x.b = x.b[:0] }
func (x *lit2) set(s string) { x.b = append(x.b[:0], s...) }

var lits2 = sync.Pool{New: func() any { return new(lit2) }}

//want:silence
func TestLiteralWithoutNames(t *testing.T) {
	p := &packet{fresh(text)}
	x := lits2.Get().(*lit2)
	*x = lit2{1, p.data}
	x.reset()
	lits2.Put(x)
	stillOurs(t, p.data, text)
}

type lit3 struct{ b []byte }

func (x *lit3) reset()       { x.b = x.b[:0] }
func (x *lit3) set(s string) { x.b = append(x.b[:0], s...) }

var lits3 sync.Pool

//want:silence
func TestLiteralIsPut(t *testing.T) {
	p := &packet{fresh(text)}
	for range 3 {
		x := &lit3{b: p.data}
		x.reset()
		lits3.Put(x)
	}
	stillOurs(t, p.data, text)
}

type nameless struct{ in struct{ b []byte } }

func (x *nameless) reset()       { x.in.b = x.in.b[:0] }
func (x *nameless) set(s string) { x.in.b = append(x.in.b[:0], s...) }

var namelesses = sync.Pool{New: func() any { return new(nameless) }}

//want:silence
func TestStructWithoutAName(t *testing.T) {
	p := &packet{fresh(text)}
	x := namelesses.Get().(*nameless)
	x.in.b = p.data
	x.reset()
	namelesses.Put(x)
	stillOurs(t, p.data, text)
}

//want:silence
func TestStructWithoutANameIsCopied(t *testing.T) {
	mem := fresh(text)
	mine := struct{ b []byte }{mem}
	x := namelesses.Get().(*nameless)
	x.in = mine
	x.reset()
	namelesses.Put(x)
	stillOurs(t, mem, text)
}

type base struct{ b []byte }

func (x *base) reset()       { x.b = x.b[:0] }
func (x *base) set(s string) { x.b = append(x.b[:0], s...) }

type derived struct {
	base
	n int
}

var deriveds = sync.Pool{New: func() any { return new(derived) }}

//want:silence
func TestFieldOfAnEmbeddedStruct(t *testing.T) {
	p := &packet{fresh(text)}
	x := deriveds.Get().(*derived)
	x.b = p.next()
	x.reset()
	deriveds.Put(x)
	stillOurs(t, p.data, text)
}

type core struct{ b []byte }

func (x *core) reset()       { x.b = x.b[:0] }
func (x *core) set(s string) { x.b = append(x.b[:0], s...) }

type shell struct{ *core }

var shells = sync.Pool{New: func() any { return &shell{new(core)} }}

//want:silence
func TestFieldOfAnEmbeddedPointer(t *testing.T) {
	p := &packet{fresh(text)}
	x := shells.Get().(*shell)
	x.b = p.next()
	x.reset()
	shells.Put(x)
	stillOurs(t, p.data, text)
}

// twin has the same fields under another name.
type first struct{ b []byte }
type twin first

func (x *first) reset()       { x.b = x.b[:0] }
func (x *first) set(s string) { x.b = append(x.b[:0], s...) }

var firsts = sync.Pool{New: func() any { return new(first) }}

//want:silence
func TestFieldOfATwin(t *testing.T) {
	p := &packet{fresh(text)}
	x := firsts.Get().(*first)
	(*twin)(x).b = p.data
	x.reset()
	firsts.Put(x)
	stillOurs(t, p.data, text)
}

type buffered struct{ bb bytes.Buffer }

var buffereds = sync.Pool{New: func() any { return new(buffered) }}

//want:silence
func TestBufferAroundMemoryOfACaller(t *testing.T) {
	mem := fresh(text)
	x := buffereds.Get().(*buffered)
	x.bb = *bytes.NewBuffer(mem)
	x.bb.Reset()
	buffereds.Put(x)
	stillOurs(t, mem, text)
}

//want:silence
func TestBufferOfAnother(t *testing.T) {
	var mine bytes.Buffer
	mine.WriteString(text)
	x := buffereds.Get().(*buffered)
	x.bb = mine
	buffereds.Put(x)
	stillOurs(t, mine.Bytes(), text)
}

type buffered2 struct{ bb bytes.Buffer }

var buffereds2 = sync.Pool{New: func() any { return new(buffered2) }}

//want:silence
func TestLiteralWithABuffer(t *testing.T) {
	mem := fresh(text)
	x := buffereds2.Get().(*buffered2)
	*x = buffered2{bb: *bytes.NewBuffer(mem)}
	buffereds2.Put(x)
	stillOurs(t, mem, text)
}

var plain = sync.Pool{New: func() any { return new(bytes.Buffer) }}

//want:silence
func TestPooledBufferIsReplaced(t *testing.T) {
	mem := fresh(text)
	b := plain.Get().(*bytes.Buffer)
	*b = *bytes.NewBuffer(mem)
	b.Reset()
	plain.Put(b)
	stillOurs(t, mem, text)
}

// Generic code.

type box[E any] struct{ items []E }

func (b *box[E]) from(p *box[E]) { b.items = p.items }
func (b *box[E]) reset()         { b.items = b.items[:0] }
func (b *box[E]) add(e E)        { b.items = append(b.items, e) }

var boxes = sync.Pool{New: func() any { return new(box[byte]) }}

//want:silence
func TestGenericType(t *testing.T) {
	mine := &box[byte]{fresh(text)}
	b := boxes.Get().(*box[byte])
	b.from(mine)
	b.reset()
	boxes.Put(b)
	stillOurs(t, mine.items, text)
}

func assign[T any](to *T, v T) { *to = v }

type genericField struct{ b []byte }

func (x *genericField) reset()       { x.b = x.b[:0] }
func (x *genericField) set(s string) { x.b = append(x.b[:0], s...) }

var genericFields = sync.Pool{New: func() any { return new(genericField) }}

//want:silence
func TestGenericFunctionStores(t *testing.T) {
	mem := fresh(text)
	x := genericFields.Get().(*genericField)
	assign(&x.b, mem)
	x.reset()
	genericFields.Put(x)
	stillOurs(t, mem, text)
}

func firstOf[S ~[]E, E any](a, b S) S {
	if len(a) > 0 {
		return a
	}
	return b
}

type generic2 struct{ b []byte }

func (x *generic2) reset()       { x.b = x.b[:0] }
func (x *generic2) set(s string) { x.b = append(x.b[:0], s...) }

var generics2 = sync.Pool{New: func() any { return new(generic2) }}

//want:silence
func TestGenericFunctionChooses(t *testing.T) {
	p := &packet{fresh(text)}
	x := generics2.Get().(*generic2)
	x.b = firstOf(x.b, p.data)
	x.reset()
	generics2.Put(x)
	stillOurs(t, p.data, text)
}

// poolOf is a pool of its own making.
type poolOf[T any] struct{ p sync.Pool }

func (p *poolOf[T]) get() *T {
	if x, ok := p.p.Get().(*T); ok {
		return x
	}
	return new(T)
}
func (p *poolOf[T]) put(x *T) { p.p.Put(x) }

type ofGenericPool struct{ b []byte }

func (x *ofGenericPool) reset()       { x.b = x.b[:0] }
func (x *ofGenericPool) set(s string) { x.b = append(x.b[:0], s...) }

var genericPool poolOf[ofGenericPool]

//want:silence
func TestObjectOfAGenericPool(t *testing.T) {
	p := &packet{fresh(text)}
	x := genericPool.get()
	x.b = p.next()
	x.reset()
	genericPool.put(x)
	stillOurs(t, p.data, text)
}

// Across packages.

var lines = sync.Pool{New: func() any { return new(other2) }}

type other2 struct{ other.Line }

//want:silence
func TestAnotherPackageStores(t *testing.T) {
	last := new(other.Last)
	mem := last.Next(text)
	l := lines.Get().(*other2)
	other.Rest(&l.Line, last)
	l.Add("x")
	other.Rest(&l.Line, last)
	l.Reset()
	lines.Put(l)
	stillOurs(t, mem, text)
}

//want:silence
func TestFieldOfAnotherPackagesType(t *testing.T) {
	last := new(other.Last)
	mem := last.Next(text)
	l := lines.Get().(*other2)
	l.B = last.Data()
	l.Reset()
	lines.Put(l)
	stillOurs(t, mem, text)
}

var onlyLines = sync.Pool{New: func() any { return new(other.Line) }}

//want:silence
func TestMemoryOfAnotherPackage(t *testing.T) {
	l := onlyLines.Get().(*other.Line)
	l.B = other.Shared
	l.Reset()
	onlyLines.Put(l)
	if string(other.Shared) != "shared by all that import it" {
		t.Errorf("%q", other.Shared)
	}
}

//want:silence
func TestFieldOfAPooledTypeOfAnotherPackage(t *testing.T) {
	mine := []string{"a", "b", "c"}
	w := other.GetWords()
	w.List = mine
	w.Put()
	if mine[0]+mine[2] != "ac" {
		t.Error(mine)
	}
	mine[1] = "d"
	w = other.GetWords()
	w.Add("e")
	w.Put()
}

var foreignBoxes = sync.Pool{New: func() any { return new(other.Box[string]) }}

//want:silence
func TestGenericTypeOfAnotherPackage(t *testing.T) {
	mine := []string{"a", "b", "c"}
	b := foreignBoxes.Get().(*other.Box[string])
	b.Items = mine
	b.Clear()
	foreignBoxes.Put(b)
	if mine[0]+mine[2] != "ac" {
		t.Error(mine)
	}
	mine[1] = "d"
}

type borrower struct{ b []byte }

func (x *borrower) reset()       { x.b = x.b[:0] }
func (x *borrower) set(s string) { x.b = append(x.b[:0], s...) }

var (
	parents   = sync.Pool{New: func() any { return new(lender) }}
	borrowers = sync.Pool{New: func() any { return new(borrower) }}
)

type lender struct{ own []byte }

// A pooled parent lends its array to a pooled child, which is put first.
//
//want:silence
func TestPooledParentLendsToItsChild(t *testing.T) {
	p := parents.Get().(*lender)
	p.own = append(p.own[:0], text...)
	c := borrowers.Get().(*borrower)
	c.b = p.own
	c.reset()
	borrowers.Put(c)
	stillOurs(t, p.own, text)
	parents.Put(p)
}

// Rows.

type table struct{ rows [][]byte }

func (x *table) reset()         { x.rows = x.rows[:0] }
func (x *table) add(row []byte) { x.rows = append(x.rows, row) }

var tables = sync.Pool{New: func() any { return new(table) }}

//want:silence
func TestRowsOfACaller(t *testing.T) {
	row := fresh(text)
	x := tables.Get().(*table)
	x.add(row)
	x.reset()
	tables.Put(x)
	stillOurs(t, row, text)
}

type table2 struct{ rows [][]byte }

func (x *table2) grow(n int) {
	for len(x.rows) < n {
		x.rows = append(x.rows, nil)
	}
	for i := range x.rows {
		x.rows[i] = append(x.rows[i][:0], text...)
	}
}

var tables2 = sync.Pool{New: func() any { return new(table2) }}

//want:silence
func TestRowIsReplaced(t *testing.T) {
	row := fresh(text)
	x := tables2.Get().(*table2)
	x.grow(3)
	x.rows[1] = row
	tables2.Put(x)
	stillOurs(t, row, text)
}

type table3 struct{ rows [][]byte }

func (x *table3) grow(n int) {
	for len(x.rows) < n {
		x.rows = append(x.rows, nil)
	}
	for i := range x.rows {
		x.rows[i] = append(x.rows[i][:0], text...)
	}
}

var tables3 = sync.Pool{New: func() any { return new(table3) }}

//want:silence
func TestRowsAreSplit(t *testing.T) {
	mem := fresh(text)
	x := tables3.Get().(*table3)
	x.grow(3)
	x.rows = bytes.Split(mem, []byte(" "))
	tables3.Put(x)
	stillOurs(t, mem, text)
}

// Each user makes the field's array, and keeps it.

type maker struct{ out []byte }

func (x *maker) encode(s string) []byte {
	x.out = make([]byte, 0, len(s))
	x.out = append(x.out, s...)
	return x.out
}

var makers = sync.Pool{New: func() any { return new(maker) }}

//want:silence
func TestEachUserMakesTheArray(t *testing.T) {
	x := makers.Get().(*maker)
	out := x.encode(text)
	makers.Put(x)
	stillOurs(t, out, text)
}

type renewer struct{ out []byte }

func (x *renewer) encode(s string) []byte {
	x.out = nil
	x.out = append(x.out, s...)
	return x.out
}

var renewers = sync.Pool{New: func() any { return new(renewer) }}

//want:silence
func TestEachUserBeginsWithNothing(t *testing.T) {
	x := renewers.Get().(*renewer)
	out := x.encode(text)
	renewers.Put(x)
	stillOurs(t, out, text)
}

type cloner struct{ out []byte }

func (x *cloner) take(in []byte) []byte {
	x.out = bytes.Clone(in)
	return x.out
}
func (x *cloner) reset() { x.out = x.out[:0] }

var cloners = sync.Pool{New: func() any { return new(cloner) }}

// The truncation only clears the field: nothing is ever written to an old array.
//
//want:silence
func TestClearedFieldIsReplaced(t *testing.T) {
	x := cloners.Get().(*cloner)
	out := x.take([]byte(text))
	x.reset()
	cloners.Put(x)
	stillOurs(t, out, text)
}
