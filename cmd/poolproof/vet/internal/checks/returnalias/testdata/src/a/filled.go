package a

import (
	"bytes"
	"errors"
	"io"
)

type response struct{ Body io.ReadCloser }

type transport interface {
	RoundTrip(string) (*response, error)
}

// A field of what a call returned refers to the buffer.
func replaced(t transport, r string) (*response, error) {
	res, err := t.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	_, readErr := io.Copy(b, res.Body)
	closeErr := res.Body.Close()
	res.Body = io.NopCloser(bytes.NewReader(b.Bytes()))
	if err := errors.Join(readErr, closeErr); err != nil {
		return nil, err
	}
	return res, nil // want `a value that refers to b is returned`
}

type letter struct {
	head, body []byte
}

func newLetter() *letter { return new(letter) }

func filled(early bool) *letter {
	l := newLetter()
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	if early {
		return l
	}
	l.head = nil
	l.body = b.Bytes()
	return l // want `a value that refers to b is returned`
}

func filledInTurn(second bool) *letter {
	l := newLetter()
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	if second {
		l.body = b.Bytes()[:1]
	} else {
		l.body = b.Bytes()
	}
	return l // want `a value that refers to b is returned`
}

func emptied() *letter {
	l := newLetter()
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	l.body = b.Bytes()
	println(len(l.body))
	l.body = nil
	return l
}

func copied() *letter {
	l := newLetter()
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	l.body = b.Bytes()
	l.body = append([]byte(nil), l.body...)
	return l
}
