// Package mutants has no code but tests: they run the tests of vet and of stat on
// mutants of them, which are small errors.
//
//	go test ./internal/lab/mutants -mutants -run Vet
//	go test ./internal/lab/mutants -mutants -run Stat
package mutants
