package poolthreshold

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
)

// Size is a number of bytes that prints as 64B, 16KiB or 1MiB.
type Size int

// Sizes are the sizes of the study's blocks. Each is a size class of the
// allocator or a whole number of its pages: a block takes no more than it says.
var Sizes = []Size{16, 64, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20}

// String implements fmt.Stringer.
func (s Size) String() string {
	switch {
	case s >= 1<<20:
		return fmt.Sprintf("%dMiB", s>>20)
	case s >= 1<<10:
		return fmt.Sprintf("%dKiB", s>>10)
	}
	return fmt.Sprintf("%dB", int(s))
}

// ParseSize returns the one of Sizes that prints as text.
func ParseSize(text string) (Size, error) {
	i := slices.IndexFunc(Sizes, func(s Size) bool { return s.String() == text })
	if i < 0 {
		return 0, fmt.Errorf("size %q is none of the study's; write one of %v", text, Sizes)
	}
	return Sizes[i], nil
}

// line is the distance of the words that a use reads.
const line = 64

// source fills the blocks: the same random bytes in each process.
var source = sync.OnceValue(func() []byte {
	data := make([]byte, Sizes[len(Sizes)-1])
	random := rand.New(rand.NewPCG(1, 2))
	for i := 0; i < len(data); i += 8 {
		binary.LittleEndian.PutUint64(data[i:], random.Uint64())
	}
	return data
})

// use is the work of a block's owner: it writes all of it and reads
// one word in each cache line. It returns the sum of these words. It does not
// keep the block, but only a caller that calls it by name, not through a
// function value, has the compiler's word for that.
//
//go:noinline
func use(block, data []byte) (sum uint64) {
	copy(block, data)
	for i := 0; i+8 <= len(block); i += line {
		sum += binary.LittleEndian.Uint64(block[i:])
	}
	return sum
}

// Arm is a way of getting blocks of one size. It is safe for concurrent use.
type Arm interface {
	// Uses gets, uses and gives up a block n times, one after the other. It
	// returns the sum of what the uses read.
	Uses(n int) (sum uint64)
}

// user is the work of an arm on its blocks: the function value behind which
// the compiler cannot see that a block does not leave, as behind an io.Reader.
type user struct {
	size int
	data []byte // size bytes that a block is filled with
	use  func(block, data []byte) uint64
}

func newUser(size Size) user {
	return user{size: int(size), data: source()[:size], use: use}
}
