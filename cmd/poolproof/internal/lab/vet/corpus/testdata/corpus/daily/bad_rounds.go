// Package daily has misuses of everyday shapes, by an author who had read what the checks
// promise, and none of their code. The right programs of the same kind are in clean/daily.
package daily

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"sync"
)

type record struct {
	level byte
	text  []byte
}

var records = sync.Pool{New: func() any { return new(record) }}

var errLevel = errors.New("no level")

func (r *record) parse(line []byte) error {
	if line[0] < 'A' || line[0] > 'Z' {
		return errLevel
	}
	r.level = line[0]
	r.text = append(r.text[:0], line[1:]...)
	return nil
}

// A bad line gives its record back, and the round goes on and keeps the record all the same.
func Ship(r io.Reader, send func([]*record)) error {
	var (
		batch []*record
		bad   error
	)
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		rec := records.Get().(*record)
		if err := rec.parse(line); err != nil {
			bad = err
			records.Put(rec)
		}
		batch = append(batch, rec) // want "PV001|PV004"
	}
	send(batch)
	return errors.Join(bad, lines.Err())
}

// An empty packet ends its round early, and is lost.
type packet struct {
	n    int
	data [1500]byte
}

var packets = sync.Pool{New: func() any { return new(packet) }}

func Listen(ctx context.Context, c net.PacketConn, out chan<- *packet) error {
	for ctx.Err() == nil {
		p := packets.Get().(*packet) // want "PV005"
		n, _, err := c.ReadFrom(p.data[:])
		if err != nil {
			packets.Put(p)
			return err
		}
		if n == 0 {
			continue
		}
		p.n = n
		out <- p
	}
	return ctx.Err()
}

// The sample of the round before is compared with that of this round, and was put at the end of
// its own.
type sample struct{ name, value string }

var samples = sync.Pool{New: func() any { return new(sample) }}

func Distinct(next func(*sample) bool, emit func(name, value string)) {
	var last *sample
	for {
		s := samples.Get().(*sample)
		if !next(s) {
			samples.Put(s)
			return
		}
		if last == nil || last.value != s.value { // want "PV001"
			emit(s.name, s.value)
		}
		last = s
		samples.Put(s)
	}
}

// The receiver puts what it got, and the sender puts it too, where its context has ended.
func Forward(ctx context.Context, in [][]byte) int {
	work := make(chan *record)
	var n int
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for rec := range work {
			n += len(rec.text)
			records.Put(rec)
		}
	}()
	for _, b := range in {
		rec := records.Get().(*record)
		rec.text = append(rec.text[:0], b...)
		work <- rec
		if ctx.Err() != nil {
			records.Put(rec) // want "PV001|PV002|PV004"
			break
		}
	}
	close(work)
	wg.Wait()
	return n
}
