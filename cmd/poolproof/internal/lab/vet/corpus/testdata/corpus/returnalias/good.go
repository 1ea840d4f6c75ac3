package returnalias

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"example.org/corpus/lib/bufs"
	"example.org/corpus/lib/classes"
	"example.org/corpus/lib/gpool"
	"example.org/corpus/lib/lease"
	"example.org/corpus/lib/lend"
	"example.org/corpus/lib/scan"
)

func encodeCopied(v any) ([]byte, error) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	defer buffers.Put(b)
	if err := json.NewEncoder(b).Encode(v); err != nil {
		return nil, err
	}
	return append([]byte(nil), b.Bytes()...), nil // fine "PV003" copied
}

func exactSize(name string) []byte {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	defer buffers.Put(b)
	b.WriteString(name)
	out := make([]byte, b.Len())
	copy(out, b.Bytes())
	return out // fine "PV003" copied by hand
}

func cloned(name string) []byte {
	b := bufs.Get()
	defer bufs.Put(b)
	b.WriteString(name)
	return bytes.Clone(bytes.TrimSpace(b.Bytes())) // fine "PV003" a clone of the alias
}

func text(name string) string {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	defer buffers.Put(b)
	b.WriteString(name)
	return b.String() // fine "PV003" String copies
}

func convertedText(name string) string {
	p := bufs.GetBytes()
	defer bufs.PutBytes(p)
	*p = append(*p, name...)
	return string(*p) // fine "PV003" the conversion copies
}

func convertedBack(name string) []byte {
	p := bufs.GetBytes()
	defer bufs.PutBytes(p)
	*p = append(*p, name...)
	return []byte(strings.ToUpper(string(*p))) // fine "PV003" there and back copies
}

func numberOf(name string) (int, error) {
	b := bufs.Get()
	defer bufs.Put(b)
	return b.WriteString(name) // fine "PV003" a number and an error
}

func lenAndCap(name string) (int, int) {
	b := bufs.Get()
	defer bufs.Put(b)
	b.WriteString(name)
	return b.Len(), b.Cap() // fine "PV003" numbers
}

func fresh(names []string) map[string]string {
	b := builders.Get().(*builder)
	defer builders.Put(b)
	out := make(map[string]string, len(names))
	for _, n := range names {
		b.path = append(b.path[:0], n)
		out[n] = strings.Join(b.path, "/")
	}
	return out // fine "PV003" a map of its own
}

func clonedMap(names []string) map[string]string {
	b := builders.Get().(*builder)
	defer builders.Put(b)
	clear(b.components)
	for _, n := range names {
		b.components[n] = n
	}
	return maps.Clone(b.components) // fine "PV003" a clone
}

func clonedSlice(paths []string) []issue {
	b := builders.Get().(*builder)
	defer builders.Put(b)
	b.issues = b.issues[:0]
	for _, p := range paths {
		b.issues = append(b.issues, issue{at: p})
	}
	return slices.Clone(b.issues) // fine "PV003" a clone
}

func elementValue(paths []string) issue {
	b := builders.Get().(*builder)
	defer builders.Put(b)
	b.issues = append(b.issues[:0], issue{at: paths[0]})
	return b.issues[0] // fine "PV003" an element is a value
}

func structValue() header {
	b := builders.Get().(*builder)
	defer builders.Put(b)
	return b.hdr // fine "PV003" numbers by value
}

// The slice leaves, the builder is put without it.
func detachedIssues(paths []string) []issue {
	b := builders.Get().(*builder)
	defer builders.Put(b)
	for _, p := range paths {
		b.issues = append(b.issues, issue{at: p})
	}
	out := b.issues
	b.issues = nil
	return out // fine "PV003" taken out
}

func detachedInDefer(paths []string) []string {
	b := builders.Get().(*builder)
	defer func() {
		b.path = nil
		builders.Put(b)
	}()
	b.path = append(b.path[:0], paths...)
	return b.path // fine "PV003" evaluated before the closure clears the field
}

// Ownership goes to the caller on success only.
func ownedOnSuccess(r io.Reader) (b *bytes.Buffer, err error) {
	b = buffers.Get().(*bytes.Buffer)
	b.Reset()
	defer func() {
		if err != nil {
			buffers.Put(b) // fine "PV003" only if there is no result
			b = nil
		}
	}()
	if _, err = b.ReadFrom(r); err != nil {
		return nil, err
	}
	return b, nil // fine "PV003" the caller's
}

