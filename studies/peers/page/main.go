// Command page writes the tables of a page such as docs/benchmarks.md, so that no
// figure in it is written by hand.
//
//	go run . ../../../docs/benchmarks.md NAME=FILE...
//
// NAME is a section of the page, between the lines <!-- begin NAME --> and
// <!-- end NAME -->. A FILE that ends in .json is a verdict.json of poolproof try,
// of which the section becomes a table of ratios, and one of the figures that the
// benchmarks report themselves; any other is text, and becomes the section.
// Sections that are not named stay as they are.
package main

import (
	"fmt"
	"os"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "page:", err)
		os.Exit(2)
	}
}

func run(args []string) error {
	if len(args) < 2 {
		return fmt.Errorf("want the page and NAME=FILE of each section to be written, got %d arguments", len(args))
	}
	text, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	page := string(text)
	for _, arg := range args[1:] {
		name, file, ok := strings.Cut(arg, "=")
		if !ok {
			return fmt.Errorf("%q is not NAME=FILE", arg)
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		section := string(content)
		if strings.HasSuffix(file, ".json") {
			if section, err = ratios(content); err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
		}
		if page, err = replace(page, name, section); err != nil {
			return err
		}
	}
	return os.WriteFile(args[0], []byte(page), 0o644)
}

// replace returns the page with a section replaced.
func replace(page, name, section string) (string, error) {
	begin, end := "<!-- begin "+name+" -->\n", "<!-- end "+name+" -->"
	before, rest, ok := strings.Cut(page, begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		return "", fmt.Errorf("the page has no section %q between %q and %q", name, strings.TrimSpace(begin), end)
	}
	return before + begin + "\n" + strings.TrimSpace(section) + "\n\n" + end + after, nil
}
