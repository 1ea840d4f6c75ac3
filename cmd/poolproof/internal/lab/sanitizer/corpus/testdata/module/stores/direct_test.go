package stores

import (
	"bufio"
	"bytes"
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"
)

// fieldsOf counts fields of lines: the line is the scanner's window.
type fieldsOf struct{ line []byte }

var fieldsPool = sync.Pool{New: func() any { return new(fieldsOf) }}

func (f *fieldsOf) count(sc *bufio.Scanner) (n int) {
	f.line = sc.Bytes()
	for len(f.line) > 0 {
		at := bytes.IndexByte(f.line, ' ')
		n++
		if at < 0 {
			break
		}
		f.line = f.line[at+1:]
	}
	f.line = f.line[:0]
	return n
}

func (f *fieldsOf) quote(s string) { f.line = append(f.line[:0], s...) }

//want:silence
func TestLinesOfAScanner(t *testing.T) {
	sc := bufio.NewScanner(strings.NewReader(text + "\n" + text + "\n" + text + "\n"))
	sc.Buffer(make([]byte, 0, 256), 256)
	for sc.Scan() {
		f := fieldsPool.Get().(*fieldsOf)
		f.line = sc.Bytes()
		f.line = f.line[:0]
		fieldsPool.Put(f)
		f = fieldsPool.Get().(*fieldsOf)
		if n := f.count(sc); n != 7 {
			t.Error(n, "fields")
		}
		fieldsPool.Put(f)
		if sc.Text() != text {
			t.Error(sc.Text())
		}
	}
}

type lineReader struct {
	line []byte
	err  error
}

func (r *lineReader) read(br *bufio.Reader) { r.line, r.err = br.ReadSlice('\n') }
func (r *lineReader) reset()                { r.line, r.err = r.line[:0], nil }
func (r *lineReader) set(s string)          { r.line = append(r.line[:0], s...) }

var lineReaders = sync.Pool{New: func() any { return new(lineReader) }}

//want:silence
func TestTupleOfAReader(t *testing.T) {
	br := bufio.NewReaderSize(strings.NewReader(text+"\n"+text2+"\n"), 128)
	for _, want := range []string{text, text2} {
		r := lineReaders.Get().(*lineReader)
		r.read(br)
		line := r.line
		r.reset()
		lineReaders.Put(r)
		stillOurs(t, line[:len(line)-1], want)
	}
}

type received struct{ b []byte }

func (r *received) reset()       { r.b = r.b[:0] }
func (r *received) set(s string) { r.b = append(r.b[:0], s...) }

var receivers = sync.Pool{New: func() any { return new(received) }}

//want:silence
func TestReceiveOfAChannel(t *testing.T) {
	mem, ch := fresh(text), make(chan []byte, 1)
	ch <- mem
	r := receivers.Get().(*received)
	r.b = <-ch
	r.reset()
	receivers.Put(r)
	stillOurs(t, mem, text)
}

type receivedOK struct {
	b  []byte
	ok bool
}

func (r *receivedOK) reset()       { r.b = r.b[:0] }
func (r *receivedOK) set(s string) { r.b = append(r.b[:0], s...) }

var receiversOK = sync.Pool{New: func() any { return new(receivedOK) }}

//want:silence
func TestReceiveWithOK(t *testing.T) {
	mem, ch := fresh(text), make(chan []byte, 1)
	ch <- mem
	r := receiversOK.Get().(*receivedOK)
	r.b, r.ok = <-ch
	r.reset()
	receiversOK.Put(r)
	stillOurs(t, mem, text)
}

type selected struct{ b []byte }

func (r *selected) reset()       { r.b = r.b[:0] }
func (r *selected) set(s string) { r.b = append(r.b[:0], s...) }

var selecteds = sync.Pool{New: func() any { return new(selected) }}

//want:silence
func TestReceiveOfASelect(t *testing.T) {
	mem, ch := fresh(text), make(chan []byte, 1)
	ch <- mem
	r := selecteds.Get().(*selected)
	select {
	case r.b = <-ch:
	default:
	}
	r.reset()
	selecteds.Put(r)
	stillOurs(t, mem, text)
}

type packet struct{ data []byte }

type decoder struct{ b []byte }

func (d *decoder) packet(p *packet) { d.b = p.data }
func (d *decoder) reset()           { d.b = d.b[:0] }
func (d *decoder) set(s string)     { d.b = append(d.b[:0], s...) }

