package core

import "unsafe"

// A Writer puts lines of JSON and of text together in memory that was made
// before. What does not fit is left out, and Full says so: the line is then
// not written.
type Writer struct {
	buf  unsafe.Pointer
	size uintptr
	n    uintptr
	Full bool
}

// Init hands w its memory.
func (w *Writer) Init(buf unsafe.Pointer, size uintptr) { w.buf, w.size = buf, size }

// Reset empties w.
func (w *Writer) Reset() { w.n, w.Full = 0, false }

// Len returns how many bytes are in w, and Bytes where.
func (w *Writer) Len() uintptr          { return w.n }
func (w *Writer) Bytes() unsafe.Pointer { return w.buf }

// Byte writes one byte.
func (w *Writer) Byte(b byte) {
	if w.n == w.size {
		w.Full = true
		return
	}
	*(*byte)(unsafe.Add(w.buf, w.n)) = b
	w.n++
}

// Text writes s as it is.
func (w *Writer) Text(s string) {
	for i := 0; i < len(s); i++ {
		w.Byte(s[i])
	}
}

// Raw writes n bytes of memory.
func (w *Writer) Raw(p unsafe.Pointer, n uintptr) {
	for i := uintptr(0); i < n; i++ {
		w.Byte(*(*byte)(unsafe.Add(p, i)))
	}
}

// Number writes v in decimal.
func (w *Writer) Number(v uint64) {
	var digits [20]byte
	i := len(digits)
	for {
		i--
		digits[i] = byte('0' + v%10)
		if v /= 10; v == 0 {
			break
		}
	}
	for ; i < len(digits); i++ {
		w.Byte(digits[i])
	}
}

// Hex writes v in hexadecimal, after 0x.
func (w *Writer) Hex(v uint64) {
	w.Text("0x")
	i := 60
	for i > 0 && v>>i == 0 {
		i -= 4
	}
	for ; i >= 0; i -= 4 {
		w.Byte(hexDigits[v>>i&15])
	}
}

const hexDigits = "0123456789abcdef"

// Quote writes s as a JSON string.
func (w *Writer) Quote(s string) {
	w.Byte('"')
	w.Escaped(s)
	w.Byte('"')
}

// Escaped writes s as a part of a JSON string.
func (w *Writer) Escaped(s string) {
	for i := 0; i < len(s); i++ {
		w.escaped(s[i])
	}
}

// QuoteRaw writes n bytes of memory as a JSON string.
func (w *Writer) QuoteRaw(p unsafe.Pointer, n uintptr) {
	w.Byte('"')
	for i := uintptr(0); i < n; i++ {
		w.escaped(*(*byte)(unsafe.Add(p, i)))
	}
	w.Byte('"')
}

// escaped writes one byte of a JSON string.
func (w *Writer) escaped(b byte) {
	switch {
	case b == '"' || b == '\\':
		w.Byte('\\')
		w.Byte(b)
	case b < 0x20:
		w.Text(`\u00`)
		w.Byte(hexDigits[b>>4])
		w.Byte(hexDigits[b&15])
	default:
		w.Byte(b)
	}
}

// Key writes the name of the next member of a JSON object.
func (w *Writer) Key(name string) {
	if w.n > 0 && *(*byte)(unsafe.Add(w.buf, w.n-1)) != '{' {
		w.Byte(',')
	}
	w.Byte('"')
	w.Text(name)
	w.Text(`":`)
}

// String writes a member whose value is a string.
func (w *Writer) String(name, value string) {
	w.Key(name)
	w.Quote(value)
}

// Uint writes a member whose value is a number.
func (w *Writer) Uint(name string, value uint64) {
	w.Key(name)
	w.Number(value)
}

// Back takes the last n bytes back.
func (w *Writer) Back(n uintptr) {
	w.n -= min(n, w.n)
}
