package csvimport

import (
	"bufio"
	"bytes"
	"io"
	"strings"
)

func (t *table) headerRight(br *bufio.Reader) error {
	r := rows.Get().(*row)
	defer rows.Put(r)
	r.reset()
	line, err := br.ReadSlice('\n')
	if err != nil {
		return err
	}
	r.raw = append(r.raw, line...)
	for i, c := range bytes.Split(r.raw, []byte{','}) {
		t.names[string(c)] = i // fine "PV004" a copy
	}
	return nil
}

func (t *table) eachRight(br *bufio.Reader) error {
	for {
		r := rows.Get().(*row)
		r.reset()
		line, err := br.ReadBytes('\n')
		if err != nil {
			rows.Put(r)
			if err == io.EOF {
				err = nil
			}
			return err
		}
		r.raw = append(r.raw, line...)
		err = t.onRow(r)
		rows.Put(r)
		if err != nil { // fine "PV001" err is no memory of r
			return err
		}
	}
}

// reuse takes one row for all lines.
func (t *table) reuse(br *bufio.Reader) error {
	r := rows.Get().(*row)
	defer rows.Put(r)
	for {
		r.reset()
		line, err := br.ReadString('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if strings.HasPrefix(line, "#") {
			continue // fine "PV005" the same row serves the next round
		}
		r.raw = append(r.raw, line...)
		if err := t.onRow(r); err != nil {
			return err
		}
	}
}

// work lets workers put what they get.
func work(br *bufio.Reader, n int, do func(*row)) error {
	ch := make(chan *row, n)
	done := make(chan struct{})
	for range n {
		go func() {
			for r := range ch {
				do(r)
				rows.Put(r)
			}
			done <- struct{}{}
		}()
	}
	var err error
	for {
		r := rows.Get().(*row)
		r.reset()
		var line []byte
		if line, err = br.ReadBytes('\n'); err != nil {
			rows.Put(r)
			break
		}
		r.raw = append(r.raw, line...)
		ch <- r // fine "PV005" a worker puts it
	}
	close(ch)
	for range n {
		<-done
	}
	if err == io.EOF {
		return nil
	}
	return err
}

func count(br *bufio.Reader) (n int) {
	r := rows.Get().(*row)
	for {
		line, err := br.ReadBytes('\n')
		if err != nil {
			break
		}
		r.raw = append(r.raw[:0], line...)
		n += bytes.Count(r.raw, []byte{','})
	}
	r.reset()
	rows.Put(r)
	return n // fine "PV003" a number
}

// longest returns the longest cell, copied before the row is put.
func longest(br *bufio.Reader) (string, error) {
	r := rows.Get().(*row)
	defer rows.Put(r)
	r.reset()
	line, err := br.ReadBytes('\n')
	if err != nil {
		return "", err
	}
	r.cells = append(r.cells, bytes.Split(line, []byte{','})...)
	var best []byte
	for _, c := range r.cells {
		if len(c) > len(best) {
			best = c
		}
	}
	clear(r.cells)
	return string(best), nil
}
