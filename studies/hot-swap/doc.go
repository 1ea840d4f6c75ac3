// Package hotswap is the study of one question: how should a large value that
// many goroutines read be replaced, again and again, while they go on reading?
//
// The value is the published one, written anew: a map of 100,000 strings, which
// a writer fills while readers look up keys in the one before. There is one
// file for each way of replacing it, and each is an arm of the study:
//
//	counted  RWMutex, a count of readers in the value, and a sync.Pool: who
//	         gives the value up last empties it and puts it back. The design of
//	         github.com/keilerkonzept/poolswap, from its description
//	atomic   an atomic pointer; each replacement is a new map
//	rwmutex  the same behind an RWMutex
//	inplace  one map behind an RWMutex; readers wait while it is filled
//	hotswap  package hotswap of this repository: readers are counted in shards,
//	         free maps are kept by pointers
//
// The arms have the interface Container in common. A further arm is a file that
// implements it, a row in the table of arms of workload_test.go, and an entry
// in study.toml; it changes none of the others.
//
// study.toml holds the question and what is expected, VERDICT.md the answer.
package hotswap
