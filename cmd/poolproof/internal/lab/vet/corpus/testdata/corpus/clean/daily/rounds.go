// Package daily has right programs of everyday shapes, by an author who had read what the
// checks promise, and none of their code. The misuses of the same kind are in the folder daily.
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

// Log lines are read into pooled records. A blank line and a bad one give their record back in
// the round that got it; the others wait in a batch until it is written.

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

func Ship(r io.Reader, send func(level byte, text []byte)) error {
	var batch []*record
	flush := func() {
		for _, rec := range batch {
			send(rec.level, rec.text)
			records.Put(rec)
		}
		batch = batch[:0]
	}
	var bad error
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		rec := records.Get().(*record)
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			records.Put(rec)
			continue
		}
		if bad = rec.parse(line); bad != nil {
			records.Put(rec)
			break
		}
		batch = append(batch, rec) // fine "PV004" the record that was put is one of another round
		if len(batch) == 64 {
			flush()
		}
	}
	flush()
	return errors.Join(bad, lines.Err())
}

// A listener reads packets until its connection or its context ends. The packet of the last
// round has no receiver and goes back; each packet before it was sent.

type packet struct {
	n    int
	from net.Addr
	data [1500]byte
}

var packets = sync.Pool{New: func() any { return new(packet) }}

func Listen(ctx context.Context, c net.PacketConn, out chan<- *packet) (err error) {
loop:
	for {
		p := packets.Get().(*packet)
		p.n, p.from, err = c.ReadFrom(p.data[:])
		switch {
		case errors.Is(err, net.ErrClosed):
			packets.Put(p)
			err = nil
			break loop
		case err != nil:
			packets.Put(p)
			continue loop
		}
		select {
		case out <- p: // fine "PV004" this round has not put p
		case <-ctx.Done():
			packets.Put(p)
			break loop
		}
	}
	close(out)
	return err
}

// Equal neighbours are dropped: one sample of an earlier round is kept until a different one
// takes its place.

type sample struct{ name, value string }

var samples = sync.Pool{New: func() any { return new(sample) }}

func Distinct(next func(*sample) bool, emit func(name, value string)) {
	var last *sample
	for {
		s := samples.Get().(*sample)
		if !next(s) {
			samples.Put(s)
			break
		}
		if last != nil {
			if *last == *s {
				samples.Put(s)
				continue
			}
			samples.Put(last)
		}
		emit(s.name, s.value)
		last = s // fine "PV001" last is put in the round that replaces it
	}
	if last != nil {
		samples.Put(last)
	}
}

// Rows are grouped by key. A group is got in the round that meets its key first, and all are put
// after the last round.

type group struct {
	n   int
	sum float64
}

var groups = sync.Pool{New: func() any { return new(group) }}

type Row struct {
	Key   string
	Value float64
}

func Means(rows []Row) map[string]float64 {
	open := make(map[string]*group)
	for _, r := range rows {
		g, ok := open[r.Key]
		if !ok {
			g = groups.Get().(*group)
			*g = group{}
			open[r.Key] = g // fine "PV004" the loop below puts it and deletes it here
		}
		g.n++
		g.sum += r.Value
	}
	means := make(map[string]float64, len(open))
	for k, g := range open {
		means[k] = g.sum / float64(g.n)
		delete(open, k)
		groups.Put(g)
	}
	return means
}
