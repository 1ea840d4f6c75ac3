package useafterput

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"

	"example.org/corpus/lib/bufs"
	"example.org/corpus/lib/classes"
	"example.org/corpus/lib/gpool"
	"example.org/corpus/lib/jobs"
	"example.org/corpus/lib/scan"
)

func renderCopied(name string) string {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(name)
	s := b.String()
	buffers.Put(b)
	return s // fine "PV001" String copies
}

func fieldBefore(id int) int {
	m := messages.Get().(*message)
	m.id = id
	next := m.id + 1
	messages.Put(m)
	return next // fine "PV001" a number, read before
}

// Length and capacity of a slice are in its header, which is a local value.
func headerOnly(r io.Reader) (int, error) {
	b := classes.Get(1 << 10)
	n, err := r.Read(b)
	classes.Put(b)
	return n * 100 / len(b), err // fine "PV001" len reads the local header
}

func headerOnlyCap(n int) int {
	b := classes.Get(n)
	classes.Put(b)
	return cap(b) - n // fine "PV001" so does cap
}

func errorReadBefore(id int) error {
	m := messages.Get().(*message)
	m.id = id
	if m.name == "" {
		err := fmt.Errorf("message %d has no name", m.id)
		messages.Put(m)
		return err // fine "PV001" made before the Put
	}
	messages.Put(m)
	return nil
}

func putOnBranchThenReturn(w io.Writer, discard bool) error {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	if discard {
		buffers.Put(b)
		return nil
	}
	_, err := w.Write(b.Bytes()) // fine "PV001" the branch with the Put has left
	buffers.Put(b)
	return err
}

func sameConditionTwice(w io.Writer, early bool) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	if early {
		buffers.Put(b)
	} else {
		w.Write(b.Bytes())
	}
	if !early {
		b.Reset()      // fine "PV001" the condition is the other one
		buffers.Put(b) // fine "PV002" the same
	}
}

func flagSaysPut(w io.Writer, n int) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	done := false
	if n == 0 {
		buffers.Put(b)
		done = true
	}
	if !done {
		w.Write(b.Bytes()) // fine "PV001" only if it was not put
		buffers.Put(b)     // fine "PV002" likewise
	}
}

func nilSaysPut(w io.Writer, n int) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	if n == 0 {
		buffers.Put(b)
		b = nil
	}
	if b != nil {
		w.Write(b.Bytes()) // fine "PV001" set to nil when put
		buffers.Put(b)
	}
}

// A new object under the old name.
func fetchedAgain(parts []string, w io.Writer) {
	b := buffers.Get().(*bytes.Buffer)
	for _, p := range parts {
		b.WriteString(p)
		w.Write(b.Bytes())
		buffers.Put(b)
		b = buffers.Get().(*bytes.Buffer)
		b.Reset() // fine "PV001" another object
	}
	buffers.Put(b) // fine "PV002" another object
}

func getInLoop(lines []string, w io.Writer) {
	for _, line := range lines {
		b := buffers.Get().(*bytes.Buffer)
		b.Reset() // fine "PV001" one object an iteration
		b.WriteString(line)
		w.Write(b.Bytes())
		buffers.Put(b)
	}
}

func declaredOutside(lines []string, w io.Writer) {
	var b *bytes.Buffer
	for _, line := range lines {
		b = buffers.Get().(*bytes.Buffer)
		b.Reset()
		b.WriteString(line)
		w.Write(b.Bytes()) // fine "PV001" one variable, but a new object each time
		buffers.Put(b)
	}
}

// Deferred calls run last in, first out.
func deferredInOrder(w io.Writer, name string) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	defer buffers.Put(b)
	defer func() {
		w.Write(b.Bytes()) // fine "PV001" runs before the Put
	}()
	b.WriteString(name)
}

func deferredArgumentNow(name string, log func(int)) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(name)
	defer log(b.Len()) // fine "PV001" the argument is read now
	defer buffers.Put(b)
}

func deferredResetThenPut(name string) int {
	b := buffers.Get().(*bytes.Buffer)
	defer func() {
		b.Reset()
		buffers.Put(b)
	}()
	n, _ := b.WriteString(name) // fine "PV001" the closure runs at the end
	return n
}

func comparedOnly() bool {
	a := buffers.Get().(*bytes.Buffer)
	buffers.Put(a)
	b := buffers.Get().(*bytes.Buffer)
	same := a == b // fine "PV001" pointers are compared, nothing is read
	buffers.Put(b)
	return same
}

func keptAlive(fd *os.File) {
	p := bytesPtr.Get().(*[]byte)
	fd.Write(*p)
	bytesPtr.Put(p)
	runtime.KeepAlive(p) // fine "PV001" reads nothing
}

