// Package orderedjsonlent asks the question of the study ordered-json-published
// of a buffer that has to be on the heap: is a pooled buffer of 4 KiB 78 times
// as fast as a new one?
//
// The buffer is lent to a function that the compiler does not know, as an
// encoder's is, so it cannot stay on the stack. The form zero shows what a
// plain bytes.Buffer costs: the 4 KiB which the pool is compared with are a
// choice of the benchmark, and clearing them is most of what is measured.
package orderedjsonlent
