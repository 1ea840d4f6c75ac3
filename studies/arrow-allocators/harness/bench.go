package harness

import (
	"errors"
	"testing"

	arrowallocators "github.com/poolproof/poolproof/studies/arrow-allocators"
)

// Path is the published path: rows to record to Parquet, by a temporary file.
func Path(b *testing.B, arms []arrowallocators.Arm) { each(b, path, arms) }

// Batch is the published path for batches of n rows.
func Batch(b *testing.B, arms []arrowallocators.Arm, n int) { each(b, pathOf(n), arms) }

// Parquet is the last part of it alone: one record, written as Parquet.
func Parquet(b *testing.B, arms []arrowallocators.Arm) { each(b, parquet, arms) }

// Record makes a record of typed columns.
func Record(b *testing.B, arms []arrowallocators.Arm) { each(b, build, arms) }

// IPC makes the record and writes it as an IPC stream, plain and compressed.
func IPC(b *testing.B, arms []arrowallocators.Arm) {
	b.Run("codec=none", func(b *testing.B) { each(b, ipc, arms) })
	b.Run("codec=zstd", func(b *testing.B) { each(b, ipcZstd, arms) })
}

// each runs the work with the memory of each arm.
func each(b *testing.B, w work, arms []arrowallocators.Arm) {
	for _, arm := range arms {
		b.Run("memory="+arm.Name, func(b *testing.B) {
			m, err := open(w.name, arm)
			if errors.Is(err, errors.ErrUnsupported) {
				b.Skip(err)
			}
			if err != nil {
				b.Fatal(err)
			}
			if m.Codec != nil {
				defer m.Codec.Register()()
			}
			report := begin(b, w, m)
			b.ReportAllocs()
			var out counted
			for b.Loop() {
				out = 0
				if err := w.run(m, &out); err != nil {
					b.Fatal(err)
				}
			}
			report(int64(out))
		})
	}
}
