package transport

import (
	"context"
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Changes returns a channel that has an element after interfaces or addresses of
// the system have changed, until ctx ends; several changes may be one element.
// The channel is nil where the system does not tell: only Linux does so. An
// error is that of the system, which may refuse in a container; then, too, the
// caller looks from time to time.
func Changes(ctx context.Context) (<-chan struct{}, error) {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, unix.NETLINK_ROUTE)
	if err != nil {
		return nil, fmt.Errorf("transport: a netlink socket: %w", os.NewSyscallError("socket", err))
	}
	groups := uint32(unix.RTMGRP_LINK | unix.RTMGRP_IPV4_IFADDR | unix.RTMGRP_IPV6_IFADDR)
	if err := unix.Bind(fd, &unix.SockaddrNetlink{Family: unix.AF_NETLINK, Groups: groups}); err != nil {
		unix.Close(fd)
		return nil, fmt.Errorf("transport: a netlink socket: %w", os.NewSyscallError("bind", err))
	}
	file := os.NewFile(uintptr(fd), "netlink") // non-blocking, so that Close ends a Read
	context.AfterFunc(ctx, func() { file.Close() })
	changes := make(chan struct{}, 1)
	go func() {
		// What the messages say is not looked at: the system's own list does not
		// miss one. ENOBUFS says that messages were lost, which is a change too.
		for buf := make([]byte, 4096); ; {
			if _, err := file.Read(buf); err != nil && !errors.Is(err, unix.ENOBUFS) {
				return // ctx has ended
			}
			select {
			case changes <- struct{}{}:
			default:
			}
		}
	}()
	return changes, nil
}
