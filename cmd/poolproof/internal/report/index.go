package report

import (
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Entry is one study of an index.
type Entry struct {
	Dir     string // relative to the index, with slashes
	Path    string // as a command names it, relative to the folder above the index
	Title   string
	Claims  []study.Claim  // of the study file, for a study without a result
	Summary *study.Summary // nil: the study has no committed result
}

// Index writes the table of all studies: what was claimed, what was published,
// what was found, with its interval, on which machine, when, and how to ask
// again. It depends on the entries, their order and the versions alone.
func Index(w io.Writer, entries []Entry, now Versions) error {
	var n strings.Builder
	n.WriteString("# Studies\n\n")
	n.WriteString("What others published about memory reuse, asked again on the code path that users run. Each study is a folder with its question (`study.toml`), its benchmarks,\n" +
		"its note (`VERDICT.md`) and its result in short (`RESULT.json`). An outcome is of a claim, a verdict of the comparison that the claim is about;\n" +
		"docs/verdicts.md says how verdicts are reached. This page is made of the committed results, by `poolproof try -index` of this folder.\n\n")
	t := mdTable{head: []string{"study", "claim", "published", "found here", "outcome", "verdict", "machine", "date", "command"}}
	for _, e := range entries {
		link := fmt.Sprintf("[%s](%s)", e.Title, path.Join(e.Dir, study.NoteName))
		s := e.Summary
		if s == nil {
			link, command := fmt.Sprintf("[%s](%s)", e.Title, path.Join(e.Dir, study.FileName)), "`poolproof try -update ./"+e.Path+"`"
			for _, c := range atLeastOne(e.Claims) {
				t.add(link, orDash(c.Text), orDash(c.Published), "not measured yet", dash, dash, dash, dash, command)
				link, command = "", ""
			}
			continue
		}
		where, date, command := machineWords(*s), orDash(s.Measured)+older(*s, now), "`"+commandLine(append([]string{"poolproof"}, strip(s.Command)...))+"`"
		if len(s.Claims) == 0 {
			t.add(link, dash, dash, dash, dash, tallyRows(s.Comparisons), where, date, command)
		}
		judged, left := reached(*s)
		for _, c := range judged {
			t.add(link, c.Text, published(c), found(c), outcome(c), orDash(string(s.Verdict(c))), where, date, command)
			link, where, date, command = "", "", "", "" // said once a study
		}
		if left > 0 {
			t.add(link, plural(left, "more claim", "more claims"), dash, "the comparisons are not measured; the note says why", "not judgeable",
				string(study.NotMeasured), where, date, command)
		}
	}
	if len(entries) > 0 {
		n.WriteString(t.String())
	} else {
		n.WriteString("There is none.\n")
	}
	if warnings := staleEntries(entries); warnings != "" {
		n.WriteString("\nThe notes of these studies rest on verdicts that their last measurement did not give:\n\n" + warnings)
	}
	if old := oldEntries(entries, now); old != "" {
		n.WriteString("\nThese results are not known to be of the code beside them and of today's rule:\n\n" + old)
	}
	_, err := io.WriteString(w, n.String())
	return err
}

// fewUnmeasured is how many claims of a study are listed although nothing was
// measured that they are about.
const fewUnmeasured = 3

// reached are the claims to list, and the number of those that are only counted:
// more than a few that nothing was measured of.
func reached(s study.Summary) (listed []study.ClaimResult, left int) {
	for _, c := range s.Claims {
		if s.Verdict(c) == study.NotMeasured {
			left++
		} else {
			listed = append(listed, c)
		}
	}
	if left <= fewUnmeasured {
		return s.Claims, 0
	}
	return listed, left
}

// atLeastOne gives a study without claims a row.
func atLeastOne(claims []study.Claim) []study.Claim {
	if len(claims) == 0 {
		return []study.Claim{{}}
	}
	return claims
}

// strip takes the program's name from a command line.
func strip(command []string) []string {
	if len(command) > 0 && command[0] == "poolproof" {
		return command[1:]
	}
	return command
}

func machineWords(s study.Summary) string {
	parts := []string{}
	for _, p := range []string{s.Machine.CPU, cores(s.Machine.Cores), s.Toolchain} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, ", ")
}

// tallyRows counts the verdicts of a study that checks no claim.
func tallyRows(rs []study.SummaryRow) string {
	all := make([]row, len(rs))
	for i, r := range rs {
		all[i].Verdict = r.Verdict
	}
	return orDash(tally(all))
}

// oldEntries lists the results whose origin is not known, or whose versions are
// not those now.
func oldEntries(entries []Entry, now Versions) string {
	var b strings.Builder
	for _, e := range entries {
		if e.Summary == nil {
			continue
		}
		if text, ok := Standing(e.Summary.Provenance, e.Summary.Revision, now); !ok {
			fmt.Fprintf(&b, "- [%s](%s): %s\n", e.Title, path.Join(e.Dir, study.NoteName), text)
		}
	}
	return b.String()
}

func staleEntries(entries []Entry) string {
	var b strings.Builder
	for _, e := range entries {
		if e.Summary == nil {
			continue
		}
		for _, s := range e.Summary.Stale {
			fmt.Fprintf(&b, "- [%s](%s): %s\n", e.Title, path.Join(e.Dir, study.NoteName), s)
		}
	}
	return b.String()
}