var decoders = sync.Pool{New: func() any { return new(decoder) }}

//want:silence
func TestFieldOfAnotherValue(t *testing.T) {
	p := &packet{fresh(text)}
	d := decoders.Get().(*decoder)
	d.packet(p)
	d.reset()
	decoders.Put(d)
	stillOurs(t, p.data, text)
}

var banner = fresh(text)

type page struct{ b []byte }

func (p *page) greet()       { p.b = banner }
func (p *page) reset()       { p.b = p.b[:0] }
func (p *page) set(s string) { p.b = append(p.b[:0], s...) }

var pages = sync.Pool{New: func() any { return new(page) }}

//want:silence
func TestPackageVariable(t *testing.T) {
	p := pages.Get().(*page)
	p.greet()
	p.reset()
	pages.Put(p)
	stillOurs(t, banner, text)
}

var region [256]byte

type windowOfAll struct{ b []byte }

func (w *windowOfAll) all()         { w.b = region[:] }
func (w *windowOfAll) reset()       { w.b = w.b[:0] }
func (w *windowOfAll) set(s string) { w.b = append(w.b[:0], s...) }

var windows = sync.Pool{New: func() any { return new(windowOfAll) }}

//want:silence
func TestPackageArray(t *testing.T) {
	copy(region[:], text)
	w := windows.Get().(*windowOfAll)
	w.all()
	w.reset()
	windows.Put(w)
	stillOurs(t, region[:len(text)], text)
}

type frame struct {
	data [64]byte
	n    int
}

type frameView struct{ b []byte }

func (v *frameView) of(f *frame)  { v.b = f.data[:f.n] }
func (v *frameView) reset()       { v.b = v.b[:0] }
func (v *frameView) set(s string) { v.b = append(v.b[:0], s...) }

var frameViews = sync.Pool{New: func() any { return new(frameView) }}

//want:silence
func TestArrayOfAnotherValue(t *testing.T) {
	f := new(frame)
	f.n = copy(f.data[:], text)
	v := frameViews.Get().(*frameView)
	v.of(f)
	v.reset()
	frameViews.Put(v)
	stillOurs(t, f.data[:f.n], text)
}

type cell struct{ b []byte }

func (c *cell) reset()       { c.b = c.b[:0] }
func (c *cell) set(s string) { c.b = append(c.b[:0], s...) }

var cells = sync.Pool{New: func() any { return new(cell) }}

//want:silence
func TestRangeOverRows(t *testing.T) {
	rows := [][]byte{fresh(text), fresh(text2)}
	c := cells.Get().(*cell)
	for _, c.b = range rows {
	}
	c.reset()
	cells.Put(c)
	stillOurs(t, rows[1], text2)
}

type cell2 struct{ b []byte }

func (c *cell2) reset()       { c.b = c.b[:0] }
func (c *cell2) set(s string) { c.b = append(c.b[:0], s...) }

var cells2 = sync.Pool{New: func() any { return new(cell2) }}

//want:silence
func TestRangeVariable(t *testing.T) {
	rows := [][]byte{fresh(text), fresh(text2)}
	for i, row := range rows {
		c := cells2.Get().(*cell2)
		c.b = row
		c.reset()
		cells2.Put(c)
		stillOurs(t, rows[i], []string{text, text2}[i])
	}
}

type mapped struct{ b []byte }

func (m *mapped) reset()       { m.b = m.b[:0] }
func (m *mapped) set(s string) { m.b = append(m.b[:0], s...) }

var mappeds = sync.Pool{New: func() any { return new(mapped) }}

//want:silence
func TestElementOfAMap(t *testing.T) {
	store := map[string][]byte{"k": fresh(text)}
	m := mappeds.Get().(*mapped)
	m.b = store["k"]
	m.reset()
	mappeds.Put(m)
	stillOurs(t, store["k"], text)
}

type mappedOK struct {
	b  []byte
	ok bool
}

func (m *mappedOK) reset()       { m.b = m.b[:0] }
func (m *mappedOK) set(s string) { m.b = append(m.b[:0], s...) }

var mappedOKs = sync.Pool{New: func() any { return new(mappedOK) }}

//want:silence
func TestElementOfAMapWithOK(t *testing.T) {
	store := map[string][]byte{"k": fresh(text)}
	m := mappedOKs.Get().(*mappedOK)
	m.b, m.ok = store["k"]
	m.reset()
	mappedOKs.Put(m)
	stillOurs(t, store["k"], text)
}

