package a

import (
	"bufs"
	"bytes"
	"errors"
)

// keeper keeps a buffer in a field, over several methods.
type keeper struct {
	buf    *bytes.Buffer
	closed bool
	next   *keeper
}

func newKeeper() *keeper { return &keeper{buf: bufs.Get()} }

func (k *keeper) Close() { bufs.Put(k.buf) }

func (k *keeper) drop() {
	bufs.Put(k.buf)
	k.buf = nil
}

func (k *keeper) once() {
	if k.closed {
		return
	}
	k.closed = true
	bufs.Put(k.buf)
}

func (k *keeper) both() { k.Close() }

func (k *keeper) reopen() { k.buf = bufs.Get() }

func (k *keeper) size() int { return 1 }

func closeTwice() {
	k := newKeeper()
	k.Close()
	k.size()
	k.Close() // want `is put again`
}

func closeThrough(k *keeper) {
	k.both()
	defer k.size()
	k.Close() // want `is put again`
}

func deferAndClose(fail bool) {
	k := newKeeper()
	defer k.Close() // want `by this deferred call`
	if fail {
		k.Close()
	}
}

func inTheLoop(k *keeper) {
	for range 3 {
		k.Close() // want `in each round of the loop`
	}
}

func putThenClose(k *keeper) {
	bufs.Put(k.buf)
	k.Close() // want `is put again`
}

func dropTwice(k *keeper) {
	k.drop()
	k.drop()
}

func onceTwice(k *keeper) {
	k.once()
	k.once()
}

func reopened(k *keeper) {
	k.Close()
	k.reopen()
	k.Close()
}

func replacedHere(k *keeper) {
	k.Close()
	k.buf = bufs.Get()
	k.Close()
}

func eachOnce(all []*keeper) {
	for _, k := range all {
		k.Close()
	}
}

func list(k *keeper) {
	for ; k != nil; k = k.next {
		k.Close()
	}
}

func oneOf(k *keeper, first bool) {
	if first {
		k.Close()
		return
	}
	k.Close()
}

func fresh() {
	for range 3 {
		k := newKeeper()
		k.Close()
	}
}

// send puts what it could not send.
func send(b *bytes.Buffer, full bool) error {
	if full {
		bufs.Put(b)
		return errors.New("full")
	}
	sent <- b
	return nil
}

var sent = make(chan *bytes.Buffer, 1)

func sendAndPut(full bool) error {
	b := bufs.Get()
	if err := send(b, full); err != nil {
		bufs.Put(b) // want `b is put again: send \(line 134\) put it`
		return err
	}
	return nil
}

func sendOnly(full bool) error {
	b := bufs.Get()
	err := send(b, full)
	if err == nil {
		return nil
	}
	return err
}
