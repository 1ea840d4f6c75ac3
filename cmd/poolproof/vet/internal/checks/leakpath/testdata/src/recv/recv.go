package recv

import (
	"errors"
	"io"
	"log"
	"sync"
)

var bufs = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

type mux struct {
	w    io.Writer
	ch   chan *[]byte
	quit chan bool
}

var errShort = errors.New("short")

func (m *mux) loop() {
	for {
		select {
		case <-m.quit:
			return
		case b := <-m.ch:
			if err := m.write(b); err != nil {
				log.Println(err)
				return
			}
		}
	}
}

func (m *mux) write(b *[]byte) error {
	if len(*b) >= 512 {
		_, err := m.w.Write(*b)
		return err // want `loses b: .*loop.* receives it from a channel and leaves it to this function`
	}
	_, err := m.w.Write(*b)
	bufs.Put(b)
	return err
}

func (m *mux) loop2() {
	for b := range m.ch {
		if err := m.write2(b); err != nil {
			log.Println(err)
		}
	}
}

func (m *mux) write2(b *[]byte) error {
	if _, err := m.w.Write(*b); err != nil {
		return err // want `loses b: .*loop.* receives it from a channel and leaves it to this function`
	}
	bufs.Put(b)
	return nil
}

func (m *mux) loop3() {
	for b := range m.ch {
		if err := m.write3(b); err != nil {
			bufs.Put(b)
		}
	}
}

func (m *mux) write3(b *[]byte) error {
	if _, err := m.w.Write(*b); err != nil {
		return err
	}
	bufs.Put(b)
	return nil
}
