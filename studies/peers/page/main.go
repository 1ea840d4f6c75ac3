// Command page writes the tables of a page such as docs/benchmarks.md, so that no
// figure in it is written by hand.
//
//	go run . ../../../docs/benchmarks.md NAME=FILE...
//	go run . -print FILE
//
// The second form prints what a FILE becomes, for lab keep of cmd/poolproof.
//
// NAME is a section of the page, between the lines <!-- begin NAME --> and
// <!-- end NAME -->. A FILE that ends in .json is a verdict.json of
// poolproof try, of which the section becomes a table of ratios, and one of the
// figures that the benchmarks report themselves; any other is text, and becomes the
// section. A section that begins with <!-- begin NAME of FILE --> has its file,
// relative to the page: it is written whenever that file exists and is such a result
// (kept text is written by lab keep, in cmd/poolproof). Other sections that
// are not named stay as they are.
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "page:", err)
		os.Exit(2)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return errors.New("want the page and NAME=FILE of each section to be written")
	}
	if args[0] == "-print" && len(args) == 2 {
		section, err := sectionOf(args[1])
		if err == nil {
			_, err = fmt.Print(section)
		}
		return err
	}
	text, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	page, err := current(args[0], string(text))
	if err != nil {
		return err
	}
	for _, arg := range args[1:] {
		name, file, ok := strings.Cut(arg, "=")
		if !ok {
			return fmt.Errorf("%q is not NAME=FILE", arg)
		}
		section, err := sectionOf(file)
		if err != nil {
			return err
		}
		if page, err = replace(page, name, section); err != nil {
			return err
		}
	}
	return os.WriteFile(args[0], []byte(page), 0o644)
}

// kept is the first line of a section that has a result.
var kept = regexp.MustCompile(`(?m)^<!-- begin (\S+ of (\S+\.json)) -->$`)

// current is the text of a page with the sections written that have their file.
func current(name, page string) (string, error) {
	for _, m := range kept.FindAllStringSubmatch(page, -1) {
		section, err := sectionOf(filepath.Join(filepath.Dir(name), filepath.FromSlash(m[2])))
		if errors.Is(err, fs.ErrNotExist) {
			continue // the study is not measured yet
		}
		if err != nil {
			return "", err
		}
		if page, err = replace(page, m[1], section); err != nil {
			return "", err
		}
	}
	return page, nil
}

// sectionOf returns the section that a file becomes.
func sectionOf(file string) (string, error) {
	content, err := os.ReadFile(file)
	if err != nil || !strings.HasSuffix(file, ".json") {
		return string(content), err
	}
	section, err := ratios(content)
	if err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	return section, nil
}

// replace returns the page with a section replaced. A name is "NAME of FILE" where
// the section has its file.
func replace(page, name, section string) (string, error) {
	begin := "<!-- begin " + name + " -->\n"
	name, _, _ = strings.Cut(name, " of ")
	end := "<!-- end " + name + " -->"
	before, rest, ok := strings.Cut(page, begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		return "", fmt.Errorf("the page has no section %q between %q and %q", name, strings.TrimSpace(begin), end)
	}
	return before + begin + "\n" + strings.TrimSpace(section) + "\n\n" + end + after, nil
}
