package arrowallocators

import (
	"errors"
	"io"

	"github.com/apache/arrow-go/v18/arrow/memory"
)

// Arm is one kind of memory below Arrow.
type Arm struct {
	Name string
	open func() (Memory, error)
}

// Memory is an allocator with what can be known of it. Out and Held are nil
// where nothing is counted. It is safe for concurrent use.
type Memory struct {
	memory.Allocator
	Held    func() int64 // bytes that it keeps and that no collection takes back
	Out     func() int64 // bytes that are handed out and not freed
	Dirty   bool         // Allocate does not clear
	Presize bool         // builders reserve what the batch has rows, in place of Reserved
	Codec   *Codec       // to be registered while the memory is in use; nil: arrow-go's own
	Close   func() error // after the last use; nil where there is nothing to do

	// Path takes the rows to a Parquet file in another way than the published one.
	// Nil means WritePath.
	Path func(w io.Writer, rows []Row) error
}

// NewArm returns an arm that open makes.
func NewArm(name string, open func() (Memory, error)) Arm { return Arm{Name: name, open: open} }

// Open makes memory of its own. It fails with errors.ErrUnsupported where the
// system has none of the kind.
func (a Arm) Open() (Memory, error) { return a.open() }

// As is the same arm by another name.
func (a Arm) As(name string) Arm { return Arm{Name: name, open: a.open} }

// Arms returns the arms of this build, the baseline go first. Which of them
// there are depends on the build tags cmalloc and ccalloc.
func Arms() []Arm {
	arms := []Arm{
		{Name: "go", open: func() (Memory, error) { return Memory{Allocator: memory.NewGoAllocator()}, nil }},
		{Name: "recycle", open: func() (Memory, error) { return recycling(NewLists()), nil }},
		{Name: "syncpool", open: func() (Memory, error) { return recycling(NewSyncPool()), nil }},
		{Name: "offheap", open: func() (Memory, error) {
			o, err := NewOffheap()
			if err != nil {
				return Memory{}, err
			}
			m := recycling(&o.Recycler)
			m.Close = o.Close
			return m, nil
		}},
		{Name: "presize", open: func() (Memory, error) {
			return Memory{Allocator: memory.NewGoAllocator(), Presize: true}, nil
		}},
		{Name: "codec", open: func() (Memory, error) {
			c, err := NewCodec()
			return Memory{Allocator: memory.NewGoAllocator(), Codec: c}, err
		}},
	}
	arms = append(arms, mallocArms()...)
	return append(arms, cgoArrowArms()...)
}

func recycling(r *Recycler) Memory { return Memory{Allocator: r, Held: r.Held, Out: r.Out} }

// ArmNamed returns the arm of that name.
func ArmNamed(name string) (Arm, error) {
	for _, a := range Arms() {
		if a.Name == name {
			return a, nil
		}
	}
	return Arm{}, errors.New("arrowallocators: this build has no arm " + name)
}
