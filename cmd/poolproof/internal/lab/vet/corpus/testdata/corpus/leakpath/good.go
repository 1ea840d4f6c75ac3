package leakpath

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log"
	"os"
	"sync"

	"example.org/corpus/lib/bufs"
	"example.org/corpus/lib/classes"
	"example.org/corpus/lib/frames"
	"example.org/corpus/lib/gpool"
	"example.org/corpus/lib/jobs"
	"example.org/corpus/lib/lease"
)

const maxKept = 64 << 10

func deferred(w io.Writer, r io.Reader) error {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	if _, err := b.ReadFrom(r); err != nil {
		return err // fine "PV005" deferred
	}
	_, err := w.Write(b.Bytes())
	return err
}

func everyBranch(w io.Writer, r io.Reader) error {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	if _, err := b.ReadFrom(r); err != nil {
		buffers.Put(b)
		return err // fine "PV005" put before
	}
	_, err := w.Write(b.Bytes())
	buffers.Put(b)
	return err
}

// What has become too large is left to the collector.
func dropLarge(w io.Writer, r io.Reader) error {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	_, err := io.Copy(b, r)
	if err == nil {
		_, err = w.Write(b.Bytes())
	}
	if b.Cap() <= maxKept {
		buffers.Put(b)
	}
	return err // fine "PV005" dropped by its size
}

func dropLargeDeferred(w io.Writer, r io.Reader) error {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	defer func() {
		if b.Cap() > maxKept {
			return // fine "PV005" dropped by its size
		}
		buffers.Put(b)
	}()
	_, err := io.Copy(b, r)
	if err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}

func dropForeign(p *packet, size int) {
	q := packets.Get().(*packet)
	q.n = size
	if q.n > len(q.data) {
		return // fine "PV005" unfit by its own field
	}
	copy(p.data[:], q.data[:q.n])
	packets.Put(q)
}

func gotOrMade(size int) {
	p, ok := packets.Get().(*packet)
	if !ok {
		p = new(packet) // fine "PV005" nothing was got
	}
	p.n = size
	packets.Put(p)
}

func gotOrReturned(size int) bool {
	p, ok := packets.Get().(*packet)
	if !ok {
		return false // fine "PV005" nothing was got
	}
	p.n = size
	packets.Put(p)
	return true
}

var lazy sync.Pool

func nilMeansNone(w io.Writer) {
	x := lazy.Get()
	if x == nil {
		return // fine "PV005" nothing was got
	}
	b := x.(*bytes.Buffer)
	b.WriteTo(w)
	lazy.Put(b)
}

// The caller owns it if there is no error.
func ownedByCaller(r io.Reader) (*bytes.Buffer, error) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	if _, err := b.ReadFrom(r); err != nil {
		buffers.Put(b)
		return nil, err
	}
	return b, nil // fine "PV005" the caller's
}

func useOwned(r io.Reader, w io.Writer) error {
	b, err := ownedByCaller(r)
	if err != nil {
		return err // fine "PV005" no buffer came with the error
	}
	defer buffers.Put(b)
	_, err = b.WriteTo(w)
	return err
}

func okForm(r io.Reader) (*packet, bool) {
	p := packets.Get().(*packet)
	n, err := r.Read(p.data[:])
	p.n = n
	if err != nil {
		packets.Put(p)
		return nil, false
	}
	return p, true // fine "PV005" the caller's
}

func useOkForm(r io.Reader) int {
	p, ok := okForm(r)
	if !ok {
		return 0 // fine "PV005" nothing came
	}
	n := p.n
	packets.Put(p)
	return n
}

func sentOrPut(out chan<- *packet, stop <-chan struct{}) {
	p := packets.Get().(*packet)
	p.n = 0
	select {
	case out <- p: // fine "PV005" the receiver's
	case <-stop:
		packets.Put(p)
	}
}

func sentOrPutLater(ctx context.Context, out chan<- *packet) error {
	p := packets.Get().(*packet)
	p.n = 0
	select {
	case out <- p:
		return nil // fine "PV005" the receiver's
	case <-ctx.Done():
	}
	packets.Put(p)
	return ctx.Err()
}

// The struct keeps it until Close.
type session struct{ buf *bytes.Buffer }

func open(handshake func(*bytes.Buffer) error) (*session, error) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	if err := handshake(b); err != nil {
		buffers.Put(b)
		return nil, err
	}
	return &session{buf: b}, nil // fine "PV005" the session's
}

func (s *session) Close() error {
	if b := s.buf; b != nil {
		s.buf = nil
		buffers.Put(b)
	}
	return nil
}

func (s *session) renew() {
	if s.buf == nil {
		s.buf = buffers.Get().(*bytes.Buffer) // fine "PV005" the session's
	}
	s.buf.Reset()
}

func panics(r io.Reader) string {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	if _, err := b.ReadFrom(r); err != nil {
		panic(err) // fine "PV005" the program ends
	}
	s := b.String()
	buffers.Put(b)
	return s
}

func fatal(r io.Reader) string {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	if _, err := b.ReadFrom(r); err != nil {
		log.Fatal(err) // fine "PV005" likewise
	}
	s := b.String()
	buffers.Put(b)
	return s
}

func must(err error) {
	if err != nil {
		os.Exit(1)
	}
}

