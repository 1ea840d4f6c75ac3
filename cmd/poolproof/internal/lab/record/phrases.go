package record

import (
	"regexp"
	"strings"
)

// phrases say more than is known, each with what to say in its place.
var phrases = []struct {
	said   *regexp.Regexp
	unless string // words of the same sentence with which it is right
	say    string
}{
	{regexp.MustCompile(`(?i)second .?Release.? panics`), "checked build", "a second Release panics for certain only in the checked build: say so"},
	{regexp.MustCompile(`(?i)readers never wait`), "", "readers take no lock; they are not wait-free"},
	{regexp.MustCompile(`(?i)however late`), "", "say in which mode a late access is seen"},
	{regexp.MustCompile(`(?i)\bsurely\b`), "", "say what the rule is"},
	{regexp.MustCompile(`(?i)proxy do(es)? not (serve|have)\b`), "", "it could not be fetched when this was measured: that is no statement about a project"},
	{regexp.MustCompile(`\d % true\b`), "", "what is no false alarm may be by design: say how many are no false alarms"},
	{regexp.MustCompile(`(?i)as they were told|by mistake, and that was thrown away|that morning`), "", "say what was measured, not how the day went"},
}

// overstated lists the phrases of a page that say more than is known.
func overstated(name, text string) (out []Problem) {
	for _, b := range blocksOf(text) {
		joined := strings.Join(strings.Fields(b.text), " ")
		for _, p := range phrases {
			for _, at := range p.said.FindAllStringIndex(joined, -1) {
				if p.unless != "" && strings.Contains(joined[max(0, at[0]-200):min(len(joined), at[1]+200)], p.unless) {
					continue
				}
				out = append(out, Problem{name, b.line, p.say, joined[max(0, at[0]-40):min(len(joined), at[1]+40)]})
			}
		}
	}
	return out
}