type indexed struct{ b []byte }

func (x *indexed) reset()       { x.b = x.b[:0] }
func (x *indexed) set(s string) { x.b = append(x.b[:0], s...) }

var indexeds = sync.Pool{New: func() any { return new(indexed) }}

//want:silence
func TestElementOfASlice(t *testing.T) {
	rows := [][]byte{fresh(text)}
	x := indexeds.Get().(*indexed)
	x.b = rows[0]
	x.reset()
	indexeds.Put(x)
	stillOurs(t, rows[0], text)
}

type asserted struct{ b []byte }

func (x *asserted) value(v any) { x.b = v.([]byte) }
func (x *asserted) either(v any) {
	switch v := v.(type) {
	case []byte:
		x.b = v
	case string:
		x.b = append(x.b[:0], v...)
	}
}
func (x *asserted) reset() { x.b = x.b[:0] }

var asserteds = sync.Pool{New: func() any { return new(asserted) }}

//want:silence
func TestTypeAssertion(t *testing.T) {
	mem := fresh(text)
	x := asserteds.Get().(*asserted)
	x.value(mem)
	x.reset()
	asserteds.Put(x)
	stillOurs(t, mem, text)
}

//want:silence
func TestTypeSwitch(t *testing.T) {
	mem := fresh(text)
	x := asserteds.Get().(*asserted)
	x.either(mem)
	x.reset()
	asserteds.Put(x)
	stillOurs(t, mem, text)
}

type key struct{}

type ofContext struct{ b []byte }

func (x *ofContext) take(ctx context.Context) { x.b, _ = ctx.Value(key{}).([]byte) }
func (x *ofContext) reset()                   { x.b = x.b[:0] }
func (x *ofContext) set(s string)             { x.b = append(x.b[:0], s...) }

var ofContexts = sync.Pool{New: func() any { return new(ofContext) }}

//want:silence
func TestValueOfAContext(t *testing.T) {
	mem := fresh(text)
	x := ofContexts.Get().(*ofContext)
	x.take(context.WithValue(t.Context(), key{}, mem))
	x.reset()
	ofContexts.Put(x)
	stillOurs(t, mem, text)
}

type derefed struct{ b []byte }

func (x *derefed) reset()       { x.b = x.b[:0] }
func (x *derefed) set(s string) { x.b = append(x.b[:0], s...) }

var derefeds = sync.Pool{New: func() any { return new(derefed) }}

//want:silence
func TestWhatAPointerPointsTo(t *testing.T) {
	mem := fresh(text)
	p := &mem
	x := derefeds.Get().(*derefed)
	x.b = *p
	x.reset()
	derefeds.Put(x)
	stillOurs(t, mem, text)
}

type loaded struct{ b []byte }

func (x *loaded) reset()       { x.b = x.b[:0] }
func (x *loaded) set(s string) { x.b = append(x.b[:0], s...) }

var loadeds = sync.Pool{New: func() any { return new(loaded) }}

//want:silence
func TestWhatAnAtomicPointerPointsTo(t *testing.T) {
	mem := fresh(text)
	var current atomic.Pointer[[]byte]
	current.Store(&mem)
	x := loadeds.Get().(*loaded)
	x.b = *current.Load()
	x.reset()
	loadeds.Put(x)
	stillOurs(t, mem, text)
}

type named []byte

type converted struct{ b named }

func (x *converted) of(p *packet) { x.b = named(p.data) }
func (x *converted) reset()       { x.b = x.b[:0] }
func (x *converted) set(s string) { x.b = append(x.b[:0], s...) }

var converteds = sync.Pool{New: func() any { return new(converted) }}

//want:silence
func TestConversion(t *testing.T) {
	p := &packet{fresh(text)}
	x := converteds.Get().(*converted)
	x.of(p)
	x.reset()
	converteds.Put(x)
	stillOurs(t, p.data, text)
}

type constant struct{ b []byte }

func (x *constant) of(s string)  { x.b = unsafe.Slice(unsafe.StringData(s), len(s)) }
func (x *constant) reset()       { x.b = x.b[:0] }
func (x *constant) set(s string) { x.b = append(x.b[:0], s...) }

var constants = sync.Pool{New: func() any { return new(constant) }}

