package record

import (
	"fmt"
	"io"
	"path/filepath"
)

// Problem is a line of the record that does not keep its promise.
type Problem struct {
	File string // relative to the repository
	Line int    // 0: the whole file
	Text string
	Says string // the line; "" for none
}

func (p Problem) String() string {
	where := p.File
	if p.Line > 0 {
		where += fmt.Sprint(":", p.Line)
	}
	if p.Says != "" {
		return where + ": " + p.Text + "\n\t" + p.Says
	}
	return where + ": " + p.Text
}

// Finding is the result of a check of the whole record.
type Finding struct {
	Problems []Problem
	Notes    []Problem // what a reader must know, and what is no error: exceptions that are not needed
	Skipped  []string  // what could not be checked here
	Checked  string    // in numbers

	entries []string // of the ledger of figures, as the pages have them now
}

func (f Finding) print(w io.Writer) {
	for _, p := range f.Notes {
		fmt.Fprintln(w, p)
	}
	for _, s := range f.Skipped {
		fmt.Fprintln(w, "skipped:", s)
	}
	for _, p := range f.Problems {
		fmt.Fprintln(w, "PROBLEM", p)
	}
	fmt.Fprintf(w, "checked: %s; %d problems\n", f.Checked, len(f.Problems))
}

// relative is a file's name in the repository, with slashes.
func relative(root, name string) string {
	if rel, err := filepath.Rel(root, name); err == nil {
		name = rel
	}
	return filepath.ToSlash(name)
}
