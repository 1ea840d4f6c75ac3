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
		"engine=parquet-go/compression=zstd":    {},
		"engine=parquet-go/compression=fastest": {Compression: arrowlog.ZstdFastest},
		"engine=parquet-go/compression=snappy":  {Compression: arrowlog.Snappy},
		"engine=parquet-go/dictionary=none":     {Dictionary: arrowlog.DictionaryNone},
		"engine=arrow-go/compression=zstd":      {Engine: arrowlog.ArrowGo},
		"engine=arrow-go/compression=fastest":   {Engine: arrowlog.ArrowGo, Compression: arrowlog.ZstdFastest},
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
	for _, name := range []string{"go", "recycler", "nozero", "offheap", "c", "cplusplus"} {
		b.Run("memory="+name, func(b *testing.B) {
			e := open(b, arrowlog.Schema{Columns: columns}, arrowlog.Options{Allocator: memoryNamed(b, name)})
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
	for _, name := range []string{"go", "recycler", "nozero", "offheap", "c", "cplusplus"} {
		b.Run("memory="+name, func(b *testing.B) {
			e := open(b, arrowlog.Schema{Columns: columns}, arrowlog.Options{Allocator: memoryNamed(b, name)})
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

func memoryNamed(b *testing.B, name string) arrowlog.Allocator {
	switch name {
	case "go":
		return arrowmem.NewGo()
	case "nozero":
		return arrowmem.NewRecycler(arrowmem.Options{NoZero: true})
	case "offheap":
		o, err := arrowmem.NewOffheap(arrowmem.Options{})
		if err != nil {
			b.Skip(err)
		}
		return o
	}
	if name == "recycler" {
		return arrowmem.NewRecycler(arrowmem.Options{})
	}
	linked := map[string]arrowmem.Tracked{}
	addC(linked)
	addCPlusPlus(linked)
	mem, ok := linked[name]
	if !ok {
		b.Skip("this build has it not: see the tags cmalloc and ccalloc")
	}
	return mem
}
