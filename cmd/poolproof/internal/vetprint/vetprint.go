// Package vetprint writes what poolproof vet found: as text, as JSON, as SARIF,
// and as GitHub annotations.
package vetprint

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/annotate"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sarif"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/vetrun"
	"github.com/poolproof/poolproof/cmd/poolproof/vet"
)

// Text writes one finding a line. Files are named from the folder, as the go
// command names them. With related, the lines that a finding refers to follow
// it, indented, and the command that can confirm it.
func Text(w io.Writer, r *vetrun.Result, folder string, related bool) error {
	out := bufio.NewWriter(w)
	confirm := r.Confirmer()
	for _, f := range r.Findings {
		fmt.Fprintf(out, "%s: %s%s\n", place(folder, f.File, f.Line, f.Col), heading(f), f.Message)
		if !related {
			continue
		}
		for _, l := range f.Related {
			fmt.Fprintf(out, "\t%s: %s\n", place(folder, l.File, l.Line, l.Col), l.Message)
		}
		if command := confirm.Command(f); command != "" {
			fmt.Fprintf(out, "\tsee it happen, if a test reaches it: %s\n", command)
		}
	}
	return out.Flush()
}

// place is "file:line:column".
func place(folder, file string, line, column int) string {
	at := fmt.Sprintf("%s:%d", vetrun.Short(folder, file), line)
	if column > 0 {
		at += fmt.Sprintf(":%d", column)
	}
	return at
}

// Summary says how many findings there are, in a few words; "" if there are
// none.
func Summary(r *vetrun.Result) string {
	count := map[vet.Tier]int{}
	for _, f := range r.Findings {
		count[f.Tier]++
	}
	var parts []string
	for _, t := range []struct {
		tier      vet.Tier
		one, many string
	}{{vet.Error, "error", "errors"}, {vet.Warning, "warning", "warnings"}, {vet.Audit, "remark", "remarks"}} {
		switch n := count[t.tier]; n {
		case 0:
		case 1:
			parts = append(parts, "1 "+t.one)
		default:
			parts = append(parts, fmt.Sprintf("%d %s", n, t.many))
		}
	}
	return strings.Join(parts, ", ")
}

// levels of SARIF and GitHub.
var (
	sarifLevel  = map[vet.Tier]sarif.Level{vet.Error: sarif.Error, vet.Warning: sarif.Warning, vet.Audit: sarif.Note}
	githubLevel = map[vet.Tier]annotate.Level{vet.Error: annotate.Error, vet.Warning: annotate.Warning, vet.Audit: annotate.Notice}
)

// GitHub writes workflow commands, which GitHub shows beside the lines of a
// pull request.
func GitHub(w io.Writer, r *vetrun.Result) error {
	var all []annotate.Annotation
	for _, f := range r.Findings {
		all = append(all, annotate.Annotation{
			Level: githubLevel[f.Tier], File: vetrun.Name(r.Root, f.File),
			Line: f.Line, Column: f.Col, EndLine: f.EndLine, EndCol: beyond(f),
			Title: f.Code + " " + f.Check().Name, Message: f.Message,
		})
	}
	for _, b := range r.Broken {
		all = append(all, annotate.Annotation{Level: annotate.Error, Title: "not analysed", Message: b})
	}
	return annotate.Write(w, all)
}

// beyond is the column after what is reported, 0 where its end is not known.
func beyond(f vetrun.Finding) int {
	if f.EndLine == f.Line && f.EndCol <= f.Col {
		return 0
	}
	return f.EndCol
}

// heading begins the line of a finding: "PV001 use-after-put (error): ".
func heading(f vetrun.Finding) string {
	check := f.Check()
	return check.Heading(f.Tier)
}

// source gives the text of a file that is named from a folder.
func source(folder string) func(string) []byte {
	return func(file string) []byte {
		name := filepath.FromSlash(file)
		if !filepath.IsAbs(name) {
			name = filepath.Join(folder, name)
		}
		text, _ := os.ReadFile(name) // a generated file may be gone by now
		return text
	}
}
