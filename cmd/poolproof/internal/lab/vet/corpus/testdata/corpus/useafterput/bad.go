// Package useafterput uses objects that are in the pool again.
package useafterput

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"sync"
	"unsafe"

	"example.org/corpus/lib/bufs"
	"example.org/corpus/lib/classes"
	"example.org/corpus/lib/gpool"
	"example.org/corpus/lib/jobs"
	"example.org/corpus/lib/scan"
)

type message struct {
	id     int
	name   string
	header header
	body   []byte
	attrs  map[string]string
}

type header struct{ version, flags uint8 }

var (
	messages = sync.Pool{New: func() any { return &message{attrs: map[string]string{}} }}
	buffers  = sync.Pool{New: func() any { return new(bytes.Buffer) }}
	bytesPtr = sync.Pool{New: func() any { b := make([]byte, 0, 512); return &b }}
	counts   = sync.Pool{New: func() any { return map[string]int{} }}
)

func render(name string) string {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString("hello, ")
	b.WriteString(name)
	buffers.Put(b)
	return b.String() // want "PV001"
}

func readField(id int) int {
	m := messages.Get().(*message)
	m.id = id
	messages.Put(m)
	return m.id + 1 // want "PV001"
}

func writeField(id int) {
	m := messages.Get().(*message)
	m.id = id
	messages.Put(m)
	m.name = "" // want "PV001"
}

// The capacity is read through the pointer.
func capacityThroughPointer(r io.Reader) (int, error) {
	p := bytesPtr.Get().(*[]byte)
	n, err := io.ReadFull(r, (*p)[:cap(*p)])
	bytesPtr.Put(p)
	return n * 100 / cap(*p), err // want "PV001"
}

// The error message of a request reads the request.
func validate(id int) error {
	m := messages.Get().(*message)
	m.id = id
	if m.name == "" {
		messages.Put(m)
		return fmt.Errorf("message %d (version %d) has no name", m.id, m.header.version) // want "PV001"
	}
	messages.Put(m)
	return nil
}

// Only one of the two ways here has put it.
func putOnOneBranch(w io.Writer, keep bool) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	if !keep {
		buffers.Put(b)
	}
	b.WriteByte('\n') // want "PV001"
	w.Write(b.Bytes())
	if keep {
		buffers.Put(b)
	}
}

func sliceOfBuffer(w io.Writer, n int) error {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	fmt.Fprintf(b, "%d", n)
	data := b.Bytes()
	buffers.Put(b)
	_, err := w.Write(data) // want "PV001"
	return err
}

func interiorPointer(flags uint8) {
	m := messages.Get().(*message)
	h := &m.header
	m.id++
	messages.Put(m)
	h.flags |= flags // want "PV001"
}

func fieldSlice(dst []byte) int {
	m := messages.Get().(*message)
	m.body = append(m.body[:0], "body"...)
	body := m.body
	messages.Put(m)
	return copy(dst, body) // want "PV001"
}

func mapField(key string) string {
	m := messages.Get().(*message)
	attrs := m.attrs
	attrs[key] = "x"
	messages.Put(m)
	return attrs[key] // want "PV001"
}

func pooledMap(words []string) (most string) {
	seen := counts.Get().(map[string]int)
	clear(seen)
	for _, w := range words {
		seen[w]++
	}
	counts.Put(seen)
	for w, n := range seen { // want "PV001"
		if n > seen[most] {
			most = w
		}
	}
	return most
}

// Put and use are in one loop, but the object comes from before it.
func putInLoop(lines []string, w io.Writer) {
	b := buffers.Get().(*bytes.Buffer) // may "PV005"
	for _, line := range lines {
		b.Reset() // want "PV001"
		b.WriteString(line)
		w.Write(b.Bytes())
		buffers.Put(b) // may "PV002"
	}
}

func rangeOverSlice() (sum int) {
	p := bytesPtr.Get().(*[]byte)
	bytesPtr.Put(p)
	for _, c := range *p { // want "PV001"
		sum += int(c)
	}
	return sum
}

// The deferred calls run last in, first out: the Put runs before the Reset.
func resetAfterDeferredPut(name string) int {
	b := buffers.Get().(*bytes.Buffer)
	defer b.Reset() // want "PV001"
	defer buffers.Put(b)
	n, _ := b.WriteString(name)
	return n
}

func flushAfterDeferredPut(w io.Writer, name string) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	defer func() {
		w.Write(b.Bytes()) // want "PV001"
	}()
	defer buffers.Put(b)
	b.WriteString(name)
}

func closureReadsLater(name string) string {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	text := func() string { return b.String() }
	b.WriteString(name)
	buffers.Put(b)
	return text() // want "PV001"
}

