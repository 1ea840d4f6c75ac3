package incidents

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"unsafe"
)

// syntaxError keeps the text that it is about.
type syntaxError struct {
	text []byte
	at   int
}

func (e *syntaxError) Error() string { return fmt.Sprintf("%q at %d", e.text, e.at) }

func parse(r io.Reader) (int, error) {
	b := getBuffer()
	defer putBuffer(b)
	if _, err := io.Copy(b, r); err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(b.String())
	if err != nil {
		return 0, &syntaxError{text: b.Bytes()} // want "PV003"
	}
	return n, nil
}

func appendAll(rows []int) []byte {
	bp := slices4k.Get().(*[]byte)
	defer slices4k.Put(bp)
	out := (*bp)[:0]
	for _, r := range rows {
		out = strconv.AppendInt(out, int64(r), 10)
		out = append(out, '\n')
	}
	*bp = out
	return out // want "PV003"
}

// What is yielded is read after this has returned.
func fields(s string) iter.Seq[string] {
	h := headers.Acquire()
	defer headers.Release(h)
	h.names = append(h.names, strings.Fields(s)...)
	return func(yield func(string) bool) { // want "PV003|PV004"
		for _, f := range h.names {
			if !yield(f) {
				return
			}
		}
	}
}

func trimmed(r io.Reader) string {
	bp := slices4k.Get().(*[]byte)
	defer slices4k.Put(bp)
	b := (*bp)[:cap(*bp)]
	n, _ := r.Read(b)
	b = b[:n]
	return strings.TrimSpace(*(*string)(unsafe.Pointer(&b))) // want "PV003"
}

// The keys change while the map holds them.
func index(m map[string]int, names [][]byte) {
	for i, n := range names {
		b := getBuffer()
		b.WriteByte('/')
		b.Write(n)
		key := unsafe.String(unsafe.SliceData(b.Bytes()), b.Len())
		m[key] = i // want "PV004"
		putBuffer(b)
	}
}

func firstLine(r io.Reader) ([]byte, error) {
	br := readers.Get().(*bufio.Reader)
	br.Reset(r)
	defer readers.Put(br)
	return br.ReadSlice('\n') // want "PV003"
}

func scanAll(r io.Reader) (out [][]byte) {
	bp := slices4k.Get().(*[]byte)
	defer slices4k.Put(bp)
	sc := bufio.NewScanner(r)
	sc.Buffer(*bp, cap(*bp))
	for sc.Scan() {
		out = append(out, sc.Bytes()) // want "PV003|PV004"
	}
	return out
}

// The deferred function sets the result after it was thought to be safe.
func named(parts []string) (out []byte) {
	b := getBuffer()
	defer func() {
		out = b.Bytes() // want "PV003"
		putBuffer(b)
	}()
	for _, p := range parts {
		b.WriteString(p)
	}
	return nil
}

func grown(n int) int {
	buf := *slices4k.Get().(*[]byte)
	defer slices4k.Put(&buf) // want "PV008"
	buf = append(buf, make([]byte, n)...)
	return len(buf)
}

func putSlice(b []byte) { slices4k.Put(&b) } // may "PV008"

func getSlice() []byte { return (*slices4k.Get().(*[]byte))[:0] }

// The argument of the deferred call is the slice of before.
func deferredTooEarly(names []string) int {
	buf := getSlice()
	defer putSlice(buf) // want "PV013"
	for _, n := range names {
		buf = append(buf, n...)
	}
	return bytes.Count(buf, []byte{'/'})
}

func deferredThenReplaced(rs []io.Reader) (n int64) {
	b := getBuffer()
	defer putBuffer(b)
	for _, r := range rs {
		m, err := io.Copy(b, r)
		if err != nil {
			b = getBuffer() // want "PV005|PV006"
			continue
		}
		n += m
	}
	return n
}

// The copy of the struct shares its slice.
func names(s string) []string {
	h := headers.Acquire()
	h.names = append(h.names, strings.Split(s, ",")...)
	cp := *h
	headers.Release(h)
	return cp.names // want "PV001|PV003"
}

func writeLater(w io.Writer, s string) error {
	b := getBuffer()
	b.WriteString(s)
	write := b.WriteTo
	putBuffer(b)
	_, err := write(w) // want "PV001"
	return err
}

func joinNames(hs []*header) string {
	b := getBuffer()
	for _, h := range hs {
		for _, n := range h.names {
			b.WriteString(n) // may "PV001"
		}
		putBuffer(b) // want "PV001|PV002"
	}
	return ""
}
