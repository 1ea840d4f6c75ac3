package transport

import "golang.org/x/sys/unix"

const ttlType = unix.IP_TTL

func isOverflow(h *unix.Cmsghdr) bool {
	return h.Level == unix.SOL_SOCKET && h.Type == unix.SO_RXQ_OVFL
}
