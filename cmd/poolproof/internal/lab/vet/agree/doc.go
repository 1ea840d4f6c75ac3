// Package agree compares three judges of the use of pools: the execution of a program,
// vet, and the sanitizer. It draws small programs with pools: gets, puts, branches,
// loops, defers, closures, goroutines, channels, helpers. A bit of the input, a nil or a
// flag decides each branch, and so a program has few executions; an interpreter runs all
// of them. What an execution shows, vet must not miss, and an error of vet must have an
// execution that shows it; what the sanitizer sees must be what happened.
//
//	go run ./internal/lab vet-agree [flags]
//
// A [Program] is a tree of statements. [Draw] makes it, source prints it as Go, [Execute]
// runs it, judges ask the tools about many at once, and shrink takes statements away as
// long as the judges disagree. Nothing is left to chance in an execution: a goroutine,
// and the receiver of a channel, runs either at once or at the end, as a bit of the
// input says.
package agree
