package poolthreshold

// StackLimit is the size from which on the compiler does not put a slice on the
// stack that make creates (cmd/compile/internal/ir, MaxImplicitStackVarSize).
const StackLimit Size = 64 << 10

// Make is the arm make: a new block for each use.
type Make struct {
	user
	constant int // the size if blocks do not leave Uses, else 0
}

// NewMake returns the arm for blocks of a size. With stays a block does not
// leave the function that makes it, and its size is a constant there; a block
// of StackLimit or more is made as without stays.
func NewMake(size Size, stays bool) *Make {
	m := &Make{user: newUser(size)}
	if stays {
		m.constant = m.size
	}
	return m
}

// Uses implements Arm.
func (m *Make) Uses(n int) (sum uint64) {
	for range n {
		switch m.constant {
		case 16:
			sum += use(make([]byte, 16), m.data)
		case 64:
			sum += use(make([]byte, 64), m.data)
		case 256:
			sum += use(make([]byte, 256), m.data)
		case 1 << 10:
			sum += use(make([]byte, 1<<10), m.data)
		case 4 << 10:
			sum += use(make([]byte, 4<<10), m.data)
		case 16 << 10:
			sum += use(make([]byte, 16<<10), m.data)
		default:
			sum += m.use(make([]byte, m.size), m.data)
		}
	}
	return sum
}
