package sanitize

import (
	"regexp"
	"strings"
)

// poisonForms are the ways in which a byte of poison, 0xdb, shows in what a test prints:
// quoted, in hexadecimal, in decimal, as an int8, or as a character that is none.
var poisonForms = regexp.MustCompile(`\\xdb|0[xX](?:db|DB)+\b|\b(?:db|DB)(?: ?(?:db|DB))+\b|\b219\b|\x{FFFD}`)

// poisonIn keeps the lines of tests' output that show poison.
func (res *Result) poisonIn(words said) {
	for t, output := range words {
		for line := range strings.Lines(string(output)) {
			line = strings.TrimSpace(line)
			if !poisonForms.MatchString(line) {
				continue
			}
			if len(line) > 200 {
				line = strings.ToValidUTF8(line[:197], "") + "..."
			}
			if res.Poison == nil {
				res.Poison = map[string]string{}
			}
			res.Poison[t.Package+" "+t.Name] = line
			break
		}
	}
}
