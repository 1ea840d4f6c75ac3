package note

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// method writes how the verdicts were reached, exactly enough to do it again.
func (n *note) method() {
	p := n.v.Plan
	n.heading("Methodology")
	if len(p.Command) > 0 {
		n.printf("The command that asks this question again:\n\n```\n%s\n```\n", words.Again(p))
	}
	t := words.Grid{Head: []string{"what", "value"}}
	fact := func(name, value string) {
		if value != "" {
			t.Add(name, value)
		}
	}
	fact("package", p.Package)
	if p.Kind == study.KindStudy {
		fact("study file", path.Join(filepath.ToSlash(p.Question.Path), study.FileName))
	}
	fact("revision", words.Revision(p))
	fact("revision of the baseline", p.Base)
	fact("binaries", words.Binaries(p))
	fact("SHA-256 of the binaries", digests(p))
	fact("program", program(p.Program))
	fact("versions", versions(n.v))
	fact("agreement", p.Agreed)
	fact("use of pools", p.Safety)
	fact("tests without each pool", p.Tested)
	fact("machine", words.Machine(p.Machine))
	fact("toolchain", p.Toolchain)
	fact("environment", strings.Join(p.Env, " "))
	fact("cells", strings.Join(words.CellsOf(n.rows, func(r words.Row) []string { return r.Cell }), "; "))
	fact("engine", words.Engine(p))
	fact("budget", n.budget())
	fact("plan", n.v.Digest)
	n.table(t)
	n.printf("%s\n", strings.Join(words.RuleText(n.v), " "))
	n.told("Nothing was timed", words.Empty(n.rows))
	n.told("Mostly waiting", words.Waiting(n.rows))
	n.told("Measured on a busy machine", words.Disturbed(n.rows))
}

func (n *note) budget() string {
	s := fmt.Sprintf("%s spent on %s", words.Duration(n.v.Spent), words.Plural(n.v.Launches, "launch", "launches"))
	if n.v.Plan.Budget > 0 {
		s = words.Duration(n.v.Plan.Budget) + " of measuring, " + s
	}
	return s
}
