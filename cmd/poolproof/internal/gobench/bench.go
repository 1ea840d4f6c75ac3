// Package gobench writes a run in the Go benchmark format, for benchstat and other
// programs, and reads files of that format.
package gobench

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
	"golang.org/x/perf/benchfmt"
)

// Write writes the launches in the Go benchmark format, which benchstat
// reads: a line a launch and side, for the launch is the unit of the
// statistics; its bursts are not independent. The key arm names the side, so
//
//	benchstat -col /arm bench.txt
//
// compares arms. Each arm has a configuration of its own, compare, so that
// benchstat sets it against those launches of the baseline that ran beside it,
// and each cell has one too. Launches on padded
// builds, failed launches, and launches of another form than the deciding one
// are left out, as are the times of INVALID comparisons and everything of
// UNSAFE and unmeasured ones. A record of another plan is an error.
//
// benchstat does not know that launches come in pairs, so its intervals are
// wider than those of the verdict.
func Write(w io.Writer, v study.VerdictFile, rs []study.Record) error {
	out := benchfmt.NewWriter(w)
	facts := [][3]string{{"B/op", "assume", "exact"}, {"allocs/op", "assume", "exact"}}
	for _, m := range words.FileOf(v).Metrics { // the figures that the study judges
		facts = append(facts, [3]string{m.Unit, "better", m.Better})
		if m.Exact {
			facts = append(facts, [3]string{m.Unit, "assume", "exact"})
		}
	}
	for _, f := range facts {
		if err := out.Write(&benchfmt.UnitMetadata{UnitMetadataKey: benchfmt.UnitMetadataKey{Unit: f[0], Key: f[1]}, OrigUnit: f[0], Value: f[2]}); err != nil {
			return err
		}
	}
	for _, r := range rs {
		if r.Plan != v.Digest {
			return fmt.Errorf("record %s %s %d is of plan %s, the verdict of plan %s", r.Comparison, r.Form, r.Launch, r.Plan, v.Digest)
		}
	}
	for _, r := range words.Rows(v) {
		if !r.Counted() {
			continue
		}
		for _, rec := range launchesOf(r, rs) {
			for _, side := range sidesOf(r, rec) {
				if err := out.Write(&benchfmt.Result{
					Config: config(v.Plan, r),
					Name:   benchfmt.Name(benchName(v.Plan, r, side.label, procs(v.Plan, r.Cell))),
					Iters:  side.n * side.Len(),
					Values: side.values(r, side.n),
				}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// launchesOf are the records that the verdict's estimate is made of, in order:
// those that have times, or, where no time means anything, those of the
// plain builds.
func launchesOf(r words.Row, rs []study.Record) []study.Record {
	var out []study.Record
	for _, rec := range rs {
		if rec.Comparison != r.Comparison || rec.Status != study.StatusOK || rec.Baseline.Len() == 0 || rec.Candidate.Len() == 0 {
			continue
		}
		_, counts := launchTimes(r, rec)
		if !r.Timed() {
			counts = rec.Layout == 0 && (rec.Form == study.FormBursts || rec.Form == study.FormPairs || rec.Form == study.FormRate)
		}
		if counts {
			out = append(out, rec)
		}
	}
	slices.SortStableFunc(out, compareLaunches)
	return slices.CompactFunc(out, func(a, b study.Record) bool { return compareLaunches(a, b) == 0 })
}

func compareLaunches(a, b study.Record) int {
	return cmp.Or(cmp.Compare(a.Launch, b.Launch), cmp.Compare(a.Layout, b.Layout))
}

// launchTimes are those of a launch.
func launchTimes(r words.Row, rec study.Record) (t study.LaunchTimes, ok bool) {
	i := slices.IndexFunc(r.Times, func(t study.LaunchTimes) bool {
		return t.Form == rec.Form && t.Layout == rec.Layout && t.Launch == rec.Launch
	})
	if i < 0 {
		return t, false
	}
	return r.Times[i], true
}

// side holds the measurements of one side of a launch.
type side struct {
	study.Columns
	n         int // operations a burst
	label     string
	wall, cpu float64 // nanoseconds an operation; 0: not known
}

func sidesOf(r words.Row, rec study.Record) [2]side {
	baseline, candidate := labelsOf(r)
	t, _ := launchTimes(r, rec)
	return [2]side{{rec.Baseline, rec.Ops(study.Baseline), baseline, t.Wall[0], t.CPU[0]}, {rec.Candidate, rec.Ops(study.Candidate), candidate, t.Wall[1], t.CPU[1]}}
}

// labelsOf name the two sides.
func labelsOf(r words.Row) (baseline, candidate string) {
	if r.Baseline == r.Arm { // an A/A run
		return "A", "B"
	}
	return r.Baseline, r.Arm
}

func config(p study.Plan, r words.Row) []benchfmt.Config {
	var out []benchfmt.Config
	baseline, candidate := labelsOf(r)
	for _, c := range []struct{ key, value string }{
		{"goos", p.Machine.OS}, {"goarch", p.Machine.Arch}, {"pkg", p.Package}, {"cpu", p.Machine.CPU},
		{"toolchain", p.Toolchain}, {"compare", candidate + " against " + baseline}, {"cell", r.CellName()},
	} {
		if c.value != "" {
			out = append(out, benchfmt.Config{Key: c.key, Value: []byte(c.value), File: true})
		}
	}
	return out
}

// benchName is the benchmark's name with the arm as a part of its own in place
// of the part in which the two sides differ.
func benchName(p study.Plan, r words.Row, label string, procs int) string {
	baseline, candidate := strings.Split(r.Plan.BaselineBench.Leaf, "/"), strings.Split(r.Plan.CandidateBench.Leaf, "/")
	var parts []string
	for i := range min(len(baseline), len(candidate)) {
		if baseline[i] == candidate[i] {
			parts = append(parts, baseline[i])
		}
	}
	name := strings.TrimPrefix(strings.Join(parts, "/"), "Benchmark")
	label = strings.Join(strings.Fields(strings.ReplaceAll(label, "/", "_")), "_")
	name += "/" + keyOf(r, p) + "=" + label
	// testing leaves out -1. Here it must stand if the label ends like a
	// number of processors.
	if i := strings.LastIndexByte(label, '-'); procs > 1 || procs == 1 && i >= 0 && strings.Trim(label[i+1:], "0123456789") == "" {
		name += "-" + strconv.Itoa(procs)
	}
	return name
}

// keyOf names the part of a benchmark's name in which the sides differ, as the
// user does: "way" of way=pool.
func keyOf(r words.Row, p study.Plan) string {
	switch {
	case p.Question.Key != "":
		return p.Question.Key
	case p.Study != nil && p.Study.Key != "":
		return p.Study.Key
	}
	baseline, candidate := strings.Split(r.Plan.BaselineBench.Leaf, "/"), strings.Split(r.Plan.CandidateBench.Leaf, "/")
	for i := range min(len(baseline), len(candidate)) {
		key, _, ok := strings.Cut(candidate[i], "=")
		if ok && baseline[i] != candidate[i] && strings.HasPrefix(baseline[i], key+"=") {
			return key
		}
	}
	return "arm" // -base and -aa: the sides have one name
}

// procs is the GOMAXPROCS of a cell; 0 if it is not known.
func procs(p study.Plan, cell []string) int {
	for _, env := range [][]string{cell, p.Env} {
		for _, e := range env {
			if s, ok := strings.CutPrefix(e, "GOMAXPROCS="); ok {
				if n, err := strconv.Atoi(s); err == nil && n > 0 {
					return n
				}
			}
		}
	}
	return p.Machine.Cores
}

// values are the launch's figures per operation.
func (s side) values(r words.Row, n int) []benchfmt.Value {
	var out []benchfmt.Value
	add := func(x float64, unit string) { out = append(out, benchfmt.Value{Value: x, Unit: unit}) }
	if r.Timed() {
		if r.Paced == nil { // or it is the pace
			add(digits(s.wall, 6), "ns/op")
		}
		if s.cpu > 0 {
			add(digits(s.cpu, 6), "cpu-ns/op")
		}
	}
	if len(s.Bytes) > 0 {
		add(exact(s.Bytes, n), "B/op")
	}
	if len(s.Allocs) > 0 {
		add(exact(s.Allocs, n), "allocs/op")
	}
	if len(s.GCs) > 0 {
		add(digits(sum(s.GCs)/float64(n*s.Len()), 4), "gc/op")
	}
	if r.Timed() {
		for _, unit := range slices.Sorted(maps.Keys(s.Extra)) {
			if !slices.ContainsFunc(out, func(v benchfmt.Value) bool { return v.Unit == unit }) {
				add(digits(s.Extra[unit], 6), unit)
			}
		}
	}
	return out
}

func sum[T int64 | uint64 | uint32](xs []T) float64 {
	var t float64
	for _, x := range xs {
		t += float64(x)
	}
	return t
}

// exact is a counter per operation: the integer to which every burst rounds,
// or else the mean to two digits after the point.
func exact(xs []uint64, n int) float64 {
	first := math.Round(float64(xs[0]) / float64(n))
	for _, x := range xs {
		if math.Round(float64(x)/float64(n)) != first {
			return math.Round(100*sum(xs)/float64(n*len(xs))) / 100
		}
	}
	return first
}

// digits rounds to a number of significant digits.
func digits(x float64, n int) float64 {
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', n, 64), 64)
	if err != nil { // what FormatFloat writes can be parsed
		panic(err)
	}
	return y
}
