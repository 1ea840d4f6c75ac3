// Package returnalias returns memory whose deferred Put runs before the caller
// sees it.
package returnalias

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"sync"
	"unsafe"

	"example.org/corpus/lib/bufs"
	"example.org/corpus/lib/classes"
	"example.org/corpus/lib/gpool"
	"example.org/corpus/lib/lease"
	"example.org/corpus/lib/scan"
)

type builder struct {
	components map[string]string
	issues     []issue
	path       []string
	out        bytes.Buffer
	hdr        header
}

type issue struct {
	at   string
	text string
}

type header struct{ n int }

var (
	buffers  = sync.Pool{New: func() any { return new(bytes.Buffer) }}
	raws     = sync.Pool{New: func() any { b := make([]byte, 0, 512); return &b }}
	builders = sync.Pool{New: func() any { return &builder{components: map[string]string{}} }}
	issueSet = sync.Pool{New: func() any { s := make([]issue, 0, 16); return &s }}
	objects  = sync.Pool{New: func() any { return make(map[string]any, 16) }}
)

func encode(v any) ([]byte, error) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	defer buffers.Put(b)
	if err := json.NewEncoder(b).Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil // want "PV003"
}

func slice(name string) []byte {
	p := raws.Get().(*[]byte)
	defer raws.Put(p)
	*p = append((*p)[:0], name...)
	return *p // want "PV003"
}

func appended(name string) []byte {
	p := raws.Get().(*[]byte)
	defer raws.Put(p)                // may "PV013"
	return append((*p)[:0], name...) // want "PV003"
}

func object(name string) *bytes.Buffer {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	b.WriteString(name)
	return b // want "PV003"
}

type result struct {
	status int
	data   []byte
}

func inStruct(name string) result {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	defer buffers.Put(b)
	b.WriteString(name)
	return result{status: 200, data: b.Bytes()} // want "PV003"
}

func inStructPointer(name string) (*result, error) {
	b := bufs.Get()
	defer bufs.Put(b)
	if _, err := b.WriteString(name); err != nil {
		return nil, err
	}
	r := &result{status: 200}
	r.data = b.Bytes()
	return r, nil // want "PV003"
}

func namedResult(r io.Reader) (data []byte, err error) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	defer buffers.Put(b)
	if _, err = b.ReadFrom(r); err != nil {
		return
	}
	data = b.Bytes()
	return // want "PV003"
}

func trimmed(name string) []byte {
	b := buffers.Get().(*bytes.Buffer)
	defer func() {
		b.Reset()
		buffers.Put(b)
	}()
	b.WriteString(name)
	return bytes.TrimSpace(b.Bytes()) // want "PV003"
}

func unsafeString(name string) string {
	p := raws.Get().(*[]byte)
	defer raws.Put(p)
	*p = append((*p)[:0], name...)
	return unsafe.String(unsafe.SliceData(*p), len(*p)) // want "PV003"
}

func asReader(name string) io.Reader {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	defer buffers.Put(b)
	b.WriteString(name)
	return bytes.NewReader(b.Bytes()) // want "PV003"
}

func objectAsReader(name string) io.Reader {
	b := bufs.Get()
	defer bufs.Put(b)
	b.WriteString(name)
	return b // want "PV003"
}

func inClosure(name string) func() int {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.WriteString(name)
	return func() int { return b.Len() } // want "PV003"
}

func methodValue(name string) func() string {
	b := bufs.Get()
	defer bufs.Put(b)
	b.WriteString(name)
	return b.String // want "PV003"
}

func parts(text string) [][]byte {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	defer buffers.Put(b)
	b.WriteString(text)
	return bytes.Split(b.Bytes(), []byte(",")) // want "PV003"
}

func raw(v any) (json.RawMessage, error) {
	b := bufs.Get()
	defer bufs.Put(b)
	if err := json.NewEncoder(b).Encode(v); err != nil {
		return nil, err
	}
	return json.RawMessage(b.Bytes()), nil // want "PV003"
}

func pooledMap(keys []string) map[string]any {
	m := objects.Get().(map[string]any)
	clear(m)
	defer objects.Put(m)
	for _, k := range keys {
		m[k] = nil
	}
	return m // want "PV003"
}

func classed(r io.Reader, n int) ([]byte, error) {
	b := classes.Get(n)
	defer classes.Put(b)
	got, err := io.ReadFull(r, b)
	return b[:got], err // want "PV003"
}

func leased(name string) []byte {
	b, release := lease.Acquire()
	defer release()
	b.WriteString(name)
	return b.Bytes() // want "PV003"
}

func otherPackageAlias(name string) []byte {
	b := bufs.Get()
	defer bufs.Put(b)
	b.WriteString(name)
	return scan.Head(b.Bytes()) // want "PV003"
}

func otherPackageView(name string) scan.View {
	b := bufs.Get()
	defer bufs.Put(b)
	b.WriteString(name)
	return scan.Look(b.Bytes(), 1) // want "PV003"
}

func generic[T any](p *gpool.Pool[T], fill func(*T)) *T {
	x := p.Get()
	defer p.Put(x)
	fill(x)
	return x // want "PV003"
}

// Half of the results are copied, the other half is not.
func oneReturnCopies(name string, short bool) []byte {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	defer buffers.Put(b)
	b.WriteString(name)
	if short {
		return bytes.Clone(b.Bytes()[:1])
	}
	return b.Bytes() // want "PV003"
}

// Pooled state of a tree walk, whose results are collected inside it.

func buildComponents(names []string) map[string]string {
	b := builders.Get().(*builder)
	defer builders.Put(b)
	clear(b.components)
	for _, n := range names {
		b.components[n] = strings.ToUpper(n)
	}
	return b.components // want "PV003"
}

func collectIssues(paths []string) []issue {
	s := issueSet.Get().(*[]issue)
	defer func() {
		*s = (*s)[:0]
		issueSet.Put(s)
	}()
	for _, p := range paths {
		if p == "" {
			*s = append(*s, issue{at: p, text: "empty"})
		}
	}
	return *s // want "PV003"
}

func fieldOfPooled(paths []string) []issue {
	b := builders.Get().(*builder)
	defer builders.Put(b)
	b.issues = b.issues[:0]
	for _, p := range paths {
		b.issues = append(b.issues, issue{at: p})
	}
	return b.issues // want "PV003"
}

func interior() *header {
	b := builders.Get().(*builder)
	defer builders.Put(b)
	b.hdr.n++
	return &b.hdr // want "PV003"
}

func innerBuffer(name string) []byte {
	b := builders.Get().(*builder)
	defer builders.Put(b)
	b.out.Reset()
	b.out.WriteString(name)
	return b.out.Bytes() // want "PV003"
}

func sliced(paths []string, n int) []string {
	b := builders.Get().(*builder)
	defer builders.Put(b)
	b.path = append(b.path[:0], paths...)
	return b.path[:n] // want "PV003"
}

var decode = func(r io.Reader) []byte {
	b := bufs.Get()
	defer bufs.Put(b)
	io.Copy(b, r)
	return b.Bytes() // want "PV003"
}

// The return and the Put are in one closure, which is called here.
func inCallback(names []string, each func(func(string) []byte)) {
	each(func(name string) []byte {
		b := buffers.Get().(*bytes.Buffer)
		b.Reset()
		defer buffers.Put(b)
		b.WriteString(name)
		return b.Bytes() // want "PV003"
	})
}
