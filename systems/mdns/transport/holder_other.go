//go:build !linux

package transport

import (
	"errors"
	"net"
)

// isFull reports whether err says that a socket can join no further group. Other
// systems than Linux allow thousands.
func isFull(error) bool { return false }

// holder is for Linux alone.
type holder struct{}

func newHolder(*socket) (*holder, error)  { return nil, errors.ErrUnsupported }
func (*holder) join(*net.Interface) error { return errors.ErrUnsupported }
func (*holder) leave(int) error           { return errors.ErrUnsupported }
func (*holder) close()                    {}
