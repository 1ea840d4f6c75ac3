// Package mutants has no code but tests: they run the tests of vet, of stat and of the
// sanitizer on mutants of them, which are small errors.
//
//	go test ./internal/lab/mutants -mutants -run Vet
//	go test ./internal/lab/mutants -mutants -run Drawn -v	# 100 of vet's engine, drawn
//	go test ./internal/lab/mutants -mutants -run Stat
//	go test ./internal/lab/mutants -mutants -run Sanitizer
package mutants
