package finding

import (
	"cmp"
	"fmt"
	"path/filepath"
)

// Rule is a directive, or an entry of a baseline, as instrumented binaries read
// it: they then neither print such a misuse nor fail a test for it, and say
// that they have used the rule.
type Rule struct {
	Text string

	used *bool // of the directive or the entry
}

// Use notes that a binary has used the rule.
func (r Rule) Use() { *r.used = true }

// Rules returns the directives as rules for binaries with the tests of the
// package in a folder. names returns the names that a file has in binaries.
func Rules(all []*Directive, inDir string, names func(file string) []string) []Rule {
	var rules []Rule
	for _, d := range all {
		if d.Test != "" && filepath.Dir(d.File) == inDir {
			rules = append(rules, Rule{Text: "test " + d.Test, used: &d.used})
		}
		for _, name := range names(d.File) {
			rules = append(rules, Rule{Text: fmt.Sprintf("at %d %d %s", d.From, d.To, name), used: &d.used})
		}
	}
	return rules
}

// Rules returns the entries as rules for binaries.
func (b *Baseline) Rules() []Rule {
	var rules []Rule
	for _, e := range b.Entries {
		rules = append(rules, Rule{Text: "known " + string(e.Kind) + " " + cmp.Or(e.Access, e.Put) + " " + e.Put, used: &e.used})
	}
	return rules
}
