package handover

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"runtime"
	"sync"
	"time"
)

var errClosed = errors.New("handover: closed")

// As in WireGuard: the element and its memory go to two pools, unless they were
// staged.
func (d *device) readLoop(tun io.Reader) error {
	e := d.newElement()
	defer func() {
		if e != nil {
			d.putBuffer(e.buffer)
			d.putElement(e) // fine "PV001|PV002" the one that is not staged yet
		}
	}()
	for {
		n, err := tun.Read(e.buffer[:])
		if err != nil {
			return err
		}
		e.packet = e.buffer[:n]
		k := d.keys(e.packet)
		if k == nil {
			continue // fine "PV005" used for the next packet
		}
		e.key = k
		select {
		case d.staged <- e: // fine "PV004" theirs
			e = d.newElement()
		default:
			e.packet, e.key = nil, nil
		}
	}
}

func (d *device) sendLoop(out io.Writer) error {
	for e := range d.staged {
		_, err := out.Write(e.packet)
		d.putBuffer(e.buffer)
		d.putElement(e) // fine "PV001|PV002" the memory first, then what held it
		if err != nil {
			return err
		}
	}
	return nil
}

// As in Tailscale: one is taken before, and given up by setting it to nil.
func (d *device) stageOne(r io.Reader) (err error) {
	e := d.newElement()
	release := func() {
		if e == nil {
			return
		}
		d.putBuffer(e.buffer)
		d.putElement(e)
	}
	defer func() { release() }()
	n, err := r.Read(e.buffer[:])
	if err != nil {
		return err // fine "PV005" the deferred function puts it
	}
	e.packet = e.buffer[:n]
	d.staged <- e
	e = nil // fine "PV001|PV004" handed over, nothing is left to put
	return nil
}

// As in gRPC: the last one puts the memory, its count, and the holder.
func (c *counted) free() {
	if c.refs == nil {
		panic("handover: freed twice")
	}
	if c.refs.Add(-1) == 0 {
		blocks.Put(c.data)
		counts.Put(c.refs)
	}
	c.refs, c.data, c.view = nil, nil, nil
	holders.Put(c) // fine "PV001|PV002" the holder is everybody's own
}

// split returns two that share the memory.
func (c *counted) split(n int) (left, right *counted) {
	c.refs.Add(1)
	right = holders.Get().(*counted)
	right.refs, right.data = c.refs, c.data
	right.view = c.view[n:]
	c.view = c.view[:n:n]
	return c, right // fine "PV003|PV005" each is freed by whoever gets it
}

func useSplit(p []byte, out io.Writer) error {
	a, b := newCounted(p).split(len(p) / 2)
	_, err := out.Write(a.view)
	a.free()
	if err != nil {
		b.free()
		return err
	}
	_, err = out.Write(b.view) // fine "PV001" its own reference
	b.free()
	return err
}

// As in the HTTP server: a connection that was taken over keeps its reader and
// writer.
func (s *stream) hijack() (io.ReadWriteCloser, *bufio.ReadWriter, error) {
	if s.taken {
		return nil, nil, errClosed
	}
	s.taken = true
	rw := bufio.NewReadWriter(s.br, getWriter(s.rwc))
	return s.rwc, rw, nil // fine "PV003|PV005" theirs from now on
}

func (s *stream) finish() {
	if s.br != nil && !s.taken {
		putReader(s.br)
		s.br = nil
	}
	if s.bw != nil {
		s.bw.Flush()
		putWriter(s.bw)
		s.bw = nil // fine "PV001|PV015" cleared, each
	}
}

func serve(rwc io.ReadWriteCloser, handle func(*stream) error) error {
	s := &stream{rwc: rwc, br: getReader(rwc), bw: getWriter(rwc)}
	defer s.finish()
	return handle(s) // fine "PV005" finish puts what was not taken
}

// As in NSQ: the queue's Put is no pool's.
func toDisk(q queue, msg []byte) error {
	b := getBuffer()
	defer putBuffer(b)
	fmt.Fprintf(b, "%d ", time.Now().UnixNano())
	b.Write(msg)
	return q.Put(b.Bytes()) // fine "PV002|PV003|PV021" it writes, and takes nothing over
}

