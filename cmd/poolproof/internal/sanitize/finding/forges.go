package finding

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/annotate"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sarif"
)

// sarifRules are the kinds of findings as SARIF wants them.
func sarifRules() []sarif.Rule {
	var rules []sarif.Rule
	for _, k := range record.Kinds {
		level := sarif.Error
		if k == record.RetainedMemory {
			level = sarif.Warning
		}
		rules = append(rules, sarif.Rule{ID: string(k), Name: string(k), Short: "A pooled object: " + titles[k] + ".", Level: level})
	}
	return rules
}

// SARIF returns findings as a run of SARIF. Each stands where the misuse
// happened; where the object was put and got is beside it.
func (p *Printer) SARIF(version string, findings []*Finding, notices []string) sarif.Run {
	run := sarif.Run{Tool: sarif.Tool{Name: "poolproof", Version: version}, Category: "poolproof/test", Rules: sarifRules()}
	for _, f := range findings {
		for _, r := range f.Reports {
			run.Results = append(run.Results, p.sarifResult(r))
		}
	}
	for _, n := range notices {
		run.Notices = append(run.Notices, sarif.Notice{Level: sarif.Warning, Message: n})
	}
	return run
}

func (p *Printer) sarifResult(r *Report) sarif.Result {
	at := func(f record.Frame, message string) sarif.Location {
		return sarif.Location{File: filepath.ToSlash(p.File(f.File)), Start: sarif.Position{Line: max(f.Line, 1)}, Message: message}
	}
	lead := p.place(r)
	res := sarif.Result{Rule: string(r.Kind), Level: sarif.Error, Message: p.message(r), At: at(lead, "")}
	if r.Severity == record.Warning {
		res.Level = sarif.Warning
	}
	if len(r.Put) > 0 {
		res.Related = append(res.Related, at(p.Sites.Lead(r.Put), "put here"))
	}
	if len(r.Get) > 0 {
		res.Related = append(res.Related, at(p.Sites.Lead(r.Get), "got here"))
	}
	return res
}

// Annotations returns findings as GitHub shows them.
func (p *Printer) Annotations(findings []*Finding) []annotate.Annotation {
	var all []annotate.Annotation
	for _, f := range findings {
		for _, r := range f.Reports {
			lead := p.place(r)
			a := annotate.Annotation{Level: annotate.Error, File: filepath.ToSlash(p.File(lead.File)), Line: lead.Line,
				Title: "poolproof test: " + string(r.Kind), Message: p.message(r)}
			if r.Severity == record.Warning {
				a.Level = annotate.Warning
			}
			all = append(all, a)
		}
	}
	return all
}

// place is where a report is shown: the access, or the Put where a checksum
// alone tells that there was one.
func (p *Printer) place(r *Report) record.Frame {
	if len(r.Access) > 0 {
		return p.Sites.Lead(r.Access)
	}
	return p.Sites.put(r)
}

// message is a report in a sentence.
func (p *Printer) message(r *Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s is %s (%s)", r.Type, titles[r.Kind], r.Part())
	if len(r.Put) > 0 {
		fmt.Fprintf(&b, "; it was put at %s", p.at(p.Sites.Lead(r.Put)))
	}
	if len(r.Get) > 0 {
		fmt.Fprintf(&b, ", got at %s", p.at(p.Sites.Lead(r.Get)))
	}
	if len(r.Tests) > 0 {
		fmt.Fprintf(&b, "; seen in %s", r.Tests[0])
	}
	if r.Why != "" {
		fmt.Fprintf(&b, "; a warning only: %s", r.Why)
	}
	return b.String()
}
