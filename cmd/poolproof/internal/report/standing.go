package report

import (
	"fmt"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Versions are those of the program that reads a committed result.
type Versions struct {
	Rule   int
	Engine int
}

// Marks around what a note says of its own origin, so that it can be brought up
// to date when the rule or the engine has changed.
const (
	standingBegin = "<!-- provenance -->"
	standingEnd   = "<!-- end of provenance -->"
)

// Standing says from which revision and by which versions a result was made. ok
// is false where that is not known, where the repository had local changes, or
// where the result is older than the versions now.
func Standing(p *study.Provenance, revision string, now Versions) (text string, ok bool) {
	if p == nil {
		text = "**Without provenance**: an earlier version of the program wrote this result. It kept no digest of the binaries and no version of the engine"
		if revision == "" {
			return text + ", and no revision, because the study's module had local changes or git did not know it.", false
		}
		return text + ". It names revision " + shortRevision(revision) + ", and did not look for local changes outside of the study's module.", false
	}
	var wrong []string
	switch {
	case p.Revision == "":
		wrong = append(wrong, "**Without a revision**: the files were in no git repository.")
	case p.Dirty:
		wrong = append(wrong, "**With local changes**: the repository differed from revision "+shortRevision(p.Revision)+" when the binaries were built.")
	}
	if p.Judged < now.Rule {
		wrong = append(wrong, fmt.Sprintf("**Older than the rule**: version %d of the rule gave these verdicts; the rule is version %d now and may judge otherwise.", p.Judged, now.Rule))
	}
	if p.Program.Engine < now.Engine {
		wrong = append(wrong, fmt.Sprintf("**Older than the engine**: version %d of the engine measured this; the engine is version %d now.", p.Program.Engine, now.Engine))
	}
	if len(wrong) > 0 {
		return strings.Join(wrong, " "), false
	}
	return fmt.Sprintf("Measured at revision %s without local changes in the whole repository, by version %d of the engine; judged by version %d of the rule.",
		shortRevision(p.Revision), p.Program.Engine, p.Judged), true
}

// shortRevision is as much of a commit's hash as people write.
func shortRevision(hash string) string { return hash[:min(12, len(hash))] }

// standing writes what the note says of its own origin.
func (n *note) standing() {
	p := n.v.Provenance()
	if p == nil { // a plan of an earlier version, or of a test
		return
	}
	text, _ := Standing(p, "", Versions{n.v.Judged, p.Program.Engine})
	n.printf("%s", standingSection(text))
}

func standingSection(text string) string {
	return standingBegin + "\n\n" + text + "\n\n" + standingEnd + "\n"
}

// UpdateStanding replaces what a note says of its origin, or adds it above the
// first section of a note that says nothing.
func UpdateStanding(note, text string) string {
	section := standingSection(text)
	if from := strings.Index(note, standingBegin); from >= 0 {
		if length := strings.Index(note[from:], standingEnd); length >= 0 {
			return note[:from] + strings.TrimSuffix(section, "\n") + note[from+length+len(standingEnd):]
		}
	}
	if head, rest, ok := strings.Cut(note, "\n## "); ok {
		return head + "\n" + section + "\n## " + rest
	}
	return note
}

// older names what the index says beside the date of a result.
func older(s study.Summary, now Versions) string {
	p := s.Provenance
	switch {
	case p == nil:
		return " (no provenance)"
	case p.Revision == "":
		return " (no revision)"
	case p.Dirty:
		return " (local changes)"
	case p.Judged < now.Rule:
		return fmt.Sprintf(" (rule %d, now %d)", p.Judged, now.Rule)
	case p.Program.Engine < now.Engine:
		return fmt.Sprintf(" (engine %d, now %d)", p.Program.Engine, now.Engine)
	}
	return ""
}

// digests lists the measured binaries for the method of a note.
func digests(v study.VerdictFile) string {
	p := v.Provenance()
	if p == nil {
		return ""
	}
	var parts []string
	for _, b := range p.Binaries {
		parts = append(parts, b.ID+" "+b.SHA256)
	}
	if p.Padded != nil {
		parts = append(parts, fmt.Sprintf("%s together %s", plural(p.Padded.Builds, "padded build", "padded builds"), p.Padded.SHA256))
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
	p := v.Provenance()
	switch {
	case p == nil:
		return ""
	case p.Rule == p.Judged:
		return fmt.Sprintf("engine %d, rule %d", p.Program.Engine, p.Judged)
	}
	return fmt.Sprintf("engine %d, rule %d; measured for rule %d", p.Program.Engine, p.Judged, p.Rule)
}

// judgedAnew says that the rule is another one than that which a run was
// measured for; "" where it is the same.
func judgedAnew(v study.VerdictFile) string {
	if was := v.Plan.Rule.Version; v.Judged > 0 && was != v.Judged {
		return fmt.Sprintf("Version %d of the rule judged this; it was measured for version %d, whose numbers of launches may be too few now.", v.Judged, was)
	}
	return ""
}
