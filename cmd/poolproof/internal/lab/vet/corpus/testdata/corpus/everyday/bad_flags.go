package everyday

import (
	"bytes"
	"io"
)

func renderLate(w io.Writer) byte {
	b, mine := bufferOf(w)
	b.WriteString("text")
	if mine {
		_ = releaseBuffer(w, b)
	}
	if mine {
		return b.Bytes()[0] // want "PV001"
	}
	return 0
}

func renderLost(w io.Writer) int {
	b, mine := bufferOf(w)
	b.WriteString("text")
	if !mine {
		return b.Len()
	}
	if _, err := w.Write(nil); err != nil {
		return 0 // want "PV005"
	}
	if mine {
		_ = releaseBuffer(w, b)
	}
	return 1
}

func bothFlags(isShort, isLong bool, data []byte) []byte {
	b := buffers.Get().(*bytes.Buffer)
	b.Write(data)
	if isShort {
		buffers.Put(b)
	}
	if isLong {
		return bytes.Clone(b.Bytes()) // want "PV001"
	}
	return nil
}

// The flag is changed in between.
func (w *writer) writeAndChange(data []byte) int {
	b := buffers.Get().(*bytes.Buffer)
	b.Write(data)
	if w.isNotConcurrent() {
		buffers.Put(b)
	}
	w.n = 4
	if !w.isNotConcurrent() {
		return b.Len() // want "PV001"
	}
	return 0
}