//want:silence
func TestBytesOfAString(t *testing.T) {
	s := strings.Repeat(text, 3)
	x := constants.Get().(*constant)
	x.of(s)
	x.reset()
	constants.Put(x)
	if s != strings.Repeat(text, 3) || len(s+text) != 4*len(text) {
		t.Error(s)
	}
}

type trimmed struct{ b []byte }

func (x *trimmed) trim(p *packet) { x.b = bytes.TrimSpace(p.data) }
func (x *trimmed) cut(p *packet)  { x.b, _, _ = bytes.Cut(p.data, []byte("!")) }
func (x *trimmed) reset()         { x.b = x.b[:0] }
func (x *trimmed) set(s string)   { x.b = append(x.b[:0], s...) }

var trimmeds = sync.Pool{New: func() any { return new(trimmed) }}

//want:silence
func TestWindowOfTheStandardLibrary(t *testing.T) {
	p := &packet{fresh(text)}
	x := trimmeds.Get().(*trimmed)
	x.trim(p)
	x.reset()
	trimmeds.Put(x)
	x = trimmeds.Get().(*trimmed)
	x.cut(p)
	x.reset()
	trimmeds.Put(x)
	stillOurs(t, p.data, text)
}

type sharing struct{ b []byte }

func (x *sharing) reset()       { x.b = x.b[:0] }
func (x *sharing) set(s string) { x.b = append(x.b[:0], s...) }

var sharings = sync.Pool{New: func() any { return new(sharing) }}

// The value is made for the store; the object only looks at it.
//
//want:silence
func TestFreshArrayThatAStoreKeeps(t *testing.T) {
	store := map[string][]byte{}
	x := sharings.Get().(*sharing)
	v := append([]byte(nil), text...)
	store["k"] = v
	x.b = v
	x.reset()
	sharings.Put(x)
	stillOurs(t, store["k"], text)
}

type cached struct{ b []byte }

func (x *cached) reset()       { x.b = x.b[:0] }
func (x *cached) set(s string) { x.b = append(x.b[:0], s...) }

var cacheds = sync.Pool{New: func() any { return new(cached) }}

type cache map[string][]byte

func (c cache) get(k string) []byte {
	if b, ok := c[k]; ok {
		return b
	}
	b := make([]byte, 0, 64)
	b = append(b, text...)
	c[k] = b
	return b
}

//want:silence
func TestFreshArrayOfACache(t *testing.T) {
	c := cache{}
	x := cacheds.Get().(*cached)
	x.b = c.get("k")
	x.reset()
	cacheds.Put(x)
	stillOurs(t, c.get("k"), text)
}

type sent struct{ b []byte }

func (x *sent) reset()       { x.b = x.b[:0] }
func (x *sent) set(s string) { x.b = append(x.b[:0], s...) }

var sents = sync.Pool{New: func() any { return new(sent) }}

//want:silence
func TestFreshArrayThatIsSent(t *testing.T) {
	out := make(chan []byte, 1)
	x := sents.Get().(*sent)
	b := make([]byte, len(text), 64)
	copy(b, text)
	x.b = b
	out <- b
	x.reset()
	sents.Put(x)
	stillOurs(t, <-out, text)
}

type returning struct{ b []byte }

func (x *returning) reset()       { x.b = x.b[:0] }
func (x *returning) set(s string) { x.b = append(x.b[:0], s...) }

var returnings = sync.Pool{New: func() any { return new(returning) }}

func lookAt(s string) []byte {
	x := returnings.Get().(*returning)
	b := append(make([]byte, 0, 64), s...)
	x.b = b
	x.reset()
	returnings.Put(x)
	return b
}

//want:silence
func TestFreshArrayThatIsReturned(t *testing.T) { stillOurs(t, lookAt(text), text) }

type twice struct{ b []byte }

// view makes an array for its caller, and looks at it by way of a pooled object.
func twiceSeen(s string) []byte {
	x := twices.Get().(*twice)
	defer twices.Put(x)
	x.b = x.b[:0]
	v := make([]byte, 0, 64)
	v = append(v, s...)
	x.b = v
	return v
}

func (x *twice) set(s string) { x.b = append(x.b[:0], s...) }

var twices = sync.Pool{New: func() any { return new(twice) }}

//want:silence
func TestFreshArrayThatIsStoredAndReturned(t *testing.T) { stillOurs(t, twiceSeen(text), text) }
