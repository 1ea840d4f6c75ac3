//go:build !linux

package transport

import (
	"errors"
	"net"
)

const canBatch = false

// batchReader is for Linux alone: other systems read one packet a call.
type batchReader struct{}

func (*batchReader) init(*net.UDPConn, int) error { return errors.ErrUnsupported }

func (*batchReader) aim(int, *Owned) {}

func (*socket) readBatch() error { return errors.ErrUnsupported }

func (*socket) describe(int, *Owned) {}
