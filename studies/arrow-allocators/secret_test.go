package arrowallocators

import (
	"bytes"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/memory"
)

// A stream carries the memory of nulls. Here all memory that an allocator will
// hand out has held a secret before.
func TestNoOldDataIsSentInThePlaceOfNulls(t *testing.T) {
	cells, err := NewCells(NewRows(300, 1))
	if err != nil {
		t.Fatal(err)
	}
	eachMemory(t, func(t *testing.T, m Memory) {
		if m.Dirty {
			t.Skip("it does not clear what it allocates: it may send old data")
		}
		if n := secrets(t, m, cells); n > 0 {
			t.Errorf("%d secrets in the stream", n)
		}
	})
}

// The test above can fail: an allocator that does not clear sends secrets.
func TestMemoryThatIsNotClearedIsSent(t *testing.T) {
	cells, err := NewCells(NewRows(300, 1))
	if err != nil {
		t.Fatal(err)
	}
	if n := secrets(t, Memory{Allocator: &uncleared{}}, cells); n == 0 {
		t.Error("no secret in the stream")
	}
}

var secret = []byte("SECRET!!")

// secrets returns how many are in an IPC stream for which m was prepared.
func secrets(t *testing.T, m Memory, cells *Cells) int {
	t.Helper()
	var filled [][]byte
	for class := 0; classSize(class) <= 64<<10; class++ {
		n := classSize(class)
		for range 40 {
			b := m.Allocate(n)
			for i := 0; i+len(secret) <= len(b); i += len(secret) {
				copy(b[i:], secret)
			}
			filled = append(filled, b)
		}
	}
	for _, b := range filled {
		m.Free(b)
	}
	var out bytes.Buffer
	if err := WriteIPC(&out, cells, m, false); err != nil {
		t.Fatal(err)
	}
	return bytes.Count(out.Bytes(), secret)
}

// uncleared hands out memory that holds secrets.
type uncleared struct{ memory.GoAllocator }

func (u *uncleared) Allocate(size int) []byte {
	b := u.GoAllocator.Allocate(size)
	for i := 0; i+len(secret) <= len(b); i += len(secret) {
		copy(b[i:], secret)
	}
	return b
}
