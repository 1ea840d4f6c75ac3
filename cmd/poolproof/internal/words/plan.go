package words

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"al.essio.dev/pkg/shellescape"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// CommandLine writes arguments as a shell reads them. The first is the
// program where the plan names it.
func CommandLine(args []string) string {
	if len(args) == 0 || args[0] != "poolproof" {
		args = slices.Concat([]string{"poolproof"}, args)
	}
	return shellescape.QuoteCommand(args)
}

// Again is the command that asks a plan's question again, with the budget that was
// spent on it: a run that was resumed with more has the budget of its beginning in
// its command.
func Again(p study.Plan) string {
	args := slices.Clone(p.Command)
	for i := 1; i < len(args); i++ {
		if began, err := time.ParseDuration(args[i]); args[i-1] == "-budget" && err == nil && p.Budget > study.Duration(began) {
			args[i] = time.Duration(p.Budget).String()
		}
	}
	return CommandLine(args)
}

// Revision names the revision of a plan, and says where the files differed from it.
func Revision(p study.Plan) string {
	if p.Revision != "" && p.Dirty {
		return p.Revision + " with local changes"
	}
	return p.Revision
}

// Machine describes a computer in one line.
func Machine(m study.Machine) string {
	return Known(m.CPU, Cores(m.Cores), strings.Trim(m.OS+"/"+m.Arch, "/"), after("kernel ", m.Kernel), after("limits: ", m.Limits))
}

// Known lists what is known of several things.
func Known(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
}

// after is a value after a word; "" if there is none.
func after(word, value string) string {
	if value == "" {
		return ""
	}
	return word + value
}

// Cores counts them; "" for none.
func Cores(n int) string {
	if n == 0 {
		return ""
	}
	return Plural(n, "core", "cores")
}

// CellsOf lists the cells, none if there is only the environment as it is.
func CellsOf[T any](list []T, cell func(T) []string) []string {
	var cells []string
	for _, x := range list {
		if c := cell(x); len(c) > 0 {
			cells = append(cells, strings.Join(c, " "))
		}
	}
	return Unique(cells)
}

// Engine describes the way of measuring.
func Engine(p study.Plan) string {
	s := string(p.Engine)
	switch p.Engine {
	case study.EngineDuet:
		s = "duet: short bursts of two live processes in turn; a coin decides which side goes first"
	case study.EnginePrinted:
		s = "printed lines: go test ran one side after the other, or nobody knows how"
	case study.EnginePairs:
		s = "interleaved processes: one process a burst, in pairs of random order, with a larger error than a duet's"
	}
	if p.EngineNote != "" {
		s += "; " + p.EngineNote
	}
	return s
}

// RuleText says where the rule that judged is described, and what of it the user chose
// or the plan sets for itself.
func RuleText(v study.VerdictFile) []string {
	if v.Method != "" {
		return []string{v.Method}
	}
	r := v.Plan.Rule
	if v.Rule != nil {
		r = *v.Rule
	}
	out := []string{"How launches become a verdict: docs/verdicts.md of poolproof; the plan has every number of the rule."}
	say := func(ok bool, format string, args ...any) {
		if ok {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	for _, pace := range pacesOf(v.Plan) {
		say(true, "At %d operations a second a launch has %s of %s.", pace.Rate, Plural(pace.Pairs(), "pair of windows", "pairs of windows"), Duration(pace.Window))
	}
	say(r.Band > 0, "Changes within %s count as equal.", share(math.Expm1(r.Band)))
	say(r.BytesShare > 0, "B/op that differ by less than %s count as equal.", share(r.BytesShare))
	say(r.AllocsShare > 0, "allocs/op that differ by less than %s count as equal.", share(r.AllocsShare))
	say(r.Clock != "" && r.Clock != "auto", "The user chose the %s clock.", r.Clock)
	return out
}

// pacesOf lists the rates of a plan.
func pacesOf(p study.Plan) []study.Pace {
	var paces []study.Pace
	for _, c := range p.Comparisons {
		if c.Pace != nil {
			paces = append(paces, *c.Pace)
		}
	}
	return Unique(paces)
}

// Binaries describes the plain binaries of a plan that has several, each with
// what sets it apart; "" for a plan with one.
func Binaries(p study.Plan) string {
	var parts []string
	for _, b := range p.Binaries {
		if b.Layout > 0 {
			continue
		}
		name := b.ID
		if apart := Known(after("module ", b.Module), after("tags ", b.Tags), b.Toolchain); apart != "" {
			name += " (" + apart + ")"
		}
		parts = append(parts, name)
	}
	if len(parts) < 2 {
		return ""
	}
	return strings.Join(parts, "; ")
}
