//go:build !linux && !darwin

package mdnsreceive

import (
	"errors"
	"net"
)

// Elsewhere the control bytes of a packet are others, or there are none, and
// Listen says so.

const flagTruncated = 0

func interfaceOf([]byte) (int, error) { return 0, errNoInterface }

func receiveBuffer(*net.UDPConn) (int, error) {
	return 0, errors.New("not known here; this study runs on Linux and macOS")
}
