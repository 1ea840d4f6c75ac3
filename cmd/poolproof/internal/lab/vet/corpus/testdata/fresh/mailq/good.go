package mailq

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
)

// submitRight hands the message over, and puts it only if nobody took it.
func (q *queue) submitRight(ctx context.Context, from, to string) error {
	m := messages.Get().(*message)
	m.From, m.To, m.Urgent, m.Body = from, to, false, m.Body[:0]
	select {
	case q.in <- m: // fine "PV004" the worker puts it
		return nil
	case <-ctx.Done():
		messages.Put(m)
		return ctx.Err()
	}
}

func parseRight(r io.Reader) (string, error) {
	br := readers.Get().(*bufio.Reader)
	defer readers.Put(br)
	br.Reset(r)
	s, err := br.ReadString('\n')
	switch {
	case err != nil:
		return "", err
	case len(s) < 2:
		return "", errors.New("empty line")
	}
	return s, nil // fine "PV003" ReadString copies
}

func snapshotRight(fill func(*message)) message {
	m := messages.Get().(*message)
	defer messages.Put(m)
	fill(m)
	return message{From: m.From, To: m.To, Body: bytes.Clone(m.Body), Headers: maps.Clone(m.Headers)} // fine "PV003" all is copied
}

// routeRight sets all of the message first.
func routeRight(to string, urgent bool) bool {
	m := messages.Get().(*message)
	*m = message{To: to, Headers: m.Headers, Urgent: urgent}
	defer messages.Put(m)
	return m.Urgent // fine "PV011" set above
}

func firstLineRight(r io.Reader) (string, error) {
	br := readers.Get().(*bufio.Reader)
	br.Reset(r)
	line, _, err := br.ReadLine()
	s := string(line)
	br.Reset(nil)
	readers.Put(br)
	return s, err
}

// body reads the whole text into the message that the caller gave.
func body(m *message, r io.Reader) error {
	br := readers.Get().(*bufio.Reader)
	br.Reset(r)
	defer func() {
		br.Reset(nil) // fine "PV001" before the put
		readers.Put(br)
	}()
	for {
		b, err := br.ReadByte()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		m.Body = append(m.Body, b)
	}
}
