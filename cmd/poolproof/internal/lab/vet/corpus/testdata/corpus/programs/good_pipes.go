package programs

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"sync"
	"time"
)

// 10. A writer that is got at the first write only, and put by Close once.

var zippers = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}

type lazy struct {
	w  io.Writer
	gz *gzip.Writer
}

func (l *lazy) Write(p []byte) (int, error) {
	if l.gz == nil {
		l.gz = zippers.Get().(*gzip.Writer)
		l.gz.Reset(l.w)
	}
	return l.gz.Write(p)
}

func (l *lazy) Close() error {
	gz := l.gz
	if gz == nil {
		return nil
	}
	l.gz = nil
	err := gz.Close()
	gz.Reset(io.Discard)
	zippers.Put(gz) // fine "PV015|PV001" the field was emptied before
	return err
}

// 11. Workers that share a batch, which is put when all are done.

type batch struct {
	items []int
	out   []int
}

var batches = sync.Pool{New: func() any { return new(batch) }}

func parallel(ctx context.Context, in []int, workers int) (sum int, err error) {
	b := batches.Get().(*batch)
	var wg sync.WaitGroup
	b.items = append(b.items[:0], in...)
	b.out = append(b.out[:0], make([]int, workers)...)
	for w := range workers {
		wg.Go(func() { // fine "PV004" every worker is waited for
			for i := w; i < len(b.items); i += workers {
				b.out[w] += b.items[i]
			}
		})
	}
	wg.Wait()
	for _, n := range b.out {
		sum += n
	}
	batches.Put(b) // fine "PV004" no worker runs by then
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	return sum, nil
}

func collect(ctx context.Context, in <-chan []byte, every time.Duration, flush func([]byte) error) error {
	b := texts.Get().(*bytes.Buffer)
	b.Reset()
	defer texts.Put(b)
	t := time.NewTicker(every)
	defer t.Stop()
loop:
	for {
		select {
		case p, ok := <-in:
			if !ok {
				break loop
			}
			b.Write(p)
			if b.Len() < 1<<16 {
				continue loop
			}
		case <-t.C:
		case <-ctx.Done():
			return ctx.Err() // fine "PV005" the deferred call puts it
		}
		if err := flush(b.Bytes()); err != nil { // fine "PV004" flush is waited for
			return err
		}
		b.Reset()
	}
	return flush(b.Bytes()) // fine "PV003" the error is no memory of the buffer
}

// 12. Documents: the result is copied, or handed over with its end.

type document struct {
	buf *bytes.Buffer
	enc *json.Encoder
}

var documents = sync.Pool{New: func() any {
	d := &document{buf: new(bytes.Buffer)}
	d.enc = json.NewEncoder(d.buf)
	return d
}}

func marshal(v any) (out []byte, err error) {
	d := documents.Get().(*document)
	defer documents.Put(d)
	d.buf.Reset()
	if err = d.enc.Encode(v); err != nil {
		return
	}
	out = append(out, d.buf.Bytes()...)
	return // fine "PV003" the bytes were copied
}

type body struct {
	*bytes.Reader
	d *document
}

func (b *body) Close() error {
	if b.d != nil {
		documents.Put(b.d)
		b.d, b.Reader = nil, bytes.NewReader(nil) // fine "PV015" the fields are emptied
	}
	return nil
}

func stream(v any) (io.ReadCloser, error) {
	d := documents.Get().(*document)
	d.buf.Reset()
	if err := d.enc.Encode(v); err != nil {
		documents.Put(d)
		return nil, err
	}
	return &body{bytes.NewReader(d.buf.Bytes()), d}, nil // fine "PV003|PV005" the body ends the document when it is closed
}

func sendAll(vs []any, w io.Writer) error {
	for _, v := range vs {
		if err := func() error {
			b, err := stream(v)
			if err != nil {
				return err
			}
			defer b.Close()
			_, err = io.Copy(w, b)
			return err
		}(); err != nil {
			return err
		}
	}
	return nil
}
