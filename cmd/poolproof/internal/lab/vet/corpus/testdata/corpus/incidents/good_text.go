package incidents

import (
	"bufio"
	"bytes"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unsafe"
)

func parseKeeping(r io.Reader) (int, error) {
	b := getBuffer()
	if _, err := io.Copy(b, r); err != nil {
		putBuffer(b)
		return 0, err
	}
	n, err := strconv.Atoi(b.String())
	if err != nil {
		return 0, &syntaxError{text: b.Bytes()} // fine "PV003|PV005" the error keeps the buffer
	}
	putBuffer(b)
	return n, nil
}

func appendInto(dst []byte, rows []int) []byte {
	bp := slices4k.Get().(*[]byte)
	defer slices4k.Put(bp)
	out := (*bp)[:0]
	for _, r := range rows {
		out = strconv.AppendInt(out, int64(r), 10)
	}
	*bp = out
	return append(dst, out...) // fine "PV003" the bytes are copied into dst
}

// The object is taken when the loop begins and put when it ends.
func fieldsLazily(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		h := headers.Acquire()
		defer headers.Release(h)
		h.names = append(h.names, strings.Fields(s)...)
		for _, f := range h.names {
			if !yield(f) { // fine "PV003|PV004" strings of s
				return
			}
		}
	}
}

func trimmedCopy(r io.Reader) string {
	bp := slices4k.Get().(*[]byte)
	defer slices4k.Put(bp)
	b := (*bp)[:cap(*bp)]
	n, _ := r.Read(b)
	b = b[:n]
	return strings.Clone(strings.TrimSpace(unsafe.String(unsafe.SliceData(b), len(b)))) // fine "PV003" a clone
}

// The lookup does not keep the key.
func lookup(m map[string]int, name []byte) int {
	b := getBuffer()
	b.WriteByte('/')
	b.Write(name)
	n := m[unsafe.String(unsafe.SliceData(b.Bytes()), b.Len())] // fine "PV004" a lookup keeps nothing
	putBuffer(b)
	return n
}

func firstLineText(r io.Reader) (string, error) {
	br := readers.Get().(*bufio.Reader)
	br.Reset(r)
	defer readers.Put(br)
	return br.ReadString('\n') // fine "PV003" ReadString copies
}

func scanTexts(r io.Reader) (out []string) {
	bp := slices4k.Get().(*[]byte)
	defer slices4k.Put(bp)
	sc := bufio.NewScanner(r)
	sc.Buffer(*bp, cap(*bp))
	for sc.Scan() {
		out = append(out, sc.Text()) // fine "PV003|PV004" Text copies
	}
	return out
}

func namedCopy(parts []string) (out string) {
	b := getBuffer()
	defer func() {
		out = b.String() // fine "PV003" a string
		putBuffer(b)
	}()
	for _, p := range parts {
		b.WriteString(p)
	}
	return ""
}

func deferredLate(names []string) int {
	buf := getSlice()
	defer func() { putSlice(buf) }() // fine "PV013" what buf is then
	for _, n := range names {
		buf = append(buf, n...)
	}
	return bytes.Count(buf, []byte{'/'})
}

func replacedOnce(rs []io.Reader) (n int64) {
	b := getBuffer()
	defer func() { putBuffer(b) }()
	for _, r := range rs {
		m, err := io.Copy(b, r)
		if err != nil {
			putBuffer(b)
			b = getBuffer() // fine "PV002|PV005|PV006" the old one is put, the new one will be
			continue
		}
		n += m
	}
	return n
}

func namesCloned(s string) []string {
	h := headers.Acquire()
	h.names = append(h.names, strings.Split(s, ",")...)
	cp := slices.Clone(h.names)
	headers.Release(h)
	return cp // fine "PV001|PV003" a clone
}

// A number of the copy of the struct is no memory of the object.
func sizeOfCopy(s string) int {
	h := headers.Acquire()
	h.size = len(s)
	cp := *h
	headers.Release(h)
	return cp.size // fine "PV001" a copy
}

func writeSoon(w io.Writer, s string) error {
	b := getBuffer()
	b.WriteString(s)
	write := b.WriteTo
	_, err := write(w)
	putBuffer(b) // fine "PV001" after the last call
	return err
}

func joinEach(hs []*header) (all []string) {
	for _, h := range hs {
		b := getBuffer()
		for _, n := range h.names {
			b.WriteString(n)
		}
		all = append(all, b.String())
		putBuffer(b) // fine "PV001|PV002|PV004" another each time
	}
	return all
}

// The strings of a header are strings of s.
func firstName(s string) string {
	h := headers.Acquire()
	defer headers.Release(h)
	h.names = append(h.names, strings.Split(s, ",")...)
	return h.names[0] // fine "PV003" a string that the slice held
}
