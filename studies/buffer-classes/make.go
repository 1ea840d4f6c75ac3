package bufferclasses

// Make is the arm make: new memory for each use, and for each growth.
type Make struct{ count uint64 }

// NewMake returns the arm.
func NewMake(flight int) Arm { return newRing[[]byte](new(Make), flight) }

func (m *Make) get(size int) []byte {
	m.count++
	return make([]byte, size)
}

func (m *Make) empty() []byte { return nil }

func (m *Make) write(b, p []byte) []byte {
	if len(b)+len(p) > cap(b) {
		m.count++
	}
	return append(b, p...)
}

func (m *Make) bytes(b []byte) []byte { return b }
func (m *Make) holds(b []byte) int    { return cap(b) }
func (m *Make) put([]byte)            {}
func (m *Make) made() uint64          { return m.count }
