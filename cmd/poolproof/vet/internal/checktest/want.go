package checktest

import (
	"fmt"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"
)

const quotedText = "`[^`]*`|" + `"(?:[^"\\]|\\.)*"`

var (
	// wanting is a comment, or the end of one, that says what is found in its line,
	// or some lines below: // want +2 "words" `more`.
	wanting = regexp.MustCompile(`// want(?: \+(\d+))?((?: (?:` + quotedText + `))+)$`)
	quoted  = regexp.MustCompile(quotedText)
)

// line is a line of a file.
type line struct {
	file string
	n    int
}

func (l line) String() string { return fmt.Sprintf("%s:%d", filepath.Base(l.file), l.n) }

func lineOf(p token.Position) line { return line{p.Filename, p.Line} }

// surprises compares what is found in a package with what its comments want. Each
// finding is one that is wanted, and the other way round.
func surprises(p *packages.Package, found []analysis.Diagnostic) (problems []string) {
	wants, problems := wantsOf(p)
	for _, d := range found {
		at := lineOf(p.Fset.Position(d.Pos))
		i := slices.IndexFunc(wants[at], func(want *regexp.Regexp) bool { return want.MatchString(d.Message) })
		if i < 0 {
			problems = append(problems, fmt.Sprintf("%s: not wanted: %s", at, d.Message))
			continue
		}
		wants[at] = slices.Delete(wants[at], i, i+1)
	}
	for at, left := range wants {
		for _, want := range left {
			problems = append(problems, fmt.Sprintf("%s: not found: %s", at, want))
		}
	}
	slices.Sort(problems)
	return problems
}

// wantsOf reads the comments of a package.
func wantsOf(p *packages.Package) (wants map[line][]*regexp.Regexp, problems []string) {
	wants = make(map[line][]*regexp.Regexp)
	for _, file := range p.Syntax {
		for _, group := range file.Comments {
			for _, c := range group.List {
				if !strings.Contains(c.Text, "// want ") {
					continue
				}
				at := lineOf(p.Fset.Position(c.Pos()))
				m := wanting.FindStringSubmatch(c.Text)
				if m == nil {
					problems = append(problems, fmt.Sprintf("%s: a want that is none: %s", at, c.Text))
					continue
				}
				below, _ := strconv.Atoi(m[1])
				at.n += below
				for _, text := range quoted.FindAllString(m[2], -1) {
					text, err := strconv.Unquote(text)
					if err != nil {
						problems = append(problems, fmt.Sprintf("%s: %s: %v", at, c.Text, err))
						continue
					}
					want, err := regexp.Compile(text)
					if err != nil {
						problems = append(problems, fmt.Sprintf("%s: %v", at, err))
						continue
					}
					wants[at] = append(wants[at], want)
				}
			}
		}
	}
	return wants, problems
}
