package campaign

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// The tables stand between these lines of a page.
const (
	pageBegin = "<!-- campaign -->\n"
	pageEnd   = "<!-- end of campaign -->\n"
)

// into puts the tables into a page, in the place of those that it has.
func (s Summary) into(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(text), pageBegin)
	_, after, ended := strings.Cut(rest, pageEnd)
	if !ok || !ended {
		return fmt.Errorf("%s has no place for the tables: the lines %q and %q", name, strings.TrimSpace(pageBegin), strings.TrimSpace(pageEnd))
	}
	var tables bytes.Buffer
	if err := s.Markdown(&tables); err != nil {
		return err
	}
	// A heading of the tables is one below that of the page's section.
	inner := strings.ReplaceAll(tables.String(), "\n## ", "\n#### ")
	return study.WriteFile(name, func(w io.Writer) error {
		_, err := io.WriteString(w, before+pageBegin+"\n"+strings.TrimSpace(inner)+"\n\n"+pageEnd+after)
		return err
	})
}
