package useafterput

import (
	"bytes"
	"sync"

	"example.org/corpus/lib/spools"
)

// What a method hands out is the owner's, and ends with it.

var scratchPads = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type desk struct {
	pad   *bytes.Buffer
	clean []byte
}

func (d *desk) open() { d.pad = scratchPads.Get().(*bytes.Buffer) }

// sheet returns what is on the desk.
func (d *desk) sheet() []byte {
	if d.pad == nil {
		return d.clean
	}
	return d.pad.Bytes()
}

func (d *desk) thePad() *bytes.Buffer { return d.pad }

func (d *desk) clear() {
	if d.pad != nil {
		scratchPads.Put(d.pad)
		d.pad = nil
	}
}

func (d *desk) lastLine() []byte {
	s := d.sheet()
	d.clear()
	if i := bytes.LastIndexByte(s, '\n'); i >= 0 { // want "PV001"
		s = s[i+1:]
	}
	return s
}

func writeLate(d *desk, p []byte) {
	pad := d.thePad()
	d.clear()
	pad.Write(p) // want "PV001"
}

func allOf(d *desk) []byte {
	defer d.clear()
	return d.sheet() // want "PV003|PV001"
}

func spooled(lines []string) (string, error) {
	s := spools.Open()
	for _, l := range lines {
		if err := s.Add(l); err != nil {
			s.Done()
			return "", err
		}
	}
	text := s.Text()
	s.Done()
	return string(text), nil // want "PV001"
}
