// Package harness holds the benchmarks of the study arrow-allocators, so that
// two modules can run them: that of the study, and one beside it that builds
// the same code with another version of arrow-go.
package harness
