// Package record checks what a program can check of the project's published
// record: that every claim has a size or says why not, that every committed note
// names a revision that exists and was clean, that figures in the documents name
// their command or file and are those of today's notes where they are quoted from
// one, that each note and the table are printed from results and study files, and
// docs/proof.md from the records. It measures nothing.
package record

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/committed"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/proof"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// exceptions are the lines of documents whose figures need neither a command nor a
// file: a line each, as "PAGE | words of the line | reason".
//
//go:embed exceptions.txt
var exceptions string

// Check checks the record of the repository in a folder.
func Check(ctx context.Context, root string) (Finding, error) {
	var f Finding
	studies, err := readStudies(root)
	if err != nil {
		return f, err
	}
	claims := 0
	for _, s := range studies {
		claims += len(s.File.Claims)
		f.Problems = append(f.Problems, sizeless(relative(root, s.File.Path), s.File)...)
		f.Problems = append(f.Problems, unmissable(relative(root, s.File.Path), s.File)...)
		if s.Verdict != nil {
			f.Problems = append(f.Problems, revised(relative(root, s.File.Path), s)...)
		}
	}
	if err := f.claimed(root, studies); err != nil {
		return f, err
	}
	whole, err := f.origins(ctx, root, studies)
	if err != nil {
		return f, err
	}
	if whole {
		if err := f.repeated(ctx, root, studies, false); err != nil {
			return f, err
		}
	}
	notes, err := notesOf(studies)
	if err != nil {
		return f, err
	}
	pages, figures, err := f.pages(ctx, root, notes, whole)
	if err != nil {
		return f, err
	}
	if err := f.printed(root, studies); err != nil {
		return f, err
	}
	if err := proof.Check(root); err != nil {
		f.Problems = append(f.Problems, Problem{File: proof.Page, Text: err.Error()})
	}
	results := 0
	for _, s := range studies {
		if s.Verdict != nil {
			results++
		}
	}
	f.Checked = fmt.Sprintf("%d claims of %d studies, %d committed results, %d lines with figures on %d pages", claims, len(studies), results, figures, pages)
	return f, nil
}

func readStudies(root string) ([]committed.Study, error) {
	dirs, err := committed.Folders(filepath.Join(root, "studies"))
	if err != nil {
		return nil, err
	}
	return committed.Read(dirs)
}

// writeEarlier writes the earlier measurements of each study.
func writeEarlier(ctx context.Context, root string) error {
	studies, err := readStudies(root)
	if err != nil {
		return err
	}
	var f Finding
	return f.repeated(ctx, root, studies, true)
}

// pages checks the figures of the documents. notes is the text of all notes; history
// says that git knows all revisions.
func (f *Finding) pages(ctx context.Context, root, notes string, history bool) (pages, figures int, err error) {
	allowed, err := readExceptions(exceptions)
	if err != nil {
		return 0, 0, err
	}
	var found []Problem
	var lines []string
	for _, pattern := range []string{"README.md", "docs/*.md", recordsDir + "*.md", "systems/*/README.md", "systems/README.md", "studies/peers/*/README.md"} {
		names, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			return 0, 0, err
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				return 0, 0, err
			}
			pages++
			figures += linesWithFigures(string(text))
			lines = append(lines, entries(relative(root, name), string(text))...)
			found = append(found, overstated(relative(root, name), string(text))...)
			found = append(found, unsourced(root, relative(root, name), string(text))...)
			if strings.HasPrefix(pattern, recordsDir) {
				continue // they say what was printed then
			}
			found = append(found, misquoted(relative(root, name), string(text), notes)...)
			tables, err := standing(ctx, root, relative(root, name), string(text), history)
			if err != nil {
				return 0, 0, err
			}
			found = append(found, tables...)
		}
	}
	comments, err := commentEntries(root)
	if err != nil {
		return 0, 0, err
	}
	f.entries = append(lines, comments...)
	found = append(found, entered(f.entries)...)
	left, stale := without(found, allowed)
	f.Problems = append(f.Problems, left...)
	f.Notes = append(f.Notes, stale...)
	return pages, figures, nil
}

// exception is one line of the list.
type exception struct{ page, words, reason string }

func readExceptions(text string) ([]exception, error) {
	var out []exception
	for i, l := range strings.Split(text, "\n") {
		if l = strings.TrimSpace(l); l == "" || l[0] == '#' {
			continue
		}
		parts := strings.Split(l, " | ")
		if len(parts) != 3 || slices.Contains(parts, "") {
			return nil, fmt.Errorf("exceptions.txt:%d: write PAGE | words of the line | reason", i+1)
		}
		out = append(out, exception{parts[0], parts[1], parts[2]})
	}
	return out, nil
}

// without leaves out the problems that an exception covers, and lists the
// exceptions that cover none.
func without(ps []Problem, allowed []exception) (left, stale []Problem) {
	used := make([]bool, len(allowed))
	left = slices.DeleteFunc(slices.Clone(ps), func(p Problem) bool {
		i := slices.IndexFunc(allowed, func(e exception) bool { return e.page == p.File && strings.Contains(p.Says, e.words) })
		if i >= 0 {
			used[i] = true
		}
		return i >= 0
	})
	for i, e := range allowed {
		if !used[i] {
			stale = append(stale, Problem{File: "cmd/poolproof/internal/lab/record/exceptions.txt", Text: fmt.Sprintf("the exception %q of %s is not needed any more; remove it", e.words, e.page)})
		}
	}
	return left, stale
}

// Main is the tool: it prints what it finds, and returns 1 if there is a problem.
func Main(ctx context.Context, args []string) (code int) {
	flags := flag.NewFlagSet("record", flag.ContinueOnError)
	root := flags.String("root", filepath.Join("..", ".."), "the repository's `folder`")
	figures := flags.Bool("figures", false, "enter the figures of the pages in the ledger "+ledgerName)
	earlier := flags.Bool("earlier", false, "write "+study.EarlierName+" of each study from the history of git, and check nothing")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if *earlier {
		if err := writeEarlier(ctx, *root); err != nil {
			fmt.Fprintln(os.Stderr, "record:", err)
			return 2
		}
		return 0
	}
	f, err := Check(ctx, *root)
	if err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
		return 2
	}
	if *figures {
		text := ledgerHead + strings.Join(f.entries, "\n") + "\n"
		if err := os.WriteFile(filepath.Join(*root, filepath.FromSlash(ledgerName)), []byte(text), 0o666); err != nil {
			fmt.Fprintln(os.Stderr, "record:", err)
			return 2
		}
		return 0
	}
	f.print(os.Stdout)
	if len(f.Problems) > 0 {
		return 1
	}
	return 0
}
