package a

import (
	"errors"
	"io"
	"sync"
)

var bytesOf = sync.Pool{New: func() any { s := make([]byte, 100); return &s }}

type pair struct{ key, value []byte }

// A struct that a callee fills, unless it fails.
func split(p []byte) (at pair, err error) {
	if len(p) < 3 {
		return at, errors.New("short")
	}
	at.key = p[:1]
	at.value = p[2:]
	return at, nil
}

func splitCopy(p []byte) (at pair, err error) {
	if len(p) < 3 {
		return pair{key: p}, errors.New("short")
	}
	at.key = append(at.key, p[:1]...)
	at.value = append(at.value, p[2:]...)
	return at, nil
}

func splitRead(r io.Reader) (pair, error) {
	b := bytesOf.Get().(*[]byte)
	defer bytesOf.Put(b)
	n, err := r.Read(*b)
	if err != nil {
		return pair{}, err
	}
	return split((*b)[:n]) // want `a value that refers to b is returned`
}

func splitPointer(r io.Reader) (*pair, error) {
	b := bytesOf.Get().(*[]byte)
	defer bytesOf.Put(b)
	at, err := split(*b)
	if err != nil {
		return nil, err
	}
	return &at, nil // want `a value that refers to b is returned`
}

func splitCopied(r io.Reader) (*pair, error) {
	b := bytesOf.Get().(*[]byte)
	defer bytesOf.Put(b)
	at, err := splitCopy(*b)
	if err != nil {
		return nil, err
	}
	return &at, nil
}
