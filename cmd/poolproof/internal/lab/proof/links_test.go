package proof

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// TestTheLinksOfDocumentsLeadSomewhere looks at each Markdown file of the repository,
// without test data.
func TestTheLinksOfDocumentsLeadSomewhere(t *testing.T) {
	links := 0
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == ".poolproof" || d.Name() == ".git"):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(name) != ".md":
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			links++
			if why := broken(name, string(text), m[1]); why != "" {
				t.Errorf("%s: the link %s: %s", name, m[1], why)
			}
		}
		return nil
	})
	if err != nil || links < 200 {
		t.Errorf("%d links, %v", links, err)
	}
}

// broken says what is wrong with a link of a page.
func broken(page, text, target string) string {
	file, anchor, _ := strings.Cut(target, "#")
	if file != "" {
		page = filepath.Join(filepath.Dir(page), filepath.FromSlash(file))
		info, err := os.Stat(page)
		if err != nil {
			return "there is no such file"
		}
		if info.IsDir() || filepath.Ext(page) != ".md" {
			return ""
		}
		raw, err := os.ReadFile(page)
		if err != nil {
			return err.Error()
		}
		text = string(raw)
	}
	if !anchored(text, anchor) && !strings.Contains(text, `<a name="`+anchor+`"`) {
		return "the page has no such heading"
	}
	return ""
}
