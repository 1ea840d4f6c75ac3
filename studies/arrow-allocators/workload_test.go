package arrowallocators

import (
	"testing"

	"github.com/apache/arrow-go/v18/arrow/memory"
)

// workload is the input of the benchmarks.
type workload struct {
	rows   []Row
	cells  *Cells
	record Record
}

func newWorkload(t *testing.T) workload {
	t.Helper()
	w := workload{rows: NewRows(BatchRows, 1)}
	var err error
	if w.cells, err = NewCells(w.rows); err != nil {
		t.Fatal(err)
	}
	w.record = BuildCells(memory.NewGoAllocator(), w.cells)
	t.Cleanup(w.record.Release)
	return w
}
