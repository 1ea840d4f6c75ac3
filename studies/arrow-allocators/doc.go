// Package arrowallocators is the study of one question: when logs become Arrow
// records, IPC streams and Parquet files, does it matter which allocator is
// below Arrow, and does it pay to use its memory again?
//
// It was published that Arrow's C++ memory pool makes such a path 12.9 %
// slower than the Go allocator. The path is written again in our own words, after
// internal/parquetwriter/backend_arrow.go of the commit: 900 rows that are maps
// become columns, each with a builder of its own that reserves 10,000 values; a
// slice of bool a column says in which rows it is present; the record is written to
// a temporary Parquet file, compressed by zstd, by a writer that has arrow-go's
// default allocator; each builder is made again, and reserves again; and the file is
// copied to the output. Beside it stand its parts: the record alone, record and IPC,
// Parquet alone. What differs from the original: its columns are found in the rows,
// ours are known; its arrays are never released, ours are, so that an arm can use
// their memory again. Its benchmark, BenchmarkBackendComparison, is not in the
// commit that names it, nor is its data: the rows are ours, of the same shape.
//
// The arms differ in the memory below Arrow:
//
//	go        arrow-go's Go allocator
//	recycle   size classes, free blocks in lists
//	syncpool  size classes, free blocks in a sync.Pool a class
//	offheap   size classes in memory that the collector does not see
//	malloc    the C library's malloc; build tag cmalloc, needs cgo
//	cgoarrow  Arrow's C++ memory pool; build tag ccalloc, needs cgo and libarrow
//	presize   the Go allocator, and builders that reserve what the batch needs
//	codec     the Go allocator, and zstd encoders that are used again
//
// The module arrow1841 beside this package runs the same code with arrow-go
// 18.4.1, the version that was published about: it makes a zstd encoder for
// each page, and what that costs is the other half of the answer.
//
// study.toml holds the question and what is expected, VERDICT.md the answer.
//
// # Building the arm cgoarrow
//
// The tag ccalloc links Arrow's C++ library, which pkg-config must know as
// arrow. Where no package of the system has it, the Python package pyarrow
// brings the library and its headers: link libarrow.so to the libarrow.so.NNNN
// of that package, also by its own name, write an arrow.pc that names both
// folders and, for recent headers, -std=c++20, and set PKG_CONFIG_PATH and
// LD_LIBRARY_PATH.
package arrowallocators
