package deferinloop

import (
	"bytes"
	"io"

	"example.org/corpus/lib/bufs"
)

func functionInLoop(w io.Writer, names []string) {
	for _, n := range names {
		func() {
			b := buffers.Get().(*bytes.Buffer)
			defer buffers.Put(b) // fine "PV016" the inner function's
			b.Reset()
			b.WriteString(n)
			b.WriteTo(w)
		}()
	}
}

func beforeLoop(w io.Writer, names []string) {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b) // fine "PV016" once, before the loop
	for _, n := range names {
		b.Reset()
		b.WriteString(n)
		b.WriteTo(w)
	}
}

func lastIteration(w io.Writer, in <-chan string) error {
	for s := range in {
		if s == "" {
			continue
		}
		b := bufs.Get()
		defer bufs.Put(b) // fine "PV016" the loop ends here always
		b.WriteString(s)
		_, err := b.WriteTo(w)
		return err
	}
	return nil
}

func workers(w io.Writer, n int) {
	for range n {
		go func() {
			b := bufs.Get()
			defer bufs.Put(b) // fine "PV016" each goroutine's own
			b.WriteByte('x')
			b.WriteTo(w)
		}()
	}
}

func rangeFunc(w io.Writer, seq func(func(string) bool)) {
	seq(func(s string) bool {
		b := bufs.Get()
		defer bufs.Put(b) // fine "PV016" a call each time
		b.WriteString(s)
		_, err := b.WriteTo(w)
		return err == nil
	})
}

func direct(w io.Writer, names []string) {
	for _, n := range names {
		b := bufs.Get()
		b.WriteString(n)
		b.WriteTo(w)
		bufs.Put(b) // fine "PV016" not deferred
	}
}
