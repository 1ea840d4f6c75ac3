package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// method writes how the verdicts were reached, exactly enough to do it again.
func (n *note) method() {
	p := n.v.Plan
	n.heading("Methodology")
	if len(p.Command) > 0 {
		n.printf("The command that asks this question again:\n\n```\n%s\n```\n", commandLine(p.Command))
	}
	t := mdTable{head: []string{"what", "value"}}
	fact := func(name, value string) {
		if value != "" {
			t.add(name, value)
		}
	}
	fact("package", p.Package)
	if n.study.Path != "" {
		fact("study file", n.study.Path)
	}
	fact("revision", revision(p))
	fact("revision of the baseline", p.Base)
	fact("binaries", binaries(p))
	fact("SHA-256 of the binaries", digests(n.v))
	fact("program", program(p.Program))
	fact("versions", versions(n.v))
	fact("agreement", p.Agreed)
	fact("use of pools", p.Safety)
	fact("machine", machine(p.Machine))
	fact("toolchain", p.Toolchain)
	fact("environment", strings.Join(p.Env, " "))
	fact("cells", strings.Join(cellsOf(p), "; "))
	fact("engine", engine(p))
	fact("budget", n.budget())
	fact("plan", n.v.Digest)
	n.printf("%s", t.String())
	n.printf("%s\n", strings.Join(ruleText(n.v), " "))
	if none := empty(n.rows); len(none) > 0 {
		n.printf("Nothing was timed:\n")
		n.remarks(none)
	}
	if noisy := disturbed(n.rows); len(noisy) > 0 {
		n.printf("Measured on a busy machine:\n")
		n.remarks(noisy)
	}
	if notes := n.notes(); len(notes) > 0 {
		n.printf("Notes of the launches:\n")
		n.remarks(notes)
	}
}

// notes are the records' own, where a launch differs from the plan.
func (n *note) notes() remarks {
	var out remarks
	for _, r := range n.rows {
		if len(r.Notes) > 0 {
			out.add(r.name(n.cells), clauses(Notes(r.Result)), nil)
		}
	}
	return out
}

func (n *note) budget() string {
	launches := 0
	for _, r := range n.rows {
		launches += r.Launches
	}
	s := fmt.Sprintf("%s spent on %s", duration(n.v.Spent), plural(launches, "launch", "launches"))
	if n.v.Plan.Budget > 0 {
		s = duration(n.v.Plan.Budget) + " of measuring, " + s
	}
	return s
}

// commandLine writes arguments as a shell reads them. The first is the
// program where the plan names it.
func commandLine(args []string) string {
	if args[0] != "poolproof" {
		args = slices.Concat([]string{"poolproof"}, args)
	}
	quoted := make([]string, len(args))
	for i, a := range args {
		quoted[i] = shellQuote(a)
	}
	return strings.Join(quoted, " ")
}

func shellQuote(arg string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=,:%+@", r)
	}
	if arg != "" && strings.IndexFunc(arg, func(r rune) bool { return !plain(r) }) < 0 {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}

func revision(p study.Plan) string {
	if p.Revision != "" && p.Dirty {
		return p.Revision + " with local changes"
	}
	return p.Revision
}

func machine(m study.Machine) string {
	var parts []string
	for _, s := range []struct{ what, value string }{
		{"", m.CPU}, {"", cores(m.Cores)}, {"", strings.Trim(m.OS+"/"+m.Arch, "/")}, {"kernel ", m.Kernel}, {"limits: ", m.Limits},
	} {
		if s.value != "" {
			parts = append(parts, s.what+s.value)
		}
	}
	return strings.Join(parts, ", ")
}

func cores(n int) string {
	if n == 0 {
		return ""
	}
	return plural(n, "core", "cores")
}

// cellsOf lists the plan's cells, none if there is only the environment as it
// is.
func cellsOf(p study.Plan) []string {
	var cells []string
	for _, c := range p.Comparisons {
		if len(c.Cell) > 0 {
			cells = append(cells, strings.Join(c.Cell, " "))
		}
	}
	return unique(cells)
}

func engine(p study.Plan) string {
	s := string(p.Engine)
	switch p.Engine {
	case study.EngineDuet:
		s = "duet: short bursts of two live processes in turn; a coin decides which side goes first"
	case study.EnginePairs:
		s = "interleaved processes: one process a burst, in pairs of random order, with a larger error than a duet's"
	}
	if p.EngineNote != "" {
		s += "; " + p.EngineNote
	}
	return s
}

