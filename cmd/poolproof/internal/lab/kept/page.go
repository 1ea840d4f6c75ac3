package kept

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

var (
	aBegin = regexp.MustCompile(`^<!-- begin (\S+) of (\S+) -->$`)
	anEnd  = regexp.MustCompile(`^<!-- end (\S+) -->$`)
)

// Section is a part of a page that stands on a file: between the lines
// <!-- begin NAME of FILE --> and <!-- end NAME -->. FILE is seen from the page.
type Section struct {
	Name, File string
	Line       int // of its beginning, from 1
	Text       string
}

// Sections are those of a page, and its text with what they have left blank.
func Sections(text string) (all []Section, outside string, err error) {
	var out []string
	var now *Section
	for i, l := range strings.Split(text, "\n") {
		begin, end := aBegin.FindStringSubmatch(l), anEnd.FindStringSubmatch(l)
		switch {
		case begin != nil && now != nil:
			return nil, "", fmt.Errorf("line %d: the section %s has not ended", i+1, now.Name)
		case begin != nil:
			now = &Section{Name: begin[1], File: begin[2], Line: i + 1}
			l = ""
		case now != nil && end != nil && end[1] == now.Name:
			all, now = append(all, *now), nil
			l = ""
		case now != nil:
			now.Text += l + "\n"
			l = ""
		}
		out = append(out, l)
	}
	if now != nil {
		return nil, "", fmt.Errorf("line %d: the section %s does not end", now.Line, now.Name)
	}
	return all, strings.Join(out, "\n"), nil
}

// writePages writes the sections of pages that stand on kept files. Those of a
// verdict.json have a printer of their own.
func writePages(root string, pages []string) error {
	for _, page := range pages {
		name := filepath.Join(root, filepath.FromSlash(page))
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		all, _, err := Sections(string(text))
		if err != nil {
			return fmt.Errorf("%s: %w", page, err)
		}
		written := string(text)
		for _, s := range all {
			if strings.HasSuffix(s.File, ".json") {
				continue
			}
			file, err := os.ReadFile(filepath.Join(filepath.Dir(name), filepath.FromSlash(s.File)))
			if err != nil {
				return err
			}
			f, err := Parse(string(file))
			if err != nil {
				return fmt.Errorf("%s: %w", s.File, err)
			}
			begin := fmt.Sprintf("<!-- begin %s of %s -->\n", s.Name, s.File)
			written = strings.Replace(written, begin+s.Text, begin+"\n"+f.Section()+"\n\n", 1)
		}
		if err := os.WriteFile(name, []byte(written), 0o666); err != nil {
			return err
		}
	}
	return nil
}
