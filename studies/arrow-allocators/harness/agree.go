package harness

import (
	"bytes"
	"errors"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/memory"

	arrowallocators "github.com/poolproof/poolproof/studies/arrow-allocators"
)

// Agree fails unless every arm writes the rows that went in, three times over,
// so that the second and third time find used memory, and the same bytes as
// the Go allocator. It logs the digests of what was read back, in lines that
// begin with "result:": other builds must log the same.
func Agree(t *testing.T, arms []arrowallocators.Arm) {
	want, err := arrowallocators.DigestRecord(record())
	if err != nil {
		t.Fatal(err)
	}
	fromRows, err := arrowallocators.BuildRows(memory.NewGoAllocator(), rows(), arrowallocators.Reserved)
	if err != nil {
		t.Fatal(err)
	}
	defer fromRows.Release()
	if got, err := arrowallocators.DigestRecord(fromRows); err != nil || got != want {
		t.Fatalf("the record of rows has digest %s (%v), that of typed columns %s", got, err, want)
	}
	t.Logf("result: record %s", want)
	for _, c := range []struct {
		work   work
		digest func([]byte) (string, error)
	}{
		{path, arrowallocators.DigestParquet},
		{parquet, arrowallocators.DigestParquet},
		{ipc, arrowallocators.DigestIPC},
		{ipcZstd, arrowallocators.DigestIPC},
	} {
		var first []byte // what the first arm wrote
		var read string  // and what was read back
		for _, arm := range arms {
			t.Run(c.work.name+"/"+arm.Name, func(t *testing.T) {
				m, err := arm.Open()
				if errors.Is(err, errors.ErrUnsupported) {
					t.Skip(err)
				}
				if err != nil {
					t.Fatal(err)
				}
				if m.Path != nil && c.work.name != path.name {
					t.Skip("the arm is another path, and the same as the first arm in all else")
				}
				if m.Codec != nil {
					defer m.Codec.Register()()
				}
				for range 3 {
					var out bytes.Buffer
					if err := c.work.run(m, &out); err != nil {
						t.Fatal(err)
					}
					got, err := c.digest(out.Bytes())
					if err != nil || got != want {
						t.Errorf("digest %s (%v), want %s", got, err, want)
					}
					switch {
					case m.Path != nil: // the same rows in other bytes
					case first == nil:
						first, read = out.Bytes(), got
					case m.Dirty && c.work.name != path.name && c.work.name != parquet.name:
						// An IPC stream carries what stands in the place of nulls.
					case !bytes.Equal(out.Bytes(), first):
						t.Errorf("%d bytes that are not the %d of the arm %s", out.Len(), len(first), arms[0].Name)
					}
				}
				if m.Out != nil && m.Out() != 0 {
					t.Errorf("%d bytes were not freed", m.Out())
				}
				if m.Close != nil {
					if err := m.Close(); err != nil {
						t.Error(err)
					}
				}
			})
		}
		t.Logf("result: %s %s", c.work.name, read)
	}
}
