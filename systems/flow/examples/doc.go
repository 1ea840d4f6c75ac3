// Package examples holds programs on package flow as people write them. Each is a
// folder with a main package that can be run as it is, and a test that runs it:
//
//	logcounts  a log file to counts, with the lines that are no log lines
//	pages      a paginated HTTP API, fetched in parallel with the order kept
//	slowsink   a fast source and a slow sink: back pressure, and where it shows
//
// With -picture each prints its pipeline, by flow.Describe, in place of running it.
package examples
