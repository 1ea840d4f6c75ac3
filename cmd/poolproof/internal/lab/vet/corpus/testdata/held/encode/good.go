package encode

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"sync"

	"example.org/held/lib/events"
)

func marshalCopy(v any) ([]byte, error) {
	b := getBuffer()
	defer putBuffer(b)
	if err := json.NewEncoder(b).Encode(v); err != nil {
		return nil, err
	}
	return append([]byte(nil), bytes.TrimRight(b.Bytes(), "\n")...), nil // fine "PV003" copied
}

func packInto(dst []byte, f *frame) []byte {
	b := frameBuffers.Get().(*bytes.Buffer)
	defer frameBuffers.Put(b)
	b.Reset()
	binary.Write(b, binary.LittleEndian, f.id)
	b.Write(f.data)
	return append(dst, b.Bytes()...) // fine "PV003" the caller's memory
}

func (l logger) withCopy(key, value string) logger {
	b := getBuffer()
	defer putBuffer(b)
	b.Write(l.context)
	fmt.Fprintf(b, "%q:%q,", key, value)
	l.context = bytes.Clone(b.Bytes())
	return l // fine "PV003" a clone
}

func logEach(l *events.Logger, tables []string) {
	for _, t := range tables {
		l.Info().Str("table", t).Msg("done") // fine "PV001|PV002" an event each
	}
}

func logChain(l *events.Logger, n int) {
	e := l.Info()
	if n > 0 {
		e = e.Int("n", n)
	}
	e.Msg("end") // fine "PV001|PV002" sent once
	l.Debug().Send()
}

func logOneOf(l *events.Logger, err error) {
	e := l.Info()
	if err != nil {
		e.Str("error", err.Error()).Msg("failed")
		return
	}
	e.Send() // fine "PV001|PV002" the other branch has returned
}

func logCheckedOnce(core func(string, ...string) error, verbose bool) {
	c := events.Check("foobar", core)
	if c == nil {
		return
	}
	if verbose {
		c.Write("int", "200")
	} else {
		c.Write() // fine "PV001|PV002" one of the two
	}
}

// counter reads the event while it is being sent.
type counter struct{ events, bytes int }

func (c *counter) Run(e *events.Event, level, msg string) {
	c.events++
	c.bytes += len(msg)
	e.Int("seen", c.events) // fine "PV001|PV004|PV014" it keeps nothing
}

func (l *log) infoClean(msg string, v any) {
	e := l.entries.Get().(*entry)
	e.message = msg
	e.with("value", v).write()
	clear(e.data)
	e.message = ""
	l.entries.Put(e) // fine "PV011" clean
}

func (a *adapter) readMessageRight(buf []byte) (int, error) {
	header := a.headers.Get().(*[]byte)
	defer a.headers.Put(header) // fine "PV007" the same type
	n, err := io.ReadAtLeast(a.in, *header, 16)
	if err != nil {
		return n, err
	}
	return io.ReadFull(a.in, buf[:binary.BigEndian.Uint32((*header)[8:12])])
}

// The block is the goroutine's.
func parseStreamOwned(r io.Reader, results chan<- parsed) error {
	var wg sync.WaitGroup
	defer wg.Wait()
	for {
		b := blocks.Get().(*[]byte)
		n, err := io.ReadFull(r, *b)
		if n == 0 {
			blocks.Put(b)
			return err
		}
		wg.Go(func() { // fine "PV004|PV005" whoever parses it puts it
			defer blocks.Put(b)
			results <- parseBlock((*b)[:n])
		})
	}
}

// A block comes back before it is put.
func parseInTurns(r io.Reader, results chan<- parsed) error {
	b := blocks.Get().(*[]byte)
	defer blocks.Put(b)
	back := make(chan struct{})
	for {
		n, err := io.ReadFull(r, *b)
		if n > 0 {
			go func() {
				results <- parseBlock((*b)[:n])
				back <- struct{}{}
			}()
			<-back // fine "PV004" waited for in each turn
		}
		if err != nil {
			return err
		}
	}
}

func watchCopy(packets <-chan []byte, b *broker) {
	t := seen.Get().(*traffic)
	defer seen.Put(t)
	for p := range packets {
		t.length = len(p)
		b.observe(t)
		c := *t
		c.sample = bytes.Clone(p)
		b.push(&c) // fine "PV004" a copy of it
	}
}

// Whoever takes it from the queue puts it.
func watchOwned(packets <-chan []byte, b *broker) {
	for p := range packets {
		t := seen.Get().(*traffic)
		t.length = len(p)
		b.observe(t)
		select {
		case b.queue <- t: // fine "PV004" handed over
		default:
			seen.Put(t)
		}
	}
}

func (b *broker) run(post func(*traffic) error) error {
	for t := range b.queue {
		err := post(t)
		seen.Put(t) // fine "PV002" received once
		if err != nil {
			return err
		}
	}
	return nil
}

func receiveCopied(c copyCodec, r io.Reader, n int, handle func([]byte)) error {
	p := poolGet(n)[:n]
	if _, err := io.ReadFull(r, p); err != nil {
		poolPut(p)
		return err
	}
	var body []byte
	err := c.Unmarshal(p, &body)
	poolPut(p)
	if err != nil {
		return err
	}
	handle(body) // fine "PV001" the codec copies
	return nil
}

