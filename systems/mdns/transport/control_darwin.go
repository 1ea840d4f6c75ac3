package transport

import "golang.org/x/sys/unix"

const ttlType = unix.IP_RECVTTL

func isOverflow(*unix.Cmsghdr) bool { return false }