// As in HTTP/2: each part goes back when it was read.
func (b *body) Read(p []byte) (n int, err error) {
	if b.size == 0 {
		return 0, io.EOF
	}
	for len(p) > 0 && b.size > 0 {
		end := len(chunk{})
		if len(b.parts) == 1 {
			end = b.w
		}
		m := copy(p, b.parts[0][b.r:end])
		p, n = p[m:], n+m
		b.r += m
		b.size -= m
		if b.r == len(chunk{}) {
			chunks.Put(b.parts[0])
			b.parts[0] = nil
			b.parts = b.parts[1:]
			b.r = 0 // fine "PV001|PV002|PV015" the next is the first now
		}
	}
	return n, nil
}

func (b *body) Write(p []byte) (n int, err error) {
	for len(p) > 0 {
		if len(b.parts) == 0 || b.w == len(chunk{}) {
			b.parts = append(b.parts, chunks.Get().(*chunk)) // fine "PV005|PV006" put by Read
			b.w = 0
		}
		m := copy(b.parts[len(b.parts)-1][b.w:], p)
		p, n = p[m:], n+m
		b.w += m
		b.size += m
	}
	return n, nil
}

// As in go-ethereum: the reader of an encoding puts it when it was read to the
// end.
type encodingReader struct{ b *bytes.Buffer }

func (r *encodingReader) Read(p []byte) (int, error) {
	if r.b == nil {
		return 0, io.EOF
	}
	n, err := r.b.Read(p)
	if err == io.EOF {
		putBuffer(r.b)
		r.b = nil // fine "PV001|PV015" later calls find nothing
	}
	return n, err
}

func encodeToReader(v any) (io.Reader, error) {
	b := getBuffer()
	if err := json.NewEncoder(b).Encode(v); err != nil {
		putBuffer(b)
		return nil, err
	}
	return &encodingReader{b}, nil // fine "PV003|PV005" the reader owns it
}

// The goroutine that fills the pipe owns the writer.
func compressPipe(src io.Reader) io.ReadCloser {
	pr, pw := io.Pipe()
	go func() {
		bw := getWriter(pw)
		defer putWriter(bw) // fine "PV001|PV004" in one goroutine
		_, err := bw.ReadFrom(src)
		if err == nil {
			err = bw.Flush()
		}
		pw.CloseWithError(err)
	}()
	return pr
}

// The writer at one end, the reader at the other, and a wait.
func throughPipe(in []byte) (string, error) {
	pr, pw := io.Pipe()
	b := getBuffer()
	defer putBuffer(b)
	done := make(chan error)
	go func() {
		_, err := b.ReadFrom(pr)
		done <- err
	}()
	_, werr := pw.Write(in)
	pw.Close()
	if err := errors.Join(werr, <-done); err != nil { // fine "PV004" received before it is put
		return "", err
	}
	return b.String(), nil
}

func allRows(rows [][]byte, sum func([]byte) error) error {
	b := getBuffer()
	defer putBuffer(b)
	var g group
	for _, r := range rows {
		at := b.Len()
		b.Write(r)
		part := b.Bytes()[at:]
		g.Go(func() error { return sum(part) })
	}
	return g.Wait() // fine "PV004" all have ended
}

// Each worker has its own, and all are put when all have ended.
func perWorker(rows [][]byte, work func(*bytes.Buffer, []byte)) (all []string) {
	outs := make([]*bytes.Buffer, len(rows))
	var wg sync.WaitGroup
	for i, r := range rows {
		outs[i] = getBuffer()
		wg.Go(func() { work(outs[i], r) })
	}
	wg.Wait()
	for _, b := range outs {
		all = append(all, b.String())
		putBuffer(b) // fine "PV001|PV002|PV004" strings are copies
	}
	return all
}

// The end of the context gives it back, or the caller does; never both.
func borrow(ctx context.Context) (*bytes.Buffer, func()) {
	b := getBuffer()
	stop := context.AfterFunc(ctx, func() { putBuffer(b) })
	return b, func() {
		if stop() {
			putBuffer(b) // fine "PV002|PV003|PV004" the other one will not run
		}
	}
}

// The collector gives the memory back when the file is gone.
type file struct{ scratch []byte }

func openFile() *file {
	p := blocks.Get().(*[]byte)
	f := &file{scratch: (*p)[:0]}
	runtime.AddCleanup(f, func(p *[]byte) { blocks.Put(p) }, p)
	return f // fine "PV003|PV004|PV005" nobody has f when the cleanup runs
}

// Whoever ranges over it has the reader until the loop is left.
func lines(r io.Reader) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		br := getReader(r)
		defer putReader(br) // fine "PV001|PV005" however the loop is left
		for {
			s, err := br.ReadString('\n')
			if err == io.EOF {
				return
			}
			if !yield(s, err) || err != nil {
				return
			}
		}
	}
}

