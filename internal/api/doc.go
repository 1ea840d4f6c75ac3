// Package api has no code but a test, which holds the exported names of the public
// packages of the library and of metrics. Each has a file in testdata with a line for each name, so that a
// change of what users see is seen in the change itself.
//
//	go test ./internal/api -update   # rewrites the files
package api
