package transport

import (
	"encoding/binary"
	"net"
	"net/netip"
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

const canBatch = true

// batchReader holds what recvmmsg writes to, for packet i at index i of each
// slice. All of it is made once.
type batchReader struct {
	raw     syscall.RawConn
	headers []unix.Mmsghdr               // point into the slices below
	sources []unix.RawSockaddrInet6      // room for an address of either family
	control [][controlSize]byte          // side by side: the kernel writes some of each for every packet
	iovecs  []unix.Iovec                 // point to the buffers of slots
	call    func(fd uintptr) (done bool) // try as a value
	got     int                          // packets that try received
	err     syscall.Errno
}

func (b *batchReader) init(udp *net.UDPConn, n int) error {
	raw, err := udp.SyscallConn()
	if err != nil {
		return err
	}
	*b = batchReader{
		raw:     raw,
		headers: make([]unix.Mmsghdr, n),
		sources: make([]unix.RawSockaddrInet6, n),
		control: make([][controlSize]byte, n),
		iovecs:  make([]unix.Iovec, n),
	}
	for i := range b.headers {
		h := &b.headers[i].Hdr
		h.Name = (*byte)(unsafe.Pointer(&b.sources[i]))
		h.Iov = &b.iovecs[i]
		h.SetIovlen(1)
		h.Control = &b.control[i][0]
	}
	b.call = b.try
	return nil
}

// aim has the kernel write packet i to o. Without a batch it does nothing.
func (b *batchReader) aim(i int, o *Owned) {
	if b.headers == nil {
		return
	}
	b.iovecs[i].Base = &o.buf[0]
	b.iovecs[i].SetLen(len(o.buf))
}

// try is one system call. It reports false if there is no packet, so that the
// runtime's poller waits for one.
func (b *batchReader) try(fd uintptr) (done bool) {
	for {
		got, _, errno := unix.Syscall6(unix.SYS_RECVMMSG, fd, uintptr(unsafe.Pointer(&b.headers[0])), uintptr(len(b.headers)), unix.MSG_DONTWAIT, 0, 0)
		switch errno {
		case unix.EINTR:
			continue
		case unix.EAGAIN:
			return false
		}
		b.got, b.err = int(got), errno
		return true
	}
}

// readBatch reads as many packets as there are and fit.
func (s *socket) readBatch() error {
	b := &s.batch
	for i := range b.headers {
		// The kernel has overwritten the room with the lengths of the last call.
		h := &b.headers[i].Hdr
		h.Namelen = unix.SizeofSockaddrInet6
		h.SetControllen(controlSize)
	}
	if err := b.raw.Read(b.call); err != nil {
		return err
	}
	if b.err != 0 {
		return os.NewSyscallError("recvmmsg", b.err)
	}
	s.n = b.got
	return nil
}

// describe sets what packet i of a batch is: only when it is handed out, so that
// its memory is touched once.
func (s *socket) describe(i int, o *Owned) {
	h := &s.batch.headers[i]
	o.Data = o.buf[:h.Len:h.Len]
	o.Meta = Meta{Src: source(&s.batch.sources[i]), HopLimit: -1, Truncated: h.Hdr.Flags&unix.MSG_TRUNC != 0}
	s.control(s.batch.control[i][:h.Hdr.Controllen], &o.Meta)
	if o.Truncated {
		s.truncated.Add(1)
	}
}

// source is the address that the kernel wrote to a, which may be of either
// family.
func source(a *unix.RawSockaddrInet6) netip.AddrPort {
	port := binary.BigEndian.Uint16((*[2]byte)(unsafe.Pointer(&a.Port))[:])
	if a.Family == unix.AF_INET {
		return netip.AddrPortFrom(netip.AddrFrom4((*unix.RawSockaddrInet4)(unsafe.Pointer(a)).Addr), port)
	}
	return netip.AddrPortFrom(netip.AddrFrom16(a.Addr).Unmap(), port)
}
