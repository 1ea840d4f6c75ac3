package record

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/git"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/kept"
)

// printedPages are written whole by a program that has a test of its own.
var printedPages = []string{"docs/do-pools-pay.md", recordsDir + "pays.md", "docs/proof.md"}

// standing checks a page's tables: each with measured figures stands in a section
// that has its file, and repeats it.
func standing(ctx context.Context, root, name, text string, history bool) ([]Problem, error) {
	all, outside, err := kept.Sections(text)
	if err != nil {
		return []Problem{{File: name, Text: err.Error()}}, nil
	}
	var out []Problem
	for _, s := range all {
		why, err := wrongWith(ctx, root, name, s, history)
		if err != nil {
			return nil, err
		}
		if why != "" {
			out = append(out, Problem{File: name, Line: s.Line, Text: "the section " + s.Name + ": " + why})
		}
	}
	if slices.Contains(printedPages, name) {
		return out, nil
	}
	for _, b := range blocksOf(outside) {
		if line := measuredTable(b); line != "" {
			out = append(out, Problem{name, b.line, "a table with measured figures stands on no file; go run ./internal/lab keep keeps what a command prints, and a section \"begin NAME of FILE\" has it", line})
		}
	}
	return out, nil
}

// measuredTable is the first line of a table or of a listing that has measured
// figures, "" if the block is none.
func measuredTable(b block) string {
	table := strings.HasPrefix(b.text, "|")
	if !table && !strings.HasPrefix(b.text, "```") {
		return ""
	}
	first, figures := "", 0
	for l := range strings.Lines(b.text) {
		if figure.MatchString(l) {
			if figures++; first == "" {
				first = strings.TrimSpace(l)
			}
		}
	}
	if figures > 1 || !table && figures > 0 {
		return first
	}
	return ""
}

// wrongWith says how a section differs from its file, "" if it does not. A study that
// is not measured yet has none; what a verdict.json becomes has a test beside its
// printer.
func wrongWith(ctx context.Context, root, page string, s kept.Section, history bool) (string, error) {
	file := filepath.Join(root, filepath.Dir(page), filepath.FromSlash(s.File))
	text, err := os.ReadFile(filepath.Clean(file))
	switch {
	case strings.HasSuffix(s.File, ".json"):
		return "", nil
	case errors.Is(err, fs.ErrNotExist):
		return s.File + " does not exist", nil
	case err != nil:
		return "", err
	}
	k, err := kept.Parse(string(text))
	if err != nil {
		return s.File + ": " + strings.ReplaceAll(err.Error(), "\n", "; "), nil
	}
	if history && k.Revision != kept.Unknown {
		if hash, err := git.Commit(ctx, root, k.Revision); err != nil || hash == "" {
			return s.File + ": revision " + k.Revision + " does not exist", ctx.Err()
		}
	}
	if body := strings.TrimSpace(s.Text); body != k.Section() {
		got, want, i := strings.Split(body, "\n"), strings.Split(k.Section(), "\n"), 0
		for i < min(len(got), len(want)) && got[i] == want[i] {
			i++
		}
		return fmt.Sprintf("it has %q where %s has %q", lineOf(got, i), s.File, lineOf(want, i)), nil
	}
	return "", nil
}
