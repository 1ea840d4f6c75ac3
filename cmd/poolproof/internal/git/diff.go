package git

import (
	"cmp"
	"context"
	"fmt"
	"go/scanner"
	"go/token"
	"slices"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
)

// Changes are the files that differ between two states of a repository, by their
// slash-separated name in the later one, or in the earlier one where they are gone.
type Changes map[string]Change

// Change is how one file differs.
type Change struct {
	New   bool   // it was not there
	Gone  bool   // it is not there any more
	Hunks []Hunk // empty for new files that git does not know, and for what is no text
}

// Hunk is a range of lines that differ.
type Hunk struct {
	// First and Last are lines of the later state, which are new. Where Last is
	// First-1, lines between Last and First are gone.
	First, Last int
	Code        bool // more than blanks and comments of Go differ
}

// Diff returns what differs between two commits; to is "" for the working tree, with
// the files that git does not know and does not ignore. paths limit it, as they limit
// git diff.
func Diff(ctx context.Context, top, from, to string, paths ...string) (Changes, error) {
	args := []string{"-c", "core.quotePath=false", "diff", "--unified=0", "--no-color", "--no-ext-diff", "--no-textconv",
		"--find-renames", "--src-prefix=a/", "--dst-prefix=b/", "--end-of-options", from}
	if to != "" {
		args = append(args, to)
	}
	args = append(append(args, "--"), paths...)
	patch, err := Output(ctx, top, args...)
	if err != nil {
		return nil, err
	}
	c, err := parsePatch(patch)
	if err != nil {
		return nil, fmt.Errorf("what git diff printed cannot be read: %w", err)
	}
	if to != "" {
		return c, nil
	}
	untracked, err := Output(ctx, top, append([]string{"ls-files", "--others", "--exclude-standard", "-z", "--"}, paths...)...)
	if err != nil {
		return nil, err
	}
	for name := range strings.SplitSeq(untracked, "\x00") {
		if name != "" {
			c[name] = Change{New: true}
		}
	}
	return c, nil
}

// parsePatch reads which lines of the new files a patch without context brings.
func parsePatch(patch string) (Changes, error) {
	files, _, err := gitdiff.Parse(strings.NewReader(patch))
	if err != nil {
		return nil, err
	}
	c := Changes{}
	for _, f := range files {
		if len(f.TextFragments) == 0 && !f.IsBinary {
			continue // its mode or its name
		}
		change := Change{New: f.IsNew, Gone: f.IsDelete}
		for _, t := range f.TextFragments {
			var before, after strings.Builder
			for _, l := range t.Lines {
				if l.Old() {
					before.WriteString(l.Line)
				} else {
					after.WriteString(l.Line)
				}
			}
			first := int(t.NewPosition)
			if t.NewLines == 0 {
				first++ // git names the line before
			}
			change.Hunks = append(change.Hunks, Hunk{first, first + int(t.NewLines) - 1, !slices.Equal(tokens(before.String()), tokens(after.String()))})
		}
		c[cmp.Or(f.NewName, f.OldName)] = change
	}
	return c, nil
}

// tokens are those of lines of Go, without comments that are no directives, and without where
// lines end. What is no Go gives tokens too, and differs where they do.
func tokens(lines string) (all []string) {
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", -1, len(lines)), []byte(lines), func(token.Position, string) {}, scanner.ScanComments)
	for {
		_, tok, text := s.Scan()
		switch {
		case tok == token.EOF:
			return all
		case tok == token.COMMENT && !strings.HasPrefix(text, "//go:"), tok == token.SEMICOLON && text == "\n":
		case text == "":
			all = append(all, tok.String())
		default:
			all = append(all, text)
		}
	}
}
