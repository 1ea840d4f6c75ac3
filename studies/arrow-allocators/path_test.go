package arrowallocators

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/memory"
)

func TestThePathKeepsNoFileAndNoMemory(t *testing.T) {
	eachMemory(t, func(t *testing.T, m Memory) { // closed after: nothing is out
		temp := t.TempDir()
		var out bytes.Buffer
		size, err := WritePath(&out, NewRows(50, 1), m, temp)
		if err != nil || size != int64(out.Len()) || size == 0 {
			t.Fatalf("size %d, %d written: %v", size, out.Len(), err)
		}
		empty(t, temp)
	})
}

// checked is arrow-go's allocator that notes who has not freed what.
func checked(t *testing.T) *memory.CheckedAllocator {
	m := memory.NewCheckedAllocator(NewLists())
	t.Cleanup(func() { m.AssertSize(t, 0) })
	return m
}

func TestEveryPartFreesItsMemory(t *testing.T) {
	rows := NewRows(50, 1)
	cells, err := NewCells(rows)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("record of rows", func(t *testing.T) {
		r, err := BuildRows(checked(t), rows, Reserved)
		if err != nil {
			t.Fatal(err)
		}
		r.Release()
	})
	t.Run("record of cells", func(t *testing.T) { BuildCells(checked(t), cells).Release() })
	t.Run("IPC", func(t *testing.T) {
		for _, compressed := range []bool{false, true} {
			if err := WriteIPC(io.Discard, cells, checked(t), compressed); err != nil {
				t.Error(err)
			}
		}
	})
	t.Run("Parquet", func(t *testing.T) {
		r := BuildCells(memory.NewGoAllocator(), cells)
		defer r.Release()
		if err := WriteParquet(io.Discard, r, checked(t)); err != nil {
			t.Error(err)
		}
	})
}

func TestBadRowsAreRefusedByNameAndFreeTheirMemory(t *testing.T) {
	for _, c := range []struct {
		name   string
		column string
		value  any
		want   string
	}{
		{"an unknown column", "nonsense", "x", `row 7 has a column "nonsense", which the schema has not`},
		{"a number in a string column", "body", int64(1), `row 7, column "body": a value of type int64, want string`},
		{"an int in an int64 column", "severity_number", 1, `row 7, column "severity_number": a value of type int, want int64`},
		{"a string in a float64 column", "queue.wait", "1", `row 7, column "queue.wait": a value of type string, want float64`},
		{"a string in a bool column", "sampled", "true", `row 7, column "sampled": a value of type string, want bool`},
		{"nothing in a column that is named", "host.name", nil, `row 7, column "host.name": a value of type <nil>, want string`},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows := NewRows(20, 1)
			rows[7][c.column] = c.value
			temp := t.TempDir()
			_, err := WritePath(io.Discard, rows, Memory{Allocator: checked(t)}, temp)
			if err == nil || err.Error() != c.want {
				t.Errorf("error %q, want %q", err, c.want)
			}
			empty(t, temp)
			if _, known := columnIndex[c.column]; known {
				if _, err := NewCells(rows); err == nil || err.Error() != c.want {
					t.Errorf("NewCells: error %q, want %q", err, c.want)
				}
			}
		})
	}
}

func TestACompressedStreamIsShorter(t *testing.T) {
	w := newWorkload(t)
	var plain, compressed bytes.Buffer
	for out, zstd := range map[*bytes.Buffer]bool{&plain: false, &compressed: true} {
		if err := WriteIPC(out, w.cells, memory.NewGoAllocator(), zstd); err != nil {
			t.Fatal(err)
		}
	}
	if compressed.Len() > plain.Len()/2 {
		t.Errorf("%d bytes compressed, %d plain", compressed.Len(), plain.Len())
	}
}

func TestAFullTemporaryFolderIsNamed(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("a system without /dev/full: %v", err)
	}
	defer full.Close()
	rows := NewRows(50, 1)
	builders := newRowBuilders(checked(t), Reserved)
	defer builders.release()
	if err := builders.append(rows); err != nil {
		t.Fatal(err)
	}
	_, err = spool(io.Discard, full, builders, len(rows))
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "/dev/full") || !strings.Contains(err.Error(), "TMPDIR") {
		t.Errorf("error %v, want one that wraps ENOSPC, names the file and TMPDIR", err)
	}
}

func TestAMissingTemporaryFolderIsNamed(t *testing.T) {
	temp := filepath.Join(t.TempDir(), "missing")
	_, err := WritePath(io.Discard, NewRows(5, 1), Memory{Allocator: checked(t)}, temp)
	if !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), temp) || !strings.Contains(err.Error(), "TMPDIR") {
		t.Errorf("error %v, want one that names %s and TMPDIR", err, temp)
	}
}

// failAfter fails when n bytes have been written.
type failAfter struct{ n int }

var errFails = errors.New("the output fails")

func (f *failAfter) Write(p []byte) (int, error) {
	if f.n -= len(p); f.n < 0 {
		return 0, errFails
	}
	return len(p), nil
}

func TestAnOutputThatFailsIsReportedAndLeavesNothing(t *testing.T) {
	rows := NewRows(50, 1)
	cells, err := NewCells(rows)
	if err != nil {
		t.Fatal(err)
	}
	record := BuildCells(memory.NewGoAllocator(), cells)
	defer record.Release()
	var whole, stream bytes.Buffer
	if err := WriteParquet(&whole, record, memory.NewGoAllocator()); err != nil {
		t.Fatal(err)
	}
	if err := WriteIPC(&stream, cells, memory.NewGoAllocator(), false); err != nil {
		t.Fatal(err)
	}
	for n := 0; n < whole.Len(); n += 1 + whole.Len()/40 {
		if err := WriteParquet(&failAfter{n}, record, memory.NewGoAllocator()); !errors.Is(err, errFails) {
			t.Errorf("Parquet, %d of %d bytes: error %v", n, whole.Len(), err)
		}
	}
	for n := 0; n < stream.Len(); n += 1 + stream.Len()/40 {
		if err := WriteIPC(&failAfter{n}, cells, checked(t), false); !errors.Is(err, errFails) {
			t.Errorf("IPC, %d of %d bytes: error %v", n, stream.Len(), err)
		}
	}
	temp := t.TempDir()
	if _, err := WritePath(&failAfter{10}, rows, Memory{Allocator: checked(t)}, temp); !errors.Is(err, errFails) {
		t.Errorf("the copy of the temporary file: error %v", err)
	}
	empty(t, temp)
}

func TestNoRowsMakeAFileWithoutRows(t *testing.T) {
	var out bytes.Buffer
	if _, err := WritePath(&out, nil, Memory{Allocator: checked(t)}, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	got, err := DigestParquet(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	r, err := BuildRows(memory.NewGoAllocator(), nil, Reserved)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	if want, err := DigestRecord(r); err != nil || got != want {
		t.Errorf("digest %s, want %s: %v", got, want, err)
	}
}

func empty(t *testing.T, dir string) {
	t.Helper()
	left, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range left {
		t.Errorf("%s is left", f.Name())
	}
}
