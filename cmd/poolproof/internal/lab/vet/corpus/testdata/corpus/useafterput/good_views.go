package useafterput

import (
	"bytes"

	"example.org/corpus/lib/spools"
)

func (d *desk) lastLineCopied() []byte {
	s := bytes.Clone(d.sheet())
	d.clear()
	return s // fine "PV001|PV003" a copy
}

func (d *desk) firstByte() byte {
	s := d.sheet()
	b := s[0]
	d.clear()
	return b // fine "PV001" read before
}

// The sheet is of the pad after the one that was put.
func (d *desk) fresh() []byte {
	d.clear()
	d.open()
	return d.sheet() // fine "PV001|PV003" another pad
}

// The desks are two.
func (d *desk) other(e *desk) []byte {
	s := d.sheet()
	e.clear()
	return s // fine "PV001|PV003" the pad of the other desk was put
}

func (d *desk) takePad() *bytes.Buffer {
	p := d.pad
	d.pad = nil
	return p
}

// What was taken is the desk's no more.
func taken(d *desk) *bytes.Buffer {
	p := d.takePad()
	d.clear()
	return p // fine "PV001|PV003" taken before
}

func spooledCopy(lines []string) string {
	s := spools.Open()
	defer s.Done()
	for _, l := range lines {
		_ = s.Add(l)
	}
	return string(s.Text()) // fine "PV001|PV003" a string is a copy
}
