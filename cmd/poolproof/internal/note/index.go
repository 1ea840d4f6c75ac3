package note

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// Entry is one study of an index.
type Entry struct {
	Dir     string // relative to the index, with slashes
	Path    string // as a command names it, relative to the folder above the index
	Title   string
	Claims  []study.Claim      // of the study file, for a study without a result
	Verdict *study.VerdictFile // nil: the study has no committed result
	Earlier []study.Earlier    // measurements that it replaced, the oldest first
}

// Index writes the table of all studies: what was claimed, what was published,
// what was found, with its interval, on which machine, when, and how to ask
// again. It depends on the entries, their order and the versions alone.
func Index(w io.Writer, entries []Entry, now Versions) error {
	var n strings.Builder
	n.WriteString("# Studies\n\n")
	n.WriteString("What others published about memory reuse, asked again on the code path that users run. Each study is a folder with its question (`study.toml`), its benchmarks,\n" +
		"its result (`verdict.json`) and its note (`VERDICT.md`). An outcome is of a claim, a verdict of the comparison that the claim is about;\n" +
		"docs/verdicts.md says how verdicts are reached. This page is made of the committed results, by `poolproof try -index` of this folder.\n\n")
	t := words.Grid{Head: []string{"study", "claim", "published", "found here", "outcome", "verdict", "machine", "date", "command"}}
	for _, e := range entries {
		link := fmt.Sprintf("[%s](%s)", e.Title, path.Join(e.Dir, study.NoteName))
		s := e.Verdict
		if s == nil {
			link, command := fmt.Sprintf("[%s](%s)", e.Title, path.Join(e.Dir, study.FileName)), "`poolproof try -update ./"+e.Path+"`"
			claims := e.Claims
			if len(claims) == 0 {
				claims = []study.Claim{{}} // it has a row too
			}
			for _, c := range claims {
				t.Add(link, words.OrDash(c.Text), words.OrDash(c.Published), "not measured yet", words.Dash, words.Dash, words.Dash, words.Dash, command)
				link, command = "", ""
			}
			continue
		}
		where, date, command := words.Known(s.Plan.Machine.CPU, words.Cores(s.Plan.Machine.Cores), s.Plan.Toolchain), measuredOn(*s)+older(*s, now), "`"+words.Again(s.Plan)+"`"
		if len(s.Claims) == 0 {
			t.Add(link, words.Dash, words.Dash, words.Dash, words.Dash, words.OrDash(words.Tally(s.Results)), where, date, command)
		}
		judged, left := reached(*s)
		for _, c := range judged {
			t.Add(link, c.Text, words.Published(c), words.Found(c), words.Outcome(c), words.OrDash(string(verdictOf(*s, c))), where, date, command)
			link, where, date, command = "", "", "", "" // said once a study
		}
		if left > 0 {
			t.Add(link, words.Plural(left, "more claim", "more claims"), words.Dash, "the comparisons are not measured; the note says why", "not judgeable",
				string(study.NotMeasured), where, date, command)
		}
	}
	if len(entries) > 0 {
		n.WriteString(markdown(t))
	} else {
		n.WriteString("There is none.\n")
	}
	n.WriteString(measuredAgain(entries))
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
func reached(s study.VerdictFile) (listed []study.ClaimResult, left int) {
	for _, c := range s.Claims {
		if verdictOf(s, c) == study.NotMeasured {
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

// verdictOf is that of the comparison which a claim is about, "" if there is none.
func verdictOf(v study.VerdictFile, c study.ClaimResult) study.Verdict {
	for _, r := range v.Results {
		if r.Benchmark == c.Benchmark && r.Arm == c.Arm && study.Holds(r.Cell, strings.Join(c.Cell, " ")) {
			return r.Verdict
		}
	}
	return ""
}

// measuredOn is the day of the first launch.
func measuredOn(v study.VerdictFile) string {
	if v.Started.IsZero() {
		return words.Dash
	}
	return v.Started.UTC().Format(time.DateOnly)
}

// oldEntries lists the results whose origin is not known, or whose versions are
// not those now.
func oldEntries(entries []Entry, now Versions) string {
	var said words.Remarks
	var all []string
	for _, e := range entries {
		if e.Verdict == nil {
			continue
		}
		link := fmt.Sprintf("[%s](%s)", e.Title, path.Join(e.Dir, study.NoteName))
		all = append(all, link)
		if text, ok := standing(*e.Verdict, now); !ok {
			said.Add(link, text, nil)
		}
	}
	var b strings.Builder
	for _, r := range said {
		others := slices.DeleteFunc(slices.Clone(all), func(link string) bool { return slices.Contains(r.About, link) })
		switch {
		case len(others) == 0:
			fmt.Fprintf(&b, "- All of them: %s\n", r.Text)
		case len(others) <= mostNamed && len(r.About) > mostNamed:
			fmt.Fprintf(&b, "- All but %s: %s\n", words.List(others), r.Text)
		default:
			fmt.Fprintf(&b, "- %s: %s\n", strings.Join(r.About, ", "), r.Text)
		}
	}
	return b.String()
}

func staleEntries(entries []Entry) string {
	var b strings.Builder
	for _, e := range entries {
		if e.Verdict == nil {
			continue
		}
		for _, s := range words.Stale(*e.Verdict) {
			fmt.Fprintf(&b, "- [%s](%s): %s\n", e.Title, path.Join(e.Dir, study.NoteName), s)
		}
	}
	return b.String()
}
