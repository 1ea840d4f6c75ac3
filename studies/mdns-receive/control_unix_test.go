//go:build linux || darwin

package mdnsreceive

import (
	"bytes"
	"errors"
	"testing"
	"unsafe"

	"golang.org/x/net/ipv4"
	"golang.org/x/sys/unix"
)

func TestTheInterfaceIsReadFromControlBytes(t *testing.T) {
	seventh := (&ipv4.ControlMessage{IfIndex: 7}).Marshal()
	if got, err := interfaceOf(seventh); got != 7 || err != nil {
		t.Errorf("interface %d and error %v, want 7", got, err)
	}
	other := bytes.Clone(seventh)
	(*unix.Cmsghdr)(unsafe.Pointer(&other[0])).Type = unix.IP_TTL
	if got, err := interfaceOf(append(other, seventh...)); got != 7 || err != nil {
		t.Errorf("behind another message: interface %d and error %v, want 7", got, err)
	}
	if _, err := interfaceOf(nil); !errors.Is(err, errNoInterface) {
		t.Errorf("no control bytes: error %v, want %v", err, errNoInterface)
	}
	if got, err := interfaceOf(seventh[:len(seventh)/2]); err == nil {
		t.Errorf("half of the control bytes: interface %d, want an error", got)
	}
}
