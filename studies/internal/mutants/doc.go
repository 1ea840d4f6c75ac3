// Package mutants shows that the tests of the studies notice when an arm turns
// into something else: a pool that is never hit, a copy that is left out, memory
// that is not cleared. It has nothing but tests.
package mutants
