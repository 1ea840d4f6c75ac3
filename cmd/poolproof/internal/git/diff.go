package git

import (
	"cmp"
	"context"
	"fmt"
	"go/scanner"
	"go/token"
	"slices"
	"strconv"
	"strings"
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
	c := Changes{}
	var old, file string
	var h *Hunk
	var before, after strings.Builder // of the hunk
	left := 0                         // lines of the hunk that are still to come
	for line := range strings.Lines(patch) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case left > 0:
			if strings.HasPrefix(line, `\`) { // "\ No newline at end of file"
				continue
			}
			left--
			side := &after
			if strings.HasPrefix(line, "-") {
				side = &before
			}
			side.WriteString(line[min(1, len(line)):] + "\n")
			if left == 0 {
				h.Code = !slices.Equal(tokens(before.String()), tokens(after.String()))
				before.Reset()
				after.Reset()
			}
		case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "):
			name, err := patchName(line[len("+++ "):])
			if err != nil {
				return nil, err
			}
			if line[0] == '-' {
				old = name
				continue
			}
			file = name
			c[cmp.Or(name, old)] = Change{New: old == "", Gone: name == ""}
		case strings.HasPrefix(line, "Binary files "):
			if _, name, ok := strings.Cut(strings.TrimSuffix(line, " differ"), " and b/"); ok {
				c[name] = Change{}
			}
		case strings.HasPrefix(line, "@@ "):
			removed, added, err := parseHunk(line)
			if err != nil {
				return nil, err
			}
			left = removed + added.Last - added.First + 1
			name := cmp.Or(file, old)
			change := c[name]
			change.Hunks = append(change.Hunks, added)
			c[name] = change
			h = &change.Hunks[len(change.Hunks)-1]
		}
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

// patchName takes the name out of the line of a file; "" for /dev/null.
func patchName(s string) (string, error) {
	if strings.HasPrefix(s, `"`) {
		unquoted, err := strconv.Unquote(s)
		if err != nil {
			return "", fmt.Errorf("the file name %s: %w", s, err)
		}
		s = unquoted
	}
	s = strings.TrimSuffix(s, "\t") // git puts one after names with spaces
	if side, name, ok := strings.Cut(s, "/"); ok && (side == "a" || side == "b") {
		return name, nil
	}
	return "", nil
}

// parseHunk reads "@@ -1,2 +3,4 @@": how many lines are gone, and the range of
// those that are there now.
func parseHunk(line string) (removed int, added Hunk, err error) {
	fields := strings.Fields(line)
	if len(fields) < 3 || !strings.HasPrefix(fields[1], "-") || !strings.HasPrefix(fields[2], "+") {
		return 0, added, fmt.Errorf("the hunk %q", line)
	}
	_, removed, err1 := countOf(fields[1][1:])
	first, count, err2 := countOf(fields[2][1:])
	if err1 != nil || err2 != nil {
		return 0, added, fmt.Errorf("the hunk %q", line)
	}
	if count == 0 {
		first++ // git names the line before
	}
	return removed, Hunk{First: first, Last: first + count - 1}, nil
}

// countOf reads "3,4" or "3", which is "3,1".
func countOf(s string) (first, count int, err error) {
	at, n, found := strings.Cut(s, ",")
	if first, err = strconv.Atoi(at); err != nil || !found {
		return first, 1, err
	}
	count, err = strconv.Atoi(n)
	return first, count, err
}
