package loglines

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// Format is a form of lines.
type Format struct {
	Name   string
	append func(*Rows, []byte) error
	begins *regexp.Regexp // what a line begins with
}

// Append appends the row of a line.
func (f *Format) Append(r *Rows, line []byte) error { return f.append(r, line) }

// Formats are all forms, in the order in which a line is asked for its form.
var Formats = []*Format{
	{"json", (*Rows).AppendJSON, regexp.MustCompile(`^\s*[{[]`)},
	{"syslog", (*Rows).AppendSyslog, regexp.MustCompile(`^<\d{1,3}>1 `)},
	{"web", (*Rows).AppendWeb, regexp.MustCompile(`^\S+ \S+ \S+ \[\d\d/[A-Z][a-z]{2}/\d{4}:[^\]]+\] "`)},
	{"logfmt", (*Rows).AppendLogfmt, regexp.MustCompile(`^[A-Za-z_@][\w.@/-]*=(\S|$)`)},
}

// Named returns the format with a name, or nil.
func Named(name string) *Format {
	for _, f := range Formats {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Names lists the names of the formats.
func Names() string {
	var names []string
	for _, f := range Formats {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}

// Detect returns the format that a line is in.
func Detect(line []byte) (*Format, error) {
	for _, f := range Formats {
		if f.begins.Match(line) {
			return f, nil
		}
	}
	return nil, fmt.Errorf("the line %q is in none of the formats that are told apart: %s", shorten(line), Names())
}

func shorten(b []byte) []byte {
	if len(b) > 60 {
		return append(bytes.Clone(b[:60]), "..."...)
	}
	return b
}
