package note

import (
	"fmt"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// Versions are those of the program that reads a committed result.
type Versions struct {
	Rule   int
	Engine int
	// Stands reports whether the rule judges a result of a plan as the version did that judged it; nil: never.
	Stands func(p study.Plan, judged int, r study.Result) bool
}

// unsure is how many of a result's comparisons the rule now may judge otherwise than the
// version that judged them.
func (now Versions) unsure(v study.VerdictFile) (n int) {
	if v.Judged >= now.Rule {
		return 0
	}
	for _, r := range v.Results {
		if now.Stands == nil || !now.Stands(v.Plan, v.Judged, r) {
			n++
		}
	}
	return n
}

// standing says from which revision and by which versions a result was made. ok
// is false where that is not known, where the repository had local changes, or
// where the result is older than the versions now.
func standing(v study.VerdictFile, now Versions) (text string, ok bool) {
	p := v.Plan
	var wrong []string
	switch {
	case p.Revision == "":
		wrong = append(wrong, "**Without a revision**: the files were in no git repository.")
	case p.Dirty:
		wrong = append(wrong, "**With local changes**: the repository differed from revision "+shortRevision(p.Revision)+" when the binaries were built.")
	}
	if n := now.unsure(v); n > 0 {
		wrong = append(wrong, fmt.Sprintf("**Older than the rule**: version %d of the rule gave these verdicts; the rule is version %d now and may judge %d of %s otherwise.",
			v.Judged, now.Rule, n, words.Plural(len(v.Results), "comparison", "comparisons")))
	}
	if p.Program.Engine < now.Engine {
		wrong = append(wrong, fmt.Sprintf("**Older than the engine**: version %d of the engine measured this; the engine is version %d now.", p.Program.Engine, now.Engine))
	}
	if len(wrong) > 0 {
		return strings.Join(wrong, " "), false
	}
	text = fmt.Sprintf("Measured at revision %s without local changes in the whole repository, by version %d of the engine; judged by version %d of the rule",
		shortRevision(p.Revision), p.Program.Engine, v.Judged)
	if v.Judged < now.Rule {
		text += fmt.Sprintf(", and version %d judges them alike", now.Rule)
	}
	return text + ".", true
}

// shortRevision is as much of a commit's hash as people write.
func shortRevision(hash string) string { return hash[:min(12, len(hash))] }

// older names what the index says beside the date of a result.
func older(v study.VerdictFile, now Versions) string {
	p := v.Plan
	switch {
	case p.Revision == "":
		return " (no revision)"
	case p.Dirty:
		return " (local changes)"
	case now.unsure(v) > 0:
		return fmt.Sprintf(" (rule %d, now %d)", v.Judged, now.Rule)
	case p.Program.Engine < now.Engine:
		return fmt.Sprintf(" (engine %d, now %d)", p.Program.Engine, now.Engine)
	}
	return ""
}

// digests lists the measured binaries for the method of a note.
func digests(p study.Plan) string {
	var parts []string
	for _, b := range p.Binaries {
		if b.Layout == 0 && b.SHA256 != "" {
			parts = append(parts, b.ID+" "+b.SHA256)
		}
	}
	if padded := p.PaddedBuilds(); padded != nil {
		parts = append(parts, fmt.Sprintf("%s together %s", words.Plural(padded.Builds, "padded build", "padded builds"), padded.SHA256))
	}
	return strings.Join(parts, "; ")
}

// program names the binary that planned and measured.
func program(p study.Program) string {
	if p == (study.Program{}) {
		return ""
	}
	s := "poolproof"
	if p.Version != "" {
		s += " " + p.Version
	}
	if p.Revision != "" && !strings.Contains(p.Version, shortRevision(p.Revision)) {
		s += " of revision " + shortRevision(p.Revision)
		if p.Dirty {
			s += " with local changes"
		}
	}
	if p.SHA256 != "" {
		s += ", SHA-256 " + p.SHA256
	}
	return s
}

// versions says which versions of engine and rule made a verdict file.
func versions(v study.VerdictFile) string {
	if v.Plan.Program == (study.Program{}) { // the file was made by hand
		return ""
	}
	if v.Plan.Rule.Version == v.Judged {
		return fmt.Sprintf("engine %d, rule %d", v.Plan.Program.Engine, v.Judged)
	}
	return fmt.Sprintf("engine %d, rule %d; measured for rule %d", v.Plan.Program.Engine, v.Judged, v.Plan.Rule.Version)
}
