// Package pipeline decodes lines of key and value and stores them, in two stages.
package pipeline

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
)

type record struct {
	key, value []byte
}

var records = sync.Pool{New: func() any { return new(record) }}

var errLine = errors.New("pipeline: malformed line")

func (r *record) parse(line []byte) error {
	key, value, ok := bytes.Cut(line, []byte{'\t'})
	if !ok || len(key) == 0 {
		return errLine
	}
	r.key = append(r.key[:0], key...)
	r.value = append(r.value[:0], value...)
	return nil
}

// Load stores the lines of r until its end, an error or the end of ctx. It returns how many lines
// were malformed. store must not keep what it gets.
func Load(ctx context.Context, r io.Reader, store func(key, value []byte) error) (bad int, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	ch := make(chan *record, 64)
	done := make(chan struct{})
	go func() {
		defer close(done)
		failed := false
		for rec := range ch {
			if !failed {
				if err := store(rec.key, rec.value); err != nil {
					failed = true
					cancel(err)
				}
			}
			records.Put(rec)
		}
	}()
	bad, err = decode(ctx, r, ch)
	close(ch)
	<-done
	if err == nil {
		err = context.Cause(ctx)
	}
	return bad, err
}

func decode(ctx context.Context, r io.Reader, out chan<- *record) (bad int, err error) {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		rec := records.Get().(*record)
		if rec.parse(lines.Bytes()) != nil {
			records.Put(rec)
			bad++
			continue
		}
		select {
		case out <- rec:
		case <-ctx.Done():
			records.Put(rec)
			return bad, context.Cause(ctx)
		}
	}
	return bad, lines.Err()
}