func mustWrap(r io.Reader) string {
	b := bufs.Get()
	_, err := b.ReadFrom(r)
	must(err)
	s := b.String()
	bufs.Put(b)
	return s // fine "PV005" must comes back or ends
}

func endless(out io.Writer, in <-chan string) {
	b := bufs.Get()
	for s := range in {
		b.Reset()
		b.WriteString(s)
		b.WriteTo(out)
	}
	bufs.Put(b) // fine "PV005" one buffer for the loop
}

func foreverWorker(in <-chan func(*bytes.Buffer)) {
	b := bufs.Get()
	for {
		b.Reset() // fine "PV005 PV006" never leaves
		(<-in)(b)
	}
}

func labelled(rows [][]string, w io.Writer) error {
	b := bufs.Get()
	var err error
rows:
	for _, row := range rows {
		for _, cell := range row {
			if _, err = b.WriteString(cell); err != nil {
				break rows
			}
		}
	}
	if err == nil {
		_, err = b.WriteTo(w)
	}
	bufs.Put(b)
	return err // fine "PV005" break leads to the Put
}

func viaGoto(w io.Writer, name string) error {
	var err error
	b := bufs.Get()
	if name == "" {
		err = errEmpty
		goto out
	}
	b.WriteString(name)
	_, err = b.WriteTo(w)
out:
	bufs.Put(b)
	return err // fine "PV005" all ways pass the label
}

// The condition at the end is the one under which it was got.
func onlyIfWanted(w io.Writer, name string, buffered bool) error {
	var b *bytes.Buffer
	if buffered {
		b = bufs.Get()
		b.WriteString(name)
	}
	_, err := io.WriteString(w, name)
	if buffered {
		bufs.Put(b)
	}
	return err // fine "PV005" the same condition
}

func onlyIfNotNil(w io.Writer, name string, buffered bool) error {
	var b *bytes.Buffer
	if buffered {
		b = bufs.Get()
		b.WriteString(name)
	}
	_, err := io.WriteString(w, name)
	if b != nil {
		bufs.Put(b)
	}
	return err // fine "PV005" nil if it was not got
}

type options struct{ pooled bool }

func byField(o *options, w io.Writer, name string) error {
	var b *bytes.Buffer
	if o.pooled {
		b = bufs.Get()
	} else {
		b = new(bytes.Buffer)
	}
	b.WriteString(name)
	_, err := b.WriteTo(w)
	if o.pooled {
		bufs.Put(b)
	}
	return err // fine "PV005" the same field
}

func leaseDeferred(r io.Reader) (string, error) {
	b, release := lease.Acquire()
	defer release()
	if _, err := b.ReadFrom(r); err != nil {
		return "", err // fine "PV005" released by the defer
	}
	return b.String(), nil
}

func leasePassedOn(r io.Reader) (*bytes.Buffer, func(), error) {
	b, release := lease.Acquire()
	if _, err := b.ReadFrom(r); err != nil {
		release()
		return nil, nil, err
	}
	return b, release, nil // fine "PV005" release goes along
}

func jobEither(w io.Writer, ok bool) error {
	j := jobs.New(1)
	if !ok {
		j.Release()
		return errEmpty
	}
	return jobs.Finish(j, w) // fine "PV005" released there
}

func countedFrames(out chan<- *frames.Frame, stop <-chan struct{}) {
	f := frames.New(1)
	select {
	case out <- f:
	case <-stop:
		f.Release() // fine "PV005" released or sent
	}
}

func genericDefer[T any](p *gpool.Pool[T], use func(*T) error) error {
	x := p.Get()
	defer p.Put(x)
	if err := use(x); err != nil {
		return err // fine "PV005" deferred
	}
	return nil
}

func intoClosure(name string) (cleanup func()) {
	b := bufs.Get()
	b.WriteString(name)
	return func() { bufs.Put(b) } // fine "PV005" the closure puts it
}

func cleanups(t interface{ Cleanup(func()) }, name string) *bytes.Buffer {
	b := bufs.Get()
	t.Cleanup(func() { bufs.Put(b) })
	b.WriteString(name)
	return b // fine "PV003" put after the test, not here
}

func collectedAndPut(names []string, w io.Writer) {
	var all []*bytes.Buffer
	for _, n := range names {
		b := bufs.Get()
		b.WriteString(n)
		all = append(all, b) // fine "PV005" put below
	}
	for _, b := range all {
		b.WriteTo(w)
		bufs.Put(b)
	}
}

func inLoopOnError(names []string, w io.Writer) error {
	for _, n := range names {
		b := bufs.Get()
		b.WriteString(n)
		_, err := b.WriteTo(w)
		bufs.Put(b)
		if err != nil {
			return err // fine "PV005" put before the test
		}
	}
	return nil
}

func joinedErrors(r io.Reader, w io.Writer) (err error) {
	b := classes.Get(1 << 10)
	defer func() {
		classes.Put(b)
		if c, ok := w.(io.Closer); ok {
			err = errors.Join(err, c.Close())
		}
	}()
	if _, err := io.ReadFull(r, b); err != nil {
		return err // fine "PV005" the closure puts it always
	}
	_, err = w.Write(b)
	return err
}

func poisoned(r io.Reader) error {
	p := packets.Get().(*packet)
	if _, err := io.ReadFull(r, p.data[:]); err != nil {
		return err //poolproof:drop
	}
	packets.Put(p)
	return nil
}