// ruleText states the numbers of the rule that judged.
func ruleText(v study.VerdictFile) []string {
	p, r := v.Plan, v.Plan.Rule
	if v.Rule != nil {
		r = *v.Rule
	}
	var out []string
	say := func(ok bool, format string, args ...any) {
		if ok {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	say(p.Engine == study.EngineDuet && r.Pairs > 0, "A launch is a fresh pair of processes: %d bursts a side to warm up, then %s of %s each.",
		r.WarmUp, pairs(r), duration(r.Burst))
	say(r.Soak > 0 && p.Engine == study.EngineDuet, "The first launch has %s of each side at least. The long form has a stretch of %s of each side alone.", duration(r.Soak), duration(r.Stretch))
	say(len(r.Looks) > 0, "The launch is the unit of the statistics: Student's t over launches. The rule looks after %s, with a two-sided alpha of %s each%s; the first decision stands.",
		looksText(r.Looks), alphaText(r.Alpha), lateText(r))
	say(r.Screen > 0 && r.LayoutBound > 0, "After %s it already decides a difference beyond %s, with an alpha of %s.", plural(r.Screen, "launch", "launches"), factor(r.LayoutBound), alphaText(r.ScreenAlpha))
	for _, pace := range pacesOf(p) {
		say(true, "At %d operations a second a launch has %s of %s, and the rule looks after %s.",
			pace.Rate, plural(pace.Pairs(), "pair of windows", "pairs of windows"), duration(pace.Window), looksText(r.LongLooks))
	}
	say(r.Band > 0, "Changes within %s count as equal.", share(fromLog(r.Band)))
	say(r.MinCycles > 0, "A time that includes collections needs %d of them.", r.MinCycles)
	say(len(r.PaddedLooks) > 0, "A difference of time alone must also hold over padded builds of both sides: the same source with its functions laid out in another way. Each build has one launch; the rule looks after %s builds, with an alpha of %s each. A difference beyond %s needs no padded builds.",
		ranges(r.PaddedLooks), alphaText(r.PaddedAlpha), factor(r.LayoutBound))
	say(r.Clock != "" && r.Clock != "auto", "The user chose the %s clock.", r.Clock)
	return out
}

// looksText writes looks that follow each other at first and then spread.
func looksText(ns []int) string {
	if len(ns) == 0 {
		return "no launches"
	}
	dense := 1
	for dense < len(ns) && ns[dense] == ns[dense-1]+1 {
		dense++
	}
	if dense == 1 || dense == len(ns) {
		return ranges(ns) + " launches"
	}
	return fmt.Sprintf("each of %s launches, then at growing steps up to %d", ranges(ns[:dense]), ns[len(ns)-1])
}

// lateText is what looks at more launches have.
func lateText(r study.Rule) string {
	if r.LateAlpha == 0 || r.LateFrom == 0 || r.Looks[len(r.Looks)-1] <= r.LateFrom {
		return ""
	}
	return fmt.Sprintf(", %s beyond %d", alphaText(r.LateAlpha), r.LateFrom)
}

func alphaText(alpha float64) string { return strconv.FormatFloat(alpha, 'g', -1, 64) }

// factor renders a log ratio as "a factor of 2.5".
func factor(log float64) string {
	return "a factor of " + strconv.FormatFloat(math.Exp(log), 'g', 3, 64)
}

// pacesOf lists the rates of a plan.
func pacesOf(p study.Plan) []study.Pace {
	var paces []study.Pace
	for _, c := range p.Comparisons {
		if c.Pace != nil {
			paces = append(paces, *c.Pace)
		}
	}
	return unique(paces)
}

func pairs(r study.Rule) string {
	if r.PairsQuiet == 0 || r.PairsQuiet == r.Pairs {
		return plural(r.Pairs, "pair", "pairs")
	}
	return fmt.Sprintf("%d pairs of bursts (%d where nothing allocates)", r.Pairs, r.PairsQuiet)
}

// ranges writes rising numbers as "4-12, 16, 24".
func ranges(ns []int) string {
	var parts []string
	for i := 0; i < len(ns); {
		j := i
		for j+1 < len(ns) && ns[j+1] == ns[j]+1 {
			j++
		}
		switch {
		case j > i:
			parts = append(parts, fmt.Sprintf("%d-%d", ns[i], ns[j]))
		default:
			parts = append(parts, fmt.Sprint(ns[i]))
		}
		i = j + 1
	}
	return strings.Join(parts, ", ")
}