func grownInto(name string) []byte {
	p := bytesPtr.Get().(*[]byte)
	*p = append((*p)[:0], name...)
	out := append([]byte(nil), *p...)
	bytesPtr.Put(p)
	return out // fine "PV001" appended to nil: a copy
}

func clonedFirst(n int) string {
	b := bufs.Get()
	fmt.Fprint(b, n)
	s := strings.Clone(b.String())
	bufs.Put(b)
	return s // fine "PV001" a clone
}

func parsedPair(line string) scan.Pair {
	b := bufs.Get()
	b.WriteString(line)
	p := scan.Parse(b.Bytes())
	bufs.Put(b)
	return p // fine "PV001" Parse copies
}

func checksum(line string) uint32 {
	b := bufs.Get()
	b.WriteString(line)
	sum := scan.Sum(b.Bytes())
	bufs.Put(b)
	return sum // fine "PV001" a number
}

func wholeStructCopied() message {
	m := messages.Get().(*message)
	h := message{id: m.id, header: m.header}
	messages.Put(m)
	return h // fine "PV001" numbers, copied
}

// The slice leaves with the caller, the box goes back without it.
func detachedBody() []byte {
	m := messages.Get().(*message)
	m.body = append(m.body[:0], "x"...)
	body := m.body
	m.body = nil
	messages.Put(m)
	return body // fine "PV001" the message no longer has it
}

func detachedPointer() []byte {
	p := bytesPtr.Get().(*[]byte)
	b := append(*p, 'x')
	*p = nil
	bytesPtr.Put(p)
	return b // fine "PV001" the box is empty
}

// The next pointer is read before the node is put.
func freeListRight(head *node) (n int) {
	for p := head; p != nil; {
		next := p.next
		n += p.val
		p.next = nil
		nodes.Put(p)
		p = next // fine "PV001" another node
	}
	return n
}

func jobNameBefore(w io.Writer) (string, error) {
	j := jobs.New(3)
	name := j.Name
	err := jobs.Finish(j, w)
	return name, err // fine "PV001" a string is a value
}

func jobOnErrorOnly(w io.Writer) error {
	j := jobs.New(4)
	if err := j.Run(w); err != nil {
		err = fmt.Errorf("job %d: %w", j.ID, err)
		j.Release()
		return err // fine "PV001" made before
	}
	j.Release()
	return nil
}

// Two objects of one pool.
func twoObjects() int {
	a := messages.Get().(*message)
	b := messages.Get().(*message)
	messages.Put(a)
	n := b.id // fine "PV001" b is out still
	messages.Put(b)
	return n
}

func swapped(m *message) *message {
	fresh := messages.Get().(*message)
	fresh.id, fresh.name = m.id, m.name
	messages.Put(m)
	return fresh // fine "PV001" the other one
}

func (c *conn) flushRight() error {
	b := c.buf
	c.buf = nil
	_, err := c.rw.Write(b.Bytes())
	buffers.Put(b)
	if c.buf == nil { // fine "PV001" the field, not the object
		return err
	}
	return errors.New("written while flushing")
}

func (c *conn) rotate() {
	buffers.Put(c.buf)
	c.buf = buffers.Get().(*bytes.Buffer)
	c.buf.Reset() // fine "PV001" the field has a new object
}

// A worker puts; we wait and read what it wrote elsewhere.
func workerPuts(parts []string) int {
	var (
		wg    sync.WaitGroup
		total = make([]int, len(parts))
	)
	for i, p := range parts {
		wg.Add(1)
		go func() {
			defer wg.Done()
			b := buffers.Get().(*bytes.Buffer)
			b.Reset()
			b.WriteString(p)
			total[i] = b.Len()
			buffers.Put(b) // fine "PV001" nothing follows
		}()
	}
	wg.Wait()
	return total[0]
}

func sumTyped(p *gpool.Pool[node], list []int) int {
	n := p.Get()
	for _, v := range list {
		n.val += v
	}
	sum := n.val
	p.Put(n)
	return sum // fine "PV001" a number
}

// What the object pointed to belongs to somebody else.
type ticket struct{ owner *os.File }

var tickets = sync.Pool{New: func() any { return new(ticket) }}

func ownerOutlives(f *os.File) string {
	t := tickets.Get().(*ticket)
	t.owner = f
	owner := t.owner
	t.owner = nil
	tickets.Put(t)
	return owner.Name() // fine "PV001" the file was never pooled
}

func panics(ok bool) int {
	m := messages.Get().(*message)
	if !ok {
		messages.Put(m)
		panic("not ok")
	}
	id := m.id // fine "PV001" the other branch panics
	messages.Put(m)
	return id
}

func exits(ok bool) int {
	m := messages.Get().(*message)
	if !ok {
		messages.Put(m)
		os.Exit(2)
	}
	id := m.id // fine "PV001" the other branch ends the process
	messages.Put(m)
	return id
}