// pulled keeps the reader between calls, and stop puts it.
func pulled(r io.Reader) (next func() (string, bool), stop func()) {
	br := getReader(r)
	next = func() (string, bool) {
		if br == nil {
			return "", false
		}
		s, err := br.ReadString('\n')
		return s, err == nil
	}
	return next, func() {
		if br != nil {
			putReader(br)
			br = nil // fine "PV001|PV002|PV003" both functions share the variable
		}
	}
}

// One of the two is filled while the other is written.
type double struct {
	mu           sync.Mutex
	front, spare *bytes.Buffer
	out          io.Writer
}

func newDouble(out io.Writer) *double {
	return &double{front: getBuffer(), spare: getBuffer(), out: out}
}

func (d *double) flush() error {
	d.mu.Lock()
	d.front, d.spare = d.spare, d.front
	full := d.spare
	d.mu.Unlock()
	_, err := full.WriteTo(d.out)
	full.Reset() // fine "PV001" it is still d's
	return err
}

func (d *double) Close() error {
	err := d.flush()
	putBuffer(d.front)
	putBuffer(d.spare)
	d.front, d.spare = nil, nil
	return err // fine "PV002|PV015" two, and both are cleared
}

// As in pgx and many others: a large one takes the place of a small one.
func larger(p *[]byte, n int) *[]byte {
	if cap(*p) >= n {
		return p
	}
	blocks.Put(p)
	b := make([]byte, 0, n)
	return &b // fine "PV001|PV003" another
}

func readAll(r io.Reader, n int) (sum int, err error) {
	p := blocks.Get().(*[]byte)
	if cap(*p) < n {
		blocks.Put(p)
		b := make([]byte, 0, n)
		p = &b
	}
	defer blocks.Put(p) // fine "PV002" whichever it is
	got, err := io.ReadFull(r, (*p)[:n])
	for _, c := range (*p)[:got] {
		sum += int(c)
	}
	return sum, err
}

func (c *connection) Close() error {
	if !c.closed.CompareAndSwap(false, true) {
		return errClosed
	}
	c.home.Put(c.buf) // fine "PV002|PV015" the first wins
	return nil
}

func closesTwice(home *sync.Pool) error {
	c := &connection{buf: home.Get().(*bytes.Buffer), home: home}
	defer c.Close()
	c.buf.WriteString("bye")
	return c.Close() // fine "PV001|PV002" the second does nothing
}

func genericWith(v any) (out string, err error) {
	err = texts.with(func(b *bytes.Buffer) error {
		if err := json.NewEncoder(b).Encode(v); err != nil {
			return err
		}
		out = b.String() // fine "PV003|PV004" a string
		return nil
	})
	return out, err
}

// freeAll returns the nodes of a list one by one.
func freeAll(n *node) (freed int) {
	for n != nil {
		next := n.next
		n.next, n.keys = nil, n.keys[:0]
		nodes.Put(n)
		n = next // fine "PV001|PV002" read before
		freed++
	}
	return freed
}

// The arena goes, and its nodes with it.
func inArena(keys []int) (sum int) {
	a := arenas.Get().(*arena)
	defer a.free()
	var head *node
	for _, k := range keys {
		n := a.node()
		n.next, n.keys = head, append(n.keys, k)
		head = n // fine "PV004|PV005" they live no longer than the arena
	}
	for n := head; n != nil; n = n.next {
		sum += n.keys[0]
	}
	return sum
}

// After a timeout nobody may put it: the goroutine still sends.
var errors1 = sync.Pool{New: func() any { return make(chan error, 1) }}

func withTimeout(d time.Duration, do func() error) error {
	ch := errors1.Get().(chan error)
	go func() { ch <- do() }()
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case err := <-ch:
		errors1.Put(ch) // fine "PV004" what was sent has arrived
		return err
	case <-t.C:
		return context.DeadlineExceeded // fine "PV005" left to the collector
	}
}

// The result takes the buffer along if all went well.
func readPacket(c net.Conn) (b *bytes.Buffer, err error) {
	b = getBuffer()
	defer func() {
		if err != nil {
			putBuffer(b)
			b = nil
		}
	}()
	if _, err = io.CopyN(b, c, 4); err != nil {
		return b, fmt.Errorf("size: %w", err) // fine "PV001|PV003" nil by then
	}
	if _, err = io.CopyN(b, c, int64(b.Bytes()[3])); err != nil {
		return nil, err // fine "PV005" the deferred function has it
	}
	return b, nil // fine "PV003" the caller's
}
