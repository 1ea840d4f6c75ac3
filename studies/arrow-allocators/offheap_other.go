//go:build !(linux || darwin || dragonfly || freebsd || netbsd || openbsd)

package arrowallocators

import "errors"

// Offheap is the arm offheap, which this system does not have.
type Offheap struct{ Recycler }

// NewOffheap returns an error that wraps errors.ErrUnsupported.
func NewOffheap() (*Offheap, error) {
	return nil, errors.Join(errors.New("arrowallocators: memory outside of the Go heap needs mmap"), errors.ErrUnsupported)
}

// Close does nothing.
func (o *Offheap) Close() error { return nil }
