// Package proof writes docs/proof.md: the ten figures that a user asks for, each
// with its sample, its date, and the record that it comes from. A figure stands
// in figures.toml with the words of the record that it repeats, and is refused if
// the record does not have them.
package proof

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
)

// Page is the document, seen from the repository.
const Page = "docs/proof.md"

//go:embed figures.toml
var text string

// figure is a row of the page.
type figure struct {
	Question string
	Answer   string
	Sample   string
	Kind     string // first run, out of sample, in-sample: see head
	Date     string
	Record   string   // a file of the repository, with the heading that has the figure
	Quotes   []string // what the record says: each number of the answer is in one of them
	Said     []saying // where else the figure stands
}

// saying is a sentence of a file of the repository that repeats a figure.
type saying struct{ File, Words string }

// Text returns the page for the records of the repository in root.
func Text(root string) (string, error) {
	var list struct{ Figure []figure }
	if err := toml.Unmarshal([]byte(text), &list); err != nil {
		return "", fmt.Errorf("figures.toml: %w", err)
	}
	var b strings.Builder
	b.WriteString(head)
	var wrong []error
	for _, f := range list.Figure {
		if err := f.check(root); err != nil {
			wrong = append(wrong, fmt.Errorf("%q: %w", f.Question, err))
		}
		link, err := filepath.Rel(filepath.Dir(Page), f.Record)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "| %s | **%s** | %s | %s, [%s](%s) |\n", f.Question, f.Answer, f.Sample, f.Kind, f.Date, filepath.ToSlash(link))
	}
	b.WriteString(tail)
	return b.String(), errors.Join(wrong...)
}

// Check returns an error if the page in the repository of root is another than the
// records say.
func Check(root string) error {
	want, err := Text(root)
	if err != nil {
		return err
	}
	got, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(Page)))
	if err != nil {
		return err
	}
	if string(got) != want {
		return errors.New("it is not what the records say; in cmd/poolproof: go run ./internal/lab proof -write")
	}
	return nil
}

var (
	number  = regexp.MustCompile(`\d+(?:[.,]\d+)*`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	dropped = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// check says what the record does not have of the figure.
func (f figure) check(root string) error {
	if _, err := time.Parse(time.DateOnly, f.Date); err != nil {
		return err
	}
	name, anchor, _ := strings.Cut(f.Record, "#")
	raw, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	if !anchored(string(raw), anchor) {
		return fmt.Errorf("%s has no heading #%s", name, anchor)
	}
	record := folded(raw)
	quoted := map[string]bool{}
	for _, q := range f.Quotes {
		if !strings.Contains(record, q) {
			return fmt.Errorf("%s does not say %q", name, q)
		}
		for _, n := range number.FindAllString(q, -1) {
			quoted[n] = true
		}
	}
	repeats := []string{f.Answer}
	for _, s := range f.Said {
		raw, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(s.File)))
		if err != nil {
			return err
		}
		if !strings.Contains(folded(raw), s.Words) {
			return fmt.Errorf("%s does not say %q", s.File, s.Words)
		}
		repeats = append(repeats, s.Words)
	}
	for _, text := range repeats {
		for _, n := range number.FindAllString(text, -1) {
			if !quoted[n] {
				return fmt.Errorf("the number %s of %q is in none of the quotes", n, text)
			}
		}
	}
	return nil
}

// folded is a text in one line.
func folded(text []byte) string { return strings.Join(strings.Fields(string(text)), " ") }

// anchored reports whether a Markdown text has a heading with this anchor.
func anchored(text, anchor string) bool {
	for _, m := range heading.FindAllStringSubmatch(text, -1) {
		name := strings.ToLower(dropped.ReplaceAllString(m[1], ""))
		if strings.ReplaceAll(name, " ", "-") == anchor {
			return true
		}
	}
	return anchor == ""
}

// Main is the tool: it prints the page, or writes it with -write. It returns 1 if a
// record does not have a figure.
func Main(_ context.Context, args []string) (code int) {
	flags := flag.NewFlagSet("proof", flag.ContinueOnError)
	root := flags.String("root", filepath.Join("..", ".."), "the repository's `folder`")
	write := flags.Bool("write", false, "write "+Page)
	if flags.Parse(args) != nil {
		return 2
	}
	page, err := Text(*root)
	if err != nil {
		fmt.Fprintln(os.Stderr, "proof:", err)
		return 1
	}
	if !*write {
		fmt.Print(page)
		return 0
	}
	if err := os.WriteFile(filepath.Join(*root, filepath.FromSlash(Page)), []byte(page), 0o666); err != nil {
		fmt.Fprintln(os.Stderr, "proof:", err)
		return 2
	}
	return 0
}

const head = `# How good is it?

Ten figures, from [the records of the laboratory](../cmd/poolproof/internal/lab/records). A *first
run* was made once, on code or questions that nobody had looked at while the tool was written. *Out of
sample* is the same code later, with a tool that was changed for other reasons. *In-sample* figures
say how much was mended, not what you will meet. The records have the failures too, one by one.

| question | figure | sample | kind, date |
|---|---|---|---|
`

const tail = `
This page is printed by ` + "`go run ./internal/lab proof -write`" + ` in cmd/poolproof, which refuses a figure
that its record does not have.
`
