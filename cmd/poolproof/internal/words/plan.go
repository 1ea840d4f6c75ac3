package words

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// CommandLine writes arguments as a shell reads them. The first is the
// program where the plan names it.
func CommandLine(args []string) string {
	if len(args) == 0 || args[0] != "poolproof" {
		args = slices.Concat([]string{"poolproof"}, args)
	}
	quoted := make([]string, len(args))
	for i, a := range args {
		quoted[i] = shellQuote(a)
	}
	return strings.Join(quoted, " ")
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

func shellQuote(arg string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=,:%+@", r)
	}
	if arg != "" && strings.IndexFunc(arg, func(r rune) bool { return !plain(r) }) < 0 {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
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

// RuleText states the numbers of the rule that judged.
func RuleText(v study.VerdictFile) []string {
	if v.Method != "" {
		return []string{v.Method}
	}
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
		r.WarmUp, pairs(r), Duration(r.Burst))
	say(r.Soak > 0 && p.Engine == study.EngineDuet, "The first launch has %s of each side at least. The long form has a stretch of %s of each side alone.", Duration(r.Soak), Duration(r.Stretch))
	say(len(r.Looks) > 0, "The launch is the unit of the statistics: Student's t over launches. The rule looks after %s, with a two-sided alpha of %s each%s; the first decision stands.",
		looksText(r.Looks), alphaText(r.Alpha), lateText(r))
	say(r.Screen > 0 && r.LayoutBound > 0, "After %s it already decides a difference beyond %s, with an alpha of %s.", Plural(r.Screen, "launch", "launches"), factor(r.LayoutBound), alphaText(r.ScreenAlpha))
	for _, pace := range pacesOf(p) {
		say(true, "At %d operations a second a launch has %s of %s, and the rule looks after %s.",
			pace.Rate, Plural(pace.Pairs(), "pair of windows", "pairs of windows"), Duration(pace.Window), looksText(r.LongLooks))
	}
	say(r.Band > 0, "Changes within %s count as equal.", share(math.Expm1(r.Band)))
	say(r.BytesShare > 0, "B/op that differ by less than %s count as equal.", share(r.BytesShare))
	say(r.AllocsShare > 0, "allocs/op that differ by less than %s count as equal.", share(r.AllocsShare))
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

// lateText describes the looks that need more launches.
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
	return Unique(paces)
}

func pairs(r study.Rule) string {
	if r.PairsQuiet == 0 || r.PairsQuiet == r.Pairs {
		return Plural(r.Pairs, "pair", "pairs")
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
