package arrowlog_test

import (
	"io"
	"testing"

	"github.com/poolproof/poolproof/systems/arrowlog"
	"github.com/poolproof/poolproof/systems/arrowlog/arrowmem"
)

// The benchmarks write 900 rows of 52 columns. The published way beside ours is
// in studies/arrow-allocators.

func benchmarkData() ([]arrowlog.Column, []arrowlog.Data) {
	columns := wide()
	return columns, dataOf(columns, rows(columns, 900, 1, 0.35))
}

func BenchmarkFlushParquet(b *testing.B) {
	columns, data := benchmarkData()
	for name, o := range map[string]arrowlog.Options{
		"compression=zstd":    {},
		"compression=fastest": {Compression: arrowlog.ZstdFastest},
		"compression=snappy":  {Compression: arrowlog.Snappy},
		"dictionary=none":     {Dictionary: arrowlog.DictionaryNone},
	} {
		b.Run(name, func(b *testing.B) {
			e := open(b, arrowlog.Schema{Columns: columns}, o)
			defer e.Close()
			b.ReportAllocs()
			for b.Loop() {
				must(b, e.AppendColumns(900, data...))
				s, err := e.FlushParquet(io.Discard)
				must(b, err)
				b.SetBytes(s.Bytes)
			}
		})
	}
}

func BenchmarkRecord(b *testing.B) {
	columns, data := benchmarkData()
	for _, name := range []string{"go", "recycler", "nozero"} {
		b.Run("memory="+name, func(b *testing.B) {
			e := open(b, arrowlog.Schema{Columns: columns}, arrowlog.Options{Allocator: memoryNamed(name)})
			defer e.Close()
			b.ReportAllocs()
			for b.Loop() {
				must(b, e.AppendColumns(900, data...))
				r, err := e.Record()
				must(b, err)
				r.Release()
			}
		})
	}
}

func BenchmarkIPC(b *testing.B) {
	columns, data := benchmarkData()
	for _, name := range []string{"go", "recycler", "nozero"} {
		b.Run("memory="+name, func(b *testing.B) {
			e := open(b, arrowlog.Schema{Columns: columns}, arrowlog.Options{Allocator: memoryNamed(name)})
			defer e.Close()
			b.ReportAllocs()
			for b.Loop() {
				must(b, e.AppendColumns(900, data...))
				_, err := e.FlushIPC(io.Discard)
				must(b, err)
			}
		})
	}
}

func memoryNamed(name string) arrowlog.Allocator {
	switch name {
	case "go":
		return arrowmem.NewGo()
	case "nozero":
		return arrowmem.NewRecycler(arrowmem.Options{NoZero: true})
	}
	return arrowmem.NewRecycler(arrowmem.Options{})
}
