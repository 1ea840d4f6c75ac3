package arrow1841

import (
	"bytes"
	"errors"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/memory"

	arrowallocators "github.com/poolproof/poolproof/studies/arrow-allocators"
)

// failAfter fails when n bytes have been written.
type failAfter struct{ n int }

var errFails = errors.New("the output fails")

func (f *failAfter) Write(p []byte) (int, error) {
	if f.n -= len(p); f.n < 0 {
		return 0, errFails
	}
	return len(p), nil
}

// This version panics where the first bytes cannot be written, with words of
// its own, and reports nothing where some of the others cannot.
func TestAnOutputThatFailsIsReported(t *testing.T) {
	mem := memory.NewGoAllocator()
	record, err := arrowallocators.BuildRows(mem, arrowallocators.NewRows(50, 1), arrowallocators.Reserved)
	if err != nil {
		t.Fatal(err)
	}
	defer record.Release()
	var whole bytes.Buffer
	if err := arrowallocators.WriteParquet(&whole, record, mem); err != nil {
		t.Fatal(err)
	}
	for n := 0; n < whole.Len(); n += 1 + whole.Len()/40 {
		if err := arrowallocators.WriteParquet(&failAfter{n}, record, mem); !errors.Is(err, errFails) {
			t.Errorf("%d of %d bytes: error %v", n, whole.Len(), err)
		}
	}
}