// The deferred call of the inner function has run when it returns.
func innerFunctionPuts(name string) int {
	b := buffers.Get().(*bytes.Buffer)
	func() {
		defer buffers.Put(b)
		b.WriteString(name)
	}()
	return b.Len() // want "PV001"
}

func throughInterface() int {
	x := buffers.Get()
	w := x.(io.Writer)
	b := x.(*bytes.Buffer)
	b.Reset()
	buffers.Put(x)
	n, _ := io.WriteString(w, "late") // want "PV001"
	return n
}

func unsafeText(n uint32) string {
	p := bytesPtr.Get().(*[]byte)
	*p = binary.BigEndian.AppendUint32((*p)[:0], n)
	s := unsafe.String(&(*p)[0], len(*p))
	bytesPtr.Put(p)
	return strings.ToUpper(s) // want "PV001"
}

// append returns the memory of its first argument.
func appendAlias(name string) []byte {
	p := bytesPtr.Get().(*[]byte)
	out := append((*p)[:0], name...)
	bytesPtr.Put(p) // may "PV013"
	return out      // want "PV001"
}

func switchFallsOut(kind int, w io.Writer) {
	b := buffers.Get().(*bytes.Buffer) // may "PV005"
	b.Reset()
	switch kind {
	case 0:
		b.WriteString("zero")
	case 1:
		buffers.Put(b)
	default:
		b.WriteString("many")
	}
	io.Copy(w, b) // want "PV001"
}

// Functions kept in package variables are functions too.
var handle = func(name string) string {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(name)
	buffers.Put(b)
	return b.String() // want "PV001"
}

var handlers = map[string]func(*message) int{
	"count": func(m *message) int {
		m.id = len(m.body)
		messages.Put(m)
		return m.id // want "PV001"
	},
}

// The wrappers are in other packages.

func wrapperPuts(name string) int {
	b := bufs.Get()
	b.WriteString(name)
	bufs.Put(b)
	return b.Len() // want "PV001"
}

func sizeClassPuts(r io.Reader, n int) (uint32, error) {
	b := classes.Get(n)
	_, err := io.ReadFull(r, b)
	classes.Put(b)
	return scan.Sum(b), err // want "PV001"
}

func releaseMethod(w io.Writer) error {
	j := jobs.New(1)
	err := j.Run(w)
	j.Release()
	if err != nil {
		return fmt.Errorf("job %d: %w", j.ID, err) // want "PV001"
	}
	return nil
}

func consumerPuts(w io.Writer) string {
	j := jobs.New(2)
	j.Name = "second"
	if err := jobs.Finish(j, w); err != nil {
		return err.Error()
	}
	return j.Name // want "PV001"
}

func aliasOfOtherPackage(w io.Writer, line string) {
	b := bufs.Get()
	b.WriteString(line)
	v := scan.Look(b.Bytes(), 1)
	bufs.Put(b)
	w.Write(v.Key) // want "PV001"
}

func putGeneric[T any](p *gpool.Pool[T], read func(*T) int) int {
	x := p.Get()
	p.Put(x)
	return read(x) // want "PV001"
}

var typed = gpool.New(func(m *message) { m.id = 0 })

func putTyped() int {
	m := typed.Get()
	m.id = 7
	typed.Put(m)
	return m.id // want "PV001"
}

// The buffer of a connection is a field.
type conn struct {
	rw  io.ReadWriter
	buf *bytes.Buffer
}

func (c *conn) flush() error {
	_, err := c.rw.Write(c.buf.Bytes())
	buffers.Put(c.buf)
	c.buf.Reset() // want "PV001"
	return err
}

// The next pointer of a list is read after the node is put.
type node struct {
	next *node
	val  int
}

var nodes = sync.Pool{New: func() any { return new(node) }}

func freeList(head *node) (n int) {
	for p := head; p != nil; p = p.next { // want "PV001"
		n += p.val
		nodes.Put(p)
	}
	return n
}

// The label of a deferred message is read when the message is in the pool.
func deferredArgument(log func(*message)) {
	m := messages.Get().(*message)
	defer log(m) // want "PV001"
	defer messages.Put(m)
	m.id++
}

// Values of two branches, both pooled.
func eitherOfTwo(large bool) int {
	var m *message
	if large {
		m = messages.Get().(*message)
		m.body = make([]byte, 1<<10)
	} else {
		m = messages.Get().(*message)
	}
	messages.Put(m)
	return cap(m.body) // want "PV001"
}

func sendAfterPut(out chan<- *message) {
	m := messages.Get().(*message)
	m.id = 9
	messages.Put(m)
	out <- m // want "PV001"
}

func returnAfterPut() *message {
	m := messages.Get().(*message)
	m.id = 9
	messages.Put(m)
	return m // want "PV001|PV003"
}
