//go:build !linux && !darwin

package transport

const (
	controlSize   = 128
	flagTruncated = 0
	multiHomed    = false // a Conn has one interface: packets do not say theirs
)

// control knows the interface because there is one.
func (s *socket) control(_ []byte, m *Meta) {
	if all := *s.conn.interfaces.Load(); len(all) == 1 {
		m.IfIndex = all[0].Index
	}
}
