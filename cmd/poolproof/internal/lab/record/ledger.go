package record

import (
	"crypto/sha256"
	_ "embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/kept"
)

// ledger lists the figures of all pages and of the library's comments: a line for
// each section of a page and for each source file. A figure that is changed, that
// comes or that goes has to be entered, which asks for where it comes from.
//
//go:embed figures.txt
var ledger string

// ledgerName is the file of the ledger, in the repository.
const ledgerName = "cmd/poolproof/internal/lab/record/figures.txt"

// recordsDir has the records of the laboratory.
const recordsDir = "cmd/poolproof/internal/lab/records/"

const ledgerHead = `# The measured figures of the pages, by their sections, and those of the library's
# comments. What stands on a kept file is held against that and is not here. Of the
# laboratory's records and of tables that are printed from a result each number counts:
# a line has their digest.
# go run ./internal/lab record -figures writes it: enter only what was measured.

`

// aNumber is any number.
var aNumber = regexp.MustCompile(`\d+(?:[.,]\d+)*`)

// entries are the lines of the ledger for a page.
func entries(name, text string) []string {
	sections, outside, err := kept.Sections(text)
	if err != nil || slices.Contains(printedPages, name) {
		return nil // the first is a problem of its own
	}
	var out []string
	for _, s := range sections {
		if strings.HasSuffix(s.File, ".json") { // printed by a program of another module
			out = append(out, digested(name+" # "+s.Name+" of "+s.File, aNumber.FindAllString(s.Text, -1)))
		}
	}
	heading, figures, numbers := "", []string(nil), []string(nil)
	end := func() {
		if strings.HasPrefix(name, recordsDir) {
			if len(numbers) > 0 {
				out = append(out, digested(name+" # "+heading, numbers))
			}
		} else if len(figures) > 0 {
			out = append(out, fmt.Sprintf("%s # %s: %s", name, heading, strings.Join(figures, ", ")))
		}
		figures, numbers = nil, nil
	}
	for _, b := range blocksOf(outside) {
		if b.heading > 0 {
			end()
			heading = strings.TrimSpace(strings.TrimLeft(b.text, "#"))
			continue
		}
		if name == "README.md" && heading == "With proof" {
			figures = append(figures, aNumber.FindAllString(b.text, -1)...) // what the first page promises: each number
		} else {
			figures = append(figures, measuredIn(b.text)...)
		}
		numbers = append(numbers, aNumber.FindAllString(b.text, -1)...)
	}
	end()
	return out
}

// digested is a line that tells numbers by their digest.
func digested(where string, numbers []string) string {
	sum := sha256.Sum256([]byte(strings.Join(numbers, " ")))
	return fmt.Sprintf("%s: %d numbers, %x", where, len(numbers), sum[:4])
}

// measuredIn are the figures of a text that look measured.
func measuredIn(text string) (out []string) {
	for line := range strings.Lines(text) {
		for _, m := range figure.FindAllStringSubmatch(line, -1) {
			out = append(out, m[1]+m[2])
		}
	}
	return out
}

// libraries are the folders whose comments users read.
var libraries = []string{"buffer", "hotswap", "mark", "metrics", "pool", "pooltest", "poolvar", "systems"}

// commentEntries are the lines of the ledger for the comments of the library.
func commentEntries(root string) ([]string, error) {
	var out []string
	for _, dir := range libraries {
		err := filepath.WalkDir(filepath.Join(root, dir), func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && (d.Name() == "testdata" || d.Name() == "internal") {
				return fs.SkipDir
			}
			if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return nil
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			var figures []string
			for line := range strings.Lines(string(text)) {
				if comment, ok := strings.CutPrefix(strings.TrimSpace(line), "//"); ok {
					figures = append(figures, measuredIn(comment)...)
				}
			}
			if len(figures) > 0 {
				out = append(out, relative(root, name)+": "+strings.Join(figures, ", "))
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// entered checks that the ledger has these lines and no other. A new section of a
// record is one more measurement; what was entered of an old one stays.
func entered(now []string) (out []Problem) {
	was := slices.DeleteFunc(strings.Split(ledger, "\n"), func(l string) bool { return l == "" || l[0] == '#' })
	problem := func(line, text string) {
		name, _, _ := strings.Cut(line, " # ")
		name, _, _ = strings.Cut(name, ": ")
		out = append(out, Problem{File: name, Says: line, Text: text + "; if they were measured, go run ./internal/lab record -figures enters them"})
	}
	for _, l := range now {
		if strings.HasPrefix(l, recordsDir) && !slices.ContainsFunc(was, func(w string) bool { return sectionIn(w) == sectionIn(l) }) {
			continue
		}
		if !slices.Contains(was, l) {
			problem(l, "the figures of this section are not those of the ledger")
		}
	}
	for _, l := range was {
		if !slices.Contains(now, l) {
			problem(l, "the ledger has these figures, and the section has not")
		}
	}
	return out
}

// sectionIn is the section of a line of the ledger.
func sectionIn(line string) string { return line[:max(0, strings.LastIndex(line, ": "))] }
