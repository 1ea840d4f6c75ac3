// Package upload sends blocks to an object store, some of them at a time.
package upload

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"sync"
)

var frames = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Store takes frames. It returns when it needs the frame no longer.
type Store struct {
	put   func(ctx context.Context, key string, frame []byte) error
	slots chan struct{}
	done  chan struct{}
}

// NewStore allows n uploads at a time.
func NewStore(n int, put func(context.Context, string, []byte) error) *Store {
	return &Store{put: put, slots: make(chan struct{}, n), done: make(chan struct{})}
}

// Close makes later uploads fail.
func (s *Store) Close() { close(s.done) }

// Upload stores block under key.
func (s *Store) Upload(ctx context.Context, key string, block []byte) error {
	f := frames.Get().(*bytes.Buffer)
	f.Reset()
	var head [8]byte
	binary.BigEndian.PutUint32(head[:], uint32(len(block)))
	binary.BigEndian.PutUint32(head[4:], crc32.ChecksumIEEE(block))
	f.Write(head[:])
	f.Write(block)

	select {
	case s.slots <- struct{}{}:
	case <-s.done:
		frames.Put(f)
		return context.Canceled
	case <-ctx.Done():
		return ctx.Err() // want PV005
	}
	err := s.put(ctx, key, f.Bytes())
	<-s.slots
	frames.Put(f)
	return err
}
