package harness

import (
	"fmt"
	"sync"

	"github.com/apache/arrow-go/v18/arrow/memory"

	arrowallocators "github.com/poolproof/poolproof/studies/arrow-allocators"
)

// The input of all benchmarks is made once a process: a benchmark function runs
// again for each slice of measuring.

const seed = 1

// batches holds the rows of each size of batch.
var batches struct {
	sync.Mutex
	of map[int][]arrowallocators.Row
}

func rowsOf(n int) []arrowallocators.Row {
	batches.Lock()
	defer batches.Unlock()
	if batches.of[n] == nil {
		if batches.of == nil {
			batches.of = map[int][]arrowallocators.Row{}
		}
		batches.of[n] = arrowallocators.NewRows(n, seed)
	}
	return batches.of[n]
}

func rows() []arrowallocators.Row { return rowsOf(arrowallocators.BatchRows) }

var cells = sync.OnceValue(func() *arrowallocators.Cells {
	c, err := arrowallocators.NewCells(rows())
	if err != nil {
		panic(err) // the rows are ours
	}
	return c
})

// record is written by the benchmark of Parquet alone, again and again.
var record = sync.OnceValue(func() arrowallocators.Record {
	return arrowallocators.BuildCells(memory.NewGoAllocator(), cells())
})

// opened holds the memory of each arm and benchmark, so that it is warm when
// the clock runs, and so that what one benchmark has freed does not serve
// another.
var opened struct {
	sync.Mutex
	memory map[string]arrowallocators.Memory
}

func open(benchmark string, arm arrowallocators.Arm) (arrowallocators.Memory, error) {
	opened.Lock()
	defer opened.Unlock()
	key := benchmark + " " + arm.Name
	if m, ok := opened.memory[key]; ok {
		return m, nil
	}
	m, err := arm.Open()
	if err != nil {
		return m, fmt.Errorf("arm %s: %w", arm.Name, err)
	}
	if opened.memory == nil {
		opened.memory = map[string]arrowallocators.Memory{}
	}
	opened.memory[key] = m
	return m, nil
}
