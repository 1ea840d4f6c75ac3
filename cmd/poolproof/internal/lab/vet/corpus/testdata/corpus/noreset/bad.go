// Package noreset neither cleans what it puts nor what it got.
package noreset

import (
	"bytes"
	"io"
	"strings"
	"sync"
)

type form struct {
	name  string
	admin bool
}

var (
	buffers  = sync.Pool{New: func() any { return new(bytes.Buffer) }}
	builders = sync.Pool{New: func() any { return new(strings.Builder) }}
	forms    = sync.Pool{New: func() any { return new(form) }}
	sets     = sync.Pool{New: func() any { return map[string]bool{} }}
)

func buffer(w io.Writer, name string) error {
	b := buffers.Get().(*bytes.Buffer) // want "PV011"
	b.WriteString(name)
	_, err := w.Write(b.Bytes())
	buffers.Put(b)
	return err
}

func builder(name string) string {
	b := builders.Get().(*strings.Builder) // want "PV011"
	defer builders.Put(b)
	b.WriteString(name)
	return b.String()
}

func structure(name string, root bool, check func(string, bool)) {
	f := forms.Get().(*form) // want "PV011"
	f.name = name
	if root {
		f.admin = true
	}
	check(f.name, f.admin)
	forms.Put(f)
}

func set(words []string) int {
	s := sets.Get().(map[string]bool) // want "PV011"
	for _, w := range words {
		s[w] = true
	}
	n := len(s)
	sets.Put(s)
	return n
}
