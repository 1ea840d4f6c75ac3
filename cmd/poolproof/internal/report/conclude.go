package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Marks around the conclusion of a note, so that it can be brought up to date.
const (
	conclusionBegin = "<!-- conclusion -->"
	conclusionEnd   = "<!-- end of conclusion -->"
)

// Conclude says in a few sentences what a study found: what became of what was
// published, which arms pay and by how much, and what stays open. They are made of
// the verdicts, the claims and nothing else, so that no author's wish is in them.
// file may be younger than the result; "" means that nothing was compared.
func Conclude(file study.File, s study.Summary) string {
	if len(s.Comparisons) == 0 {
		return ""
	}
	parts := publishedParts(s.Claims)
	parts = append(parts, armParts(file, s.Comparisons)...)
	parts = append(parts, openParts(file, s.Comparisons, len(s.Claims))...)
	for i, p := range parts {
		parts[i] = strings.ToUpper(p[:1]) + p[1:] + "."
	}
	return strings.Join(parts, " ")
}

// mostStories is how many statements of a source are told with their figures;
// the others are counted.
const mostStories = 3

// story is what a source says of one figure of one arm: in several benchmarks
// or cells, perhaps.
type story struct {
	claims  []study.ClaimResult
	outcome study.Outcome
}

// stories groups the claims that end in one way, in the order of the file.
func stories(claims []study.ClaimResult) []story {
	var out []story
	for _, c := range claims {
		i := slices.IndexFunc(out, func(s story) bool {
			first := s.claims[0]
			return first.Arm == c.Arm && first.Metric == c.Metric && first.Isolated == c.Isolated && s.outcome == c.Outcome
		})
		if i < 0 {
			i = len(out)
			out = append(out, story{outcome: c.Outcome})
		}
		out[i].claims = append(out[i].claims, c)
	}
	return out
}

// publishedParts tells the first statement of the source and those of many
// claims, and counts the rest.
func publishedParts(claims []study.ClaimResult) []string {
	all := stories(claims)
	told := make([]bool, len(all))
	n := 0
	for i, s := range all {
		if i == 0 || n < mostStories && len(s.claims) > 2 {
			told[i] = true
			n++
		}
	}
	var parts []string
	rest := map[study.Outcome]int{}
	left := 0
	for i, s := range all {
		if told[i] {
			parts = append(parts, s.String())
			continue
		}
		rest[s.outcome] += len(s.claims)
		left += len(s.claims)
	}
	if left == 0 {
		return parts
	}
	return append(parts, furtherClaims(rest, left, n > 0))
}

// furtherClaims counts what is not told: "of 3 further published claims 2 are
// reproduced and 1 is the opposite here".
func furtherClaims(of map[study.Outcome]int, claims int, further bool) string {
	name := "published claim"
	if further {
		name = "further published claim"
	}
	var counts []string
	for _, o := range []struct {
		is        study.Outcome
		one, many string
	}{
		{study.Reproduced, "is reproduced", "are reproduced"},
		{study.OtherSize, "is true in direction but not in size", "are true in direction but not in size"},
		{study.Opposite, "is the opposite here", "are the opposite here"},
		{study.NotReproduced, "is not reproduced", "are not reproduced"},
		{study.NotJudgeable, "is not judgeable here", "are not judgeable here"},
	} {
		switch n := of[o.is]; {
		case n == 0:
		case n == claims:
			return plural(n, name, name+"s") + " " + oneOrMany(n, o.one, o.many)
		default:
			counts = append(counts, fmt.Sprintf("%d %s", n, oneOrMany(n, o.one, o.many)))
		}
	}
	return fmt.Sprintf("of %s %s", plural(claims, name, name+"s"), list(counts))
}

