// Package mutants has no code but tests: they run the tests of the library on
// mutants of it, which are small errors: a condition that is never true, a call
// that is left out.
//
//	go test ./internal/mutants -run Killed -mutants        # those of the list; all must be noticed
//	go test ./internal/mutants -run Sweep -sweep 100 -v    # others, drawn afresh
//
// The list, testdata/mutants.txt, names a function, an operator and a place, not
// the text, so that it does not stand in the way of a change of names. Mutants of
// the protocol of package hotswap are in hotswap/internal/explore.
package mutants