func ownedFlag(r io.Reader) (*bytes.Buffer, error) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	keep := false
	defer func() {
		if !keep {
			buffers.Put(b)
		}
	}()
	if _, err := b.ReadFrom(r); err != nil {
		return nil, err
	}
	keep = true
	return b, nil // fine "PV003" the flag is set
}

func leasedOut(name string) ([]byte, func()) {
	b, release := lease.Acquire()
	b.WriteString(name)
	return b.Bytes(), release // fine "PV003" the release goes along
}

func leasedCopied(name string) string {
	b, release := lease.Acquire()
	defer release()
	b.WriteString(name)
	return b.String() // fine "PV003" copied
}

func getter() *bytes.Buffer {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	return b // fine "PV003" nothing is deferred
}

func genericValue[T any](p *gpool.Pool[T], fill func(*T)) T {
	x := p.Get()
	defer p.Put(x)
	fill(x)
	return *x // fine "PV003" a value
}

func otherPackageCopy(name string) scan.Pair {
	b := bufs.Get()
	defer bufs.Put(b)
	b.WriteString(name)
	return scan.Parse(b.Bytes()) // fine "PV003" Parse copies
}

func otherPackageDup(name string) []byte {
	b := bufs.Get()
	defer bufs.Put(b)
	b.WriteString(name)
	return scan.Dup(b.Bytes()) // fine "PV003" Dup copies
}

func readerOfCopy(name string) io.Reader {
	b := bufs.Get()
	defer bufs.Put(b)
	b.WriteString(name)
	return strings.NewReader(b.String()) // fine "PV003" reads the copy
}

func argumentBack(dst []byte, name string) []byte {
	p := bufs.GetBytes()
	defer bufs.PutBytes(p)
	*p = append(*p, name...)
	return append(dst, *p...) // fine "PV003" the caller's memory
}

func writtenOut(w io.Writer, name string) (io.Writer, error) {
	b := bufs.Get()
	defer bufs.Put(b)
	b.WriteString(name)
	_, err := w.Write(b.Bytes())
	return w, err // fine "PV003" the caller's writer
}

func decoded(r io.Reader) (v struct{ Name string }, err error) {
	b := bufs.Get()
	defer bufs.Put(b)
	if _, err = b.ReadFrom(r); err != nil {
		return v, err
	}
	err = json.Unmarshal(b.Bytes(), &v)
	return v, err // fine "PV003" decoding copies strings
}

func lentBuffer(name string) (out string, err error) {
	err = lend.WithBuffer(func(b *bytes.Buffer) error {
		b.WriteString(name)
		out = b.String() // fine "PV004" a copy leaves the callback
		return nil
	})
	return out, err
}

// Two buffers: the one that is returned is not the one that is put.
func secondBuffer(name string) *bytes.Buffer {
	tmp := buffers.Get().(*bytes.Buffer)
	tmp.Reset()
	defer buffers.Put(tmp)
	tmp.WriteString(name)
	out := new(bytes.Buffer)
	out.Write(tmp.Bytes())
	return out // fine "PV003" the other one
}

func replaced(name string, n int) []byte {
	b := classes.Get(64)
	defer classes.Put(b)
	out := b
	if n > len(b) {
		out = make([]byte, n)
	} else {
		out = append([]byte(nil), b[:n]...)
	}
	copy(out, name)
	return out // fine "PV003" fresh on both ways
}

var (
	errNone  = errors.New("none")
	treeless = sync.Pool{New: func() any { return new(tree) }}
)

// What is returned was allocated here and only passed through the scratch.
type tree struct{ stack []*leaf }

type leaf struct{ name string }

func find(root *leaf, name string) (*leaf, error) {
	t := treeless.Get().(*tree)
	defer func() {
		clear(t.stack)
		t.stack = t.stack[:0]
		treeless.Put(t)
	}()
	t.stack = append(t.stack, root)
	for len(t.stack) > 0 {
		top := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		if top.name == name {
			return top, nil // fine "PV003" the caller's leaf, not the scratch
		}
	}
	return nil, errNone
}
