package noreset

import (
	"bytes"
	"io"
	"strings"

	"example.org/corpus/lib/bufs"
)

func resetOnGet(w io.Writer, name string) error {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset() // fine "PV011" cleaned on the way out
	b.WriteString(name)
	_, err := w.Write(b.Bytes())
	buffers.Put(b)
	return err
}

func resetOnPut(w io.Writer, name string) error {
	b := buffers.Get().(*bytes.Buffer)
	b.WriteString(name)
	_, err := w.Write(b.Bytes())
	b.Reset() // fine "PV011" cleaned on the way back
	buffers.Put(b)
	return err
}

func resetInDefer(name string) string {
	b := builders.Get().(*strings.Builder)
	defer func() {
		b.Reset() // fine "PV011" cleaned by the deferred call
		builders.Put(b)
	}()
	b.WriteString(name)
	return b.String()
}

func zeroed(name string, check func(string, bool)) {
	f := forms.Get().(*form)
	*f = form{name: name} // fine "PV011" every field is written
	check(f.name, f.admin)
	forms.Put(f)
}

func cleared(words []string) int {
	s := sets.Get().(map[string]bool)
	clear(s) // fine "PV011" cleared
	for _, w := range words {
		s[w] = true
	}
	n := len(s)
	sets.Put(s)
	return n
}

func byGetter(name string) int {
	b := bufs.Get() // fine "PV011" its getter resets
	defer bufs.Put(b)
	n, _ := b.WriteString(name)
	return n
}

func truncated(name string) int {
	b := buffers.Get().(*bytes.Buffer)
	b.Truncate(0) // fine "PV011" as good as Reset
	n, _ := b.WriteString(name)
	buffers.Put(b)
	return n
}
