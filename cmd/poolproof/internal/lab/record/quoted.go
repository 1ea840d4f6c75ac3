package record

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/committed"
)

var (
	// anEffect is an effect with its interval, as notes write it.
	anEffect = regexp.MustCompile(`[-+]\d+(?:\.\d+)? % \[[-+]?\d+(?:\.\d+)?, [-+]?\d+(?:\.\d+)?\]|\d+(?:\.\d+)?x (?:less|more) \[\d+(?:\.\d+)?, \d+(?:\.\d+)?\]`)
	// aStudy is a path below the folder of the studies.
	aStudy = regexp.MustCompile(`\bstudies/[a-z]`)
)

// misquoted lists the effects of a page that no committed note has, in sections that
// name a study: such a figure was quoted from an earlier measurement. notes is the
// text of all of them.
func misquoted(name, text, notes string) []Problem {
	var out []Problem
	blocks := blocksOf(text)
	for i, b := range blocks {
		if !slices.ContainsFunc(sectionOf(blocks, i), func(b block) bool { return aStudy.MatchString(b.text) }) {
			continue
		}
		for l, line := range strings.Split(b.text, "\n") {
			for _, effect := range anEffect.FindAllString(line, -1) {
				if !strings.Contains(notes, effect) {
					out = append(out, Problem{name, b.line + l, "no note of a study has the effect " + effect, strings.TrimSpace(line)})
				}
			}
		}
	}
	return out
}

// notesOf is the text of all committed notes.
func notesOf(studies []committed.Study) (string, error) {
	var all strings.Builder
	for _, s := range studies {
		text, err := os.ReadFile(filepath.Clean(s.NoteName()))
		if err != nil && !os.IsNotExist(err) {
			return "", err
		}
		all.Write(text)
	}
	return all.String(), nil
}
