// Package api has no code but a test, which holds the exported names of the public
// packages of the library: testdata/api.txt has a line for each, so that a change of
// what users see is seen in the change itself.
//
//	go test ./internal/api -update   # rewrites the file
package api