// oneOrMany chooses the form of a word.
func oneOrMany(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// String is `published: "a pool is 12 % slower", which is the opposite here:
// time -6.4 % [-7.7, -5.0]`.
func (s story) String() string {
	is := map[study.Outcome]string{
		study.Reproduced: "reproduced", study.OtherSize: "true in direction but not in size", study.Opposite: "the opposite here",
		study.NotReproduced: "not reproduced", study.NotJudgeable: "not judgeable here",
	}[s.outcome]
	first := s.claims[0]
	if first.Isolated {
		is += " (in isolation)"
	}
	if len(s.claims) == 1 {
		size := ""
		if first.Size != "" && !strings.Contains(first.Text, strings.Fields(first.Size)[0]) && !strings.Contains(first.Text, first.Published) {
			size = " (" + published(first) + ")"
		}
		return fmt.Sprintf("published: %q%s, which is %s: %s", strings.TrimSuffix(first.Text, "."), size, is, cellText(found(first)))
	}
	text := fmt.Sprintf("%d published claims on `%s` and its %s are %s", len(s.claims), first.Arm, first.Metric, is)
	said, here := s.spans()
	if said == "" || here == "" {
		return text
	}
	return fmt.Sprintf("%s: published %s, found %s", text, said, here)
}

// spans are the smallest and the largest size that was published, and that was
// found; "" where a claim has none, or where more was published of one and less
// of another.
func (s story) spans() (said, here string) {
	var was, is []float64
	for _, c := range s.claims {
		size, err := study.ParseSize(c.Size)
		if err != nil || size.Kind != study.SizePercent && size.Kind != study.SizeTimes {
			return "", ""
		}
		x, ok := ratioOf(c.Finding)
		if !ok {
			return "", ""
		}
		was, is = append(was, size.Value), append(is, x)
	}
	words := func(ratio float64) string { return claimRatio(s.claims[0], ratio) }
	return span(was, words), span(is, words)
}

// ratioOf is what the arm takes of what the baseline takes.
func ratioOf(f *study.ClaimFinding) (ratio float64, ok bool) {
	switch {
	case f == nil:
		return 0, false
	case f.Estimate != nil:
		return 1 + f.Estimate.Effect, true
	case f.Counter != nil && f.Counter.Baseline > 0 && f.Counter.Candidate > 0:
		return f.Counter.Candidate / f.Counter.Baseline, true
	}
	return 0, false
}

// span is "a" or "a to b", from the smallest to the largest; "1.8x to 2.1x more"
// where both are more.
func span(xs []float64, words func(float64) string) string {
	lo, hi := words(slices.Min(xs)), words(slices.Max(xs))
	if lo == hi {
		return lo
	}
	for _, direction := range []string{" more", " less"} {
		if strings.HasSuffix(hi, direction) {
			lo = strings.TrimSuffix(lo, direction)
		}
	}
	return lo + " to " + hi
}

// openParts says what the sentences before do not speak of.
func openParts(file study.File, comparisons []study.SummaryRow, claims int) []string {
	count := map[study.Verdict]int{}
	for _, c := range comparisons {
		count[c.Verdict]++
	}
	var open []string
	for _, v := range []struct {
		verdict   study.Verdict
		one, many string
	}{
		{study.Inconclusive, "is open", "are open"},
		{study.NotMeasured, "is not measured", "are not measured"},
		{study.Invalid, "is INVALID", "are INVALID"},
		{study.Unsafe, "is UNSAFE", "are UNSAFE"},
	} {
		switch n := count[v.verdict]; {
		case n == 0:
		case n == len(comparisons):
			open = append(open, oneOrMany(n, "the comparison "+v.one, fmt.Sprintf("all %d comparisons %s", n, v.many)))
		default:
			open = append(open, fmt.Sprintf("%d %s", n, oneOrMany(n, v.one, v.many)))
		}
	}
	var parts []string
	switch {
	case len(open) == 1 && len(count) == 1:
		if claims == 0 { // else the claims say so
			parts = open
		}
	case len(open) > 0:
		parts = append(parts, fmt.Sprintf("of %d comparisons %s", len(comparisons), list(open)))
	}
	if later := younger(file, comparisons); len(later) > 0 {
		parts = append(parts, "this measurement is older than "+list(later)+" of the study file")
	}
	return parts
}

// younger lists the arms and benchmarks of a study file that a result does not
// have.
func younger(file study.File, comparisons []study.SummaryRow) []string {
	var arms, benchmarks []string
	for _, a := range file.Arms {
		if a.Name != file.Baseline && !slices.ContainsFunc(comparisons, func(c study.SummaryRow) bool { return c.Arm == a.Name }) {
			arms = append(arms, "`"+a.Name+"`")
		}
	}
	for _, b := range file.Benchmarks {
		if !slices.ContainsFunc(comparisons, func(c study.SummaryRow) bool { return c.Benchmark == b.Name }) {
			benchmarks = append(benchmarks, "`"+b.Name+"`")
		}
	}
	var out []string
	if len(arms) > 0 {
		out = append(out, oneOrMany(len(arms), "the arm ", "the arms ")+list(arms))
	}
	if len(benchmarks) > 0 {
		out = append(out, oneOrMany(len(benchmarks), "the benchmark ", "the benchmarks ")+list(benchmarks))
	}
	return out
}

// list is "a", "a and b" or "a, b and c".
func list(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	last := len(parts) - 1
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}

// conclusion writes the sentences with which a note begins.
func (n *note) conclusion() {
	if n.v.Plan.Kind == study.KindAA {
		return
	}
	file := n.study
	if n.v.Plan.Study == nil {
		for _, c := range n.v.Plan.Comparisons {
			file.Benchmarks = append(file.Benchmarks, study.Benchmark{Name: c.Benchmark, Isolated: c.Isolated})
		}
	}
	if text := Conclude(file, study.Summarise(n.v)); text != "" {
		n.printf("%s", conclusionSection(text))
	}
}

func conclusionSection(text string) string {
	return conclusionBegin + "\n\n" + text + "\n\n" + conclusionEnd + "\n"
}

// UpdateConclusion replaces the sentences with which a note begins, or puts them
// below the title of a note that has none.
func UpdateConclusion(note, text string) string {
	if text == "" {
		return note
	}
	section := conclusionSection(text)
	if from := strings.Index(note, conclusionBegin); from >= 0 {
		if length := strings.Index(note[from:], conclusionEnd); length >= 0 {
			return note[:from] + strings.TrimSuffix(section, "\n") + note[from+length+len(conclusionEnd):]
		}
	}
	if title, rest, ok := strings.Cut(note, "\n\n"); ok && strings.HasPrefix(title, "# ") {
		return title + "\n\n" + section + "\n" + rest
	}
	return note
}
