// Package annotate writes findings as GitHub annotations: workflow commands that
// a step prints and GitHub shows beside the lines of a pull request.
// The form is described at
// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands.
//
// GitHub shows ten errors, ten warnings and ten notices of a step; it keeps all
// in the log.
package annotate

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Level says how an annotation is shown.
type Level string

// The levels that GitHub knows.
const (
	Error   Level = "error"
	Warning Level = "warning"
	Notice  Level = "notice"
)

// Annotation is a remark on a line.
type Annotation struct {
	Level   Level
	File    string // relative to the root of the repository
	Line    int    // from 1; 0: the whole file
	Column  int    // from 1; 0: the whole line
	EndLine int    // 0: the same line
	EndCol  int    // 0: to the end of the line
	Title   string
	Message string
}

// Write writes one workflow command a line.
func Write(w io.Writer, all []Annotation) error {
	out := bufio.NewWriter(w)
	for _, a := range all {
		out.WriteString(a.String())
		out.WriteByte('\n')
	}
	return out.Flush()
}

// String is the workflow command.
func (a Annotation) String() string {
	var properties []string
	add := func(name, value string) { properties = append(properties, name+"="+property.Replace(value)) }
	number := func(name string, n int) {
		if n > 0 {
			add(name, fmt.Sprint(n))
		}
	}
	if a.File != "" {
		add("file", a.File)
	}
	number("line", a.Line)
	number("endLine", a.EndLine)
	// GitHub shows columns only within one line, and refuses them otherwise.
	if a.EndLine == 0 || a.EndLine == a.Line {
		number("col", a.Column)
		number("endColumn", a.EndCol)
	}
	if a.Title != "" {
		add("title", a.Title)
	}
	return "::" + string(a.Level) + " " + strings.Join(properties, ",") + "::" + data.Replace(a.Message)
}

// Commands end at the line's end, and properties at commas; so both are
// escaped, as GitHub's own toolkit does.
var (
	data     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
