// Package loglines reads logs that are lines of text, JSON, logfmt, the formats of web
// servers or syslog, into the columns of an encoder. Values go from the line to their
// column without a tree or a map in between.
package loglines
