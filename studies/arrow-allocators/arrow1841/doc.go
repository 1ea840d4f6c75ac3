// Package arrow1841 runs the benchmarks of the study arrow-allocators with
// arrow-go 18.4.1: the version with which it was published that Arrow's C++
// memory pool is slower than the Go allocator. That version makes a zstd
// encoder for each page of a Parquet file; 18.5.0 and later keep them.
//
// The code is that of the study's package and its harness. Only the version
// of arrow-go differs: the module stands outside of go.work, which has one
// version of each dependency for all its modules, and replaces arrow-go's. All
// else, also the zstd package, is what the study's module selects.
//
// study.toml asks the published question; VERDICT.md is its answer.
package arrow1841
