package mdnsreceive

import (
	"encoding/binary"
	"net/netip"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Recvmmsg is the arm recvmmsg: the system call by hand. All that the kernel
// writes to is made once, packet i at index i of each slice, so a call
// allocates nothing. A packet is valid until deliver returns.
type Recvmmsg struct {
	raw     syscall.RawConn
	headers []unix.Mmsghdr // point into the slices below
	sources []unix.RawSockaddrInet4
	iovecs  []unix.Iovec
	control []byte // controlSize bytes for each packet
	data    []byte // BufferSize bytes for each packet

	call func(fd uintptr) (done bool) // try, as a value that is made once
	ask  int                          // packets that try asks for
	got  int                          // packets that it received
	err  unix.Errno
}

// NewRecvmmsg returns a Receiver for one goroutine.
func NewRecvmmsg(c *Conn) (*Recvmmsg, error) {
	raw, err := c.udp.SyscallConn()
	if err != nil {
		return nil, err
	}
	r := &Recvmmsg{
		raw:     raw,
		headers: make([]unix.Mmsghdr, batch),
		sources: make([]unix.RawSockaddrInet4, batch),
		iovecs:  make([]unix.Iovec, batch),
		control: make([]byte, batch*controlSize),
		data:    make([]byte, batch*BufferSize),
	}
	for i := range r.headers {
		r.iovecs[i].Base = &r.data[i*BufferSize]
		r.iovecs[i].SetLen(BufferSize)
		h := &r.headers[i].Hdr
		h.Iov = &r.iovecs[i]
		h.SetIovlen(1)
		h.Name = (*byte)(unsafe.Pointer(&r.sources[i]))
		h.Control = &r.control[i*controlSize]
	}
	r.call = r.try
	return r, nil
}

// try is one system call. It reports false if there is no packet, so that the
// runtime waits for one.
func (r *Recvmmsg) try(fd uintptr) (done bool) {
	for {
		got, _, err := unix.Syscall6(unix.SYS_RECVMMSG, fd, uintptr(unsafe.Pointer(&r.headers[0])), uintptr(r.ask), unix.MSG_DONTWAIT, 0, 0)
		r.got, r.err = int(got), err
		switch err {
		case 0:
			return true
		case unix.EINTR:
			continue
		case unix.EAGAIN:
			return false
		}
		r.got = 0
		return true
	}
}

// read receives up to n packets, and waits until there is one.
func (r *Recvmmsg) read(n int) (got int, err error) {
	r.ask = n
	for i := range r.headers[:n] {
		// The kernel has written the lengths of the last packets there.
		h := &r.headers[i].Hdr
		h.Namelen = unix.SizeofSockaddrInet4
		h.SetControllen(controlSize)
	}
	if err := r.raw.Read(r.call); err != nil {
		return 0, err
	}
	if r.err != 0 {
		return 0, r.err
	}
	return r.got, nil
}

// packet returns the packet at index i.
func (r *Recvmmsg) packet(i int) (Packet, error) {
	m := &r.headers[i]
	if m.Hdr.Flags&unix.MSG_TRUNC != 0 {
		return Packet{}, errTruncated
	}
	control := r.control[i*controlSize:]
	ifIndex, err := interfaceOf(control[:m.Hdr.Controllen])
	if err != nil {
		return Packet{}, err
	}
	src := &r.sources[i]
	port := binary.BigEndian.Uint16((*[2]byte)(unsafe.Pointer(&src.Port))[:])
	return Packet{
		Data:    r.data[i*BufferSize:][:m.Len],
		Src:     netip.AddrPortFrom(netip.AddrFrom4(src.Addr), port),
		IfIndex: ifIndex,
	}, nil
}

// Receive implements Receiver.
func (r *Recvmmsg) Receive(n int, deliver func(Packet)) (took int, err error) {
	for took < n {
		got, err := r.read(min(batch, n-took))
		if err != nil {
			return took, err
		}
		for i := range got {
			p, err := r.packet(i)
			if err != nil {
				return took, err
			}
			deliver(p)
			took++
		}
	}
	return took, nil
}
