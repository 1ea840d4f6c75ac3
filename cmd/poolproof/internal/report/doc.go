// Package report renders plans and verdict files for people and for other
// programs: a terminal table, a Markdown note, JSON, and the Go benchmark
// format.
//
// Every function is a pure rendering: it takes values, writes text, and
// neither measures nor judges. A number that was not measured, or that an
// invalid or unsafe experiment makes meaningless, is never printed; a dash
// stands in its place. All functions are safe for concurrent use on different
// writers, and return only the writer's errors unless they say otherwise.
package report
