package a

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"strings"
	"sync"
)

// What is written comes after what is there already.
var lines = sync.Pool{New: func() any { return bytes.NewBuffer(make([]byte, 0, 100)) }}

type console struct {
	out   io.Writer
	parts []string
}

func (c console) Write(p []byte) (n int, err error) {
	var b = lines.Get().(*bytes.Buffer) // want `\(warning\): WriteTo leaves in b what it could not write, and nothing resets it`
	defer lines.Put(b)
	for _, s := range c.parts {
		c.part(b, s)
	}
	b.WriteByte('\n')
	b.WriteTo(c.out)
	return len(p), nil
}

func (c console) part(b *bytes.Buffer, s string) {
	if b.Len() > 0 {
		b.WriteByte(' ')
	}
	b.WriteString(s)
}

func checkedButDeferred(w io.Writer, s string) error {
	b := lines.Get().(*bytes.Buffer) // want `WriteTo leaves in b what it could not write`
	defer lines.Put(b)
	b.WriteString(s)
	if _, err := b.WriteTo(w); err != nil {
		return err
	}
	return nil
}

func leftOutIfItFails(w io.Writer, s string) error {
	b := lines.Get().(*bytes.Buffer)
	b.WriteString(s)
	if _, err := b.WriteTo(w); err != nil {
		return err
	}
	lines.Put(b)
	return nil
}

func intoMemory(s string) int {
	b := lines.Get().(*bytes.Buffer)
	defer lines.Put(b)
	var all bytes.Buffer
	b.WriteString(s)
	b.WriteTo(&all)
	b.WriteTo(io.Discard)
	return all.Len()
}

var texts = sync.Pool{New: func() any { return new(strings.Builder) }}

func join(list []string) string {
	b := texts.Get().(*strings.Builder) // want `\(warning\): nothing resets b`
	for _, s := range list {
		fprint(b, s)
	}
	s := b.String()
	texts.Put(b)
	return s
}

func fprint(w io.Writer, s string) { io.WriteString(w, s) }

func joinAfter(list []string) string {
	b := texts.Get().(*strings.Builder)
	b.Reset()
	for _, s := range list {
		b.WriteString(s)
	}
	s := b.String()
	texts.Put(b)
	return s
}

// A callee empties it, however deep.
var frames = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func frame(p []byte) int {
	b := frames.Get().(*bytes.Buffer) // want `\(audit\): this \*bytes.Buffer still holds`
	defer frames.Put(b)
	b.Write(p)
	n := len(b.Bytes())
	first(b)
	return n
}

func first(b *bytes.Buffer)  { second(b) }
func second(b *bytes.Buffer) { b.Next(b.Len()) }

// Code that is not known may empty it.
func unknownCode(p []byte, f func(*bytes.Buffer)) string {
	b := frames.Get().(*bytes.Buffer) // want `\(audit\)`
	defer frames.Put(b)
	b.Write(p)
	f(b)
	return b.String()
}

func consumed(p []byte) (n int, err error) {
	b := frames.Get().(*bytes.Buffer) // want `\(audit\)`
	defer frames.Put(b)
	b.Write(p)
	_ = b.String()
	err = json.NewDecoder(b).Decode(&n)
	return n, err
}

func printed(p []byte) string {
	b := frames.Get().(*bytes.Buffer) // want `\(audit\)`
	defer frames.Put(b)
	b.Write(p)
	return fmt.Sprint(b)
}

// Each call has a pool of its own.
func ownPool(list []string) string {
	own := sync.Pool{New: func() any { return new(strings.Builder) }}
	b := own.Get().(*strings.Builder) // want `\(audit\)`
	for _, s := range list {
		b.WriteString(s)
	}
	defer own.Put(b)
	return b.String()
}

// Nothing of it is read here.
func onlyWritten(p []byte) {
	b := frames.Get().(*bytes.Buffer) // want `\(audit\)`
	defer frames.Put(b)
	b.Write(p)
}

// It is kept by other code.
type holder struct{ b *bytes.Buffer }

func held(h *holder, p []byte) string {
	b := frames.Get().(*bytes.Buffer) // want `\(audit\)`
	h.b = b
	b.Write(p)
	s := b.String()
	frames.Put(b)
	return s
}

var hashes = sync.Pool{New: func() any { return hash.Hash(nil) }}

func digest(p []byte) []byte {
	h := hashes.Get().(hash.Hash) // want `\(warning\): nothing resets h`
	if h == nil {
		return nil
	}
	io.Copy(h, bytes.NewReader(p))
	d := h.Sum(nil)
	hashes.Put(h)
	return d
}

func digestAfter(p []byte) []byte {
	h := hashes.Get().(hash.Hash)
	h.Write(p)
	d := h.Sum(nil)
	h.Reset()
	hashes.Put(h)
	return d
}
