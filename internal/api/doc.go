// Package api has no code but a test, which holds the exported names of the public
// packages: those of the library, of metrics, of the systems, and of the checks that
// linters load. Each has a file in testdata with a line for each name, so that a
// change of what users see is seen in the change itself.
//
//	go test ./internal/api -update   # rewrites the files
package api