// The handler is done before the memory goes.
func receiveLent(c rawCodec, r io.Reader, n int, handle func([]byte)) error {
	p := poolGet(n)[:n]
	defer poolPut(p)
	if _, err := io.ReadFull(r, p); err != nil {
		return err
	}
	var body []byte
	if err := c.Unmarshal(p, &body); err != nil {
		return err
	}
	handle(body) // fine "PV001|PV004" lent
	return nil
}

func (r *remote) exportOnce(rows []string) error {
	e := exports.Get().(*exported)
	e.proto.Reset()
	for _, row := range rows {
		if _, err := e.proto.WriteString(row); err != nil {
			exports.Put(e)
			return err // fine "PV001|PV002|PV005" it was not sent
		}
	}
	e.out = append(e.out[:0], e.proto.Bytes()...)
	if err := r.execute(e); err != nil {
		return fmt.Errorf("export: %w", err) // fine "PV005" execute puts it
	}
	return nil
}

// Each try has its own.
func exportRetried(r *remote, row string) (err error) {
	for range 3 {
		e := exports.Get().(*exported)
		e.proto.Reset()
		e.out = append(e.out[:0], row...)
		if err = r.execute(e); err == nil { // fine "PV001|PV002" another each time
			return nil
		}
	}
	return err
}

func provePut(nodes [][]byte, put func(uint64, []byte) error) error {
	h := newHasher()
	defer putHasher(h)
	for _, n := range nodes {
		if err := put(h.key(n), n); err != nil {
			return err // fine "PV005" deferred
		}
	}
	return nil
}

// The sum is an array of the caller's, or new.
func digest(p []byte) [8]byte {
	h := newHasher()
	defer putHasher(h)
	h.sum.Write(p)
	var out [8]byte
	h.sum.Sum(out[:0])
	return out // fine "PV003" a value
}

func digestNew(p []byte) []byte {
	h := newHasher()
	h.sum.Write(p)
	s := h.sum.Sum(nil)
	putHasher(h)
	return s // fine "PV001|PV003" Sum appends to nil
}

// Each part has memory of its own.
func (c *client) fragmentCopied(msg []byte) {
	for len(msg) > 0 {
		n := min(len(msg), c.max)
		p := append(poolGet(n), msg[:n]...)
		c.out = append(c.out, p)
		msg = msg[n:]
	}
	for i, p := range c.out {
		poolPut(p) // fine "PV002|PV021" another each time
		c.out[i] = nil
	}
	c.out = c.out[:0]
}

func deserializeReturned(p []byte, keep func(*vtype)) error {
	v := vtypeFromPool()
	if err := v.unmarshal(p); err != nil {
		v.ReturnToPool()
		return err // fine "PV001|PV005" returned
	}
	keep(v) // fine "PV005" whoever keeps it returns it
	return nil
}

func renderPut(out io.Writer, execute func(io.Writer) error) error {
	b := getBuffer()
	defer putBuffer(b)
	if err := execute(b); err != nil {
		return err // fine "PV005" deferred
	}
	_, err := io.Copy(out, b)
	return err
}

// As in fmt: what has become too large is left to the collector.
type printer struct{ buf []byte }

var printers = sync.Pool{New: func() any { return new(printer) }}

func (p *printer) free() {
	if cap(p.buf) > 64<<10 {
		p.buf = nil
	} else {
		p.buf = p.buf[:0]
	}
	printers.Put(p)
}

func printInts(w io.Writer, xs []int) (int, error) {
	p := printers.Get().(*printer)
	for _, x := range xs {
		p.buf = strconv.AppendInt(p.buf, int64(x), 10)
	}
	n, err := w.Write(p.buf)
	p.free()
	return n, err // fine "PV001|PV003|PV012" numbers
}

// As in log: the memory is taken out of what is put.
func take(xs []int) []byte {
	p := printers.Get().(*printer)
	for _, x := range xs {
		p.buf = strconv.AppendInt(p.buf, int64(x), 10)
	}
	out := p.buf
	p.buf = nil
	printers.Put(p)
	return out // fine "PV001|PV003" detached
}

// As in regexp: the matches are copied into what the caller gave.
type machine struct{ caps []int }

var machines [4]sync.Pool

func getMachine(n int) *machine {
	m, ok := machines[n].Get().(*machine)
	if !ok {
		m = new(machine)
	}
	if cap(m.caps) < n {
		m.caps = make([]int, n)
	}
	m.caps = m.caps[:n]
	return m
}

func match(p []byte, dst []int) []int {
	m := getMachine(2)
	defer machines[2].Put(m)
	if m.caps[0] = bytes.IndexByte(p, ' '); m.caps[0] < 0 {
		return nil
	}
	m.caps[1] = len(p)
	return append(dst, m.caps...) // fine "PV003" numbers, copied
}

// As in encoding/json: two maps of a state are kept, what they held is not.
type state struct {
	bytes.Buffer
	ptrs map[any]struct{}
}

var states = sync.Pool{New: func() any { return &state{ptrs: map[any]struct{}{}} }}

func getState() *state {
	if v := states.Get(); v != nil {
		s := v.(*state)
		s.Reset()
		if len(s.ptrs) > 0 {
			panic("encode: a state was put before its end")
		}
		return s
	}
	return new(state)
}

func encodeState(v any) ([]byte, error) {
	s := getState()
	defer states.Put(s)
	if err := json.NewEncoder(s).Encode(v); err != nil {
		return nil, err
	}
	out := append([]byte(nil), s.Bytes()...)
	return out, nil // fine "PV003|PV011" a copy; Reset is in the getter
}
