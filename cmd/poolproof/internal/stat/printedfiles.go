package stat

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// JudgePrinted judges each benchmark of two Go benchmark files; see [Printed].
// Benchmarks that one file does not have are not measured. An error says that
// the files cannot be compared: they are of different systems, or have no
// benchmark in common. q has the thresholds.
func JudgePrinted(baseline, candidate study.PrintedFile, q study.Question) (study.VerdictFile, error) {
	files := [2]study.PrintedFile{baseline, candidate}
	if a, b := baseline.Systems, candidate.Systems; len(a) > 0 && len(b) > 0 && !slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))) {
		return study.VerdictFile{}, fmt.Errorf("%s is of %s, %s of %s: benchmarks of different systems are not compared",
			baseline.Name, strings.Join(a, " and "), candidate.Name, strings.Join(b, " and "))
	}
	rule := DefaultRule()
	rule.BytesShare, rule.AllocsShare = q.Bytes, q.Allocs
	if q.Threshold > 0 {
		rule.Band = math.Log1p(q.Threshold)
	}
	labels := labelsOf(files)
	v := study.VerdictFile{Schema: study.Schema, Judged: Version, Plan: study.Plan{
		Schema: study.Schema, Kind: study.KindFiles, Engine: study.EnginePrinted, Rule: rule,
		Title: labels[1] + " against " + labels[0] + ", as go test printed them",
		Env:   []string{}, Binaries: []study.Binary{}, Command: []string{"poolproof", "try", "-judge", baseline.Name, candidate.Name},
	}}
	if len(candidate.CPUs) == 1 {
		v.Plan.Machine.CPU = candidate.CPUs[0]
	}
	if len(candidate.Systems) == 1 {
		v.Plan.Machine.OS, v.Plan.Machine.Arch, _ = strings.Cut(candidate.Systems[0], "/")
	}
	away, several := elsewhere(files, labels), severalPackages(files)
	both := false
	for side, file := range files {
		for _, p := range file.Benchmarks {
			other := sameBenchmark(files[1-side].Benchmarks, p)
			if side == 1 && other != nil {
				continue // with the baseline's
			}
			c := study.Comparison{ID: p.Package + "." + p.Name, Benchmark: p.Name, Arm: labels[1], Baseline: labels[0]}
			if several && p.Package != "" {
				c.Benchmark = path.Base(p.Package) + "." + p.Name
			}
			var res study.Result
			if other == nil {
				c.Skipped = onlyIn(labels[side], files[1-side], labels[1-side], p)
				res = study.Result{Verdict: study.NotMeasured, Foreign: -1, Reasons: study.Said(c.Skipped)}
			} else {
				both = true
				res = Printed(rule, p, *other, away)
			}
			res.Comparison, res.Benchmark, res.Arm, res.Baseline = c.ID, c.Benchmark, c.Arm, c.Baseline
			v.Launches += res.Launches
			v.Plan.Comparisons, v.Results = append(v.Plan.Comparisons, c), append(v.Results, res)
		}
	}
	if !both {
		return v, fmt.Errorf("%s (%s) and %s (%s) have no benchmark in common", baseline.Name, packagesOf(baseline), candidate.Name, packagesOf(candidate))
	}
	v.Digest = v.Plan.Digest()
	return v, nil
}

// labelsOf are the names of the files, as short as they differ.
func labelsOf(files [2]study.PrintedFile) [2]string {
	labels := [2]string{filepath.Base(files[0].Name), filepath.Base(files[1].Name)}
	if labels[0] == labels[1] {
		return [2]string{files[0].Name, files[1].Name}
	}
	return labels
}

// elsewhere says in what the machines of the files differ; "" where they are not known
// to differ.
func elsewhere(files [2]study.PrintedFile, labels [2]string) string {
	for i, f := range files {
		if len(f.CPUs) > 1 {
			return fmt.Sprintf("%s has lines of %d processors: %s", labels[i], len(f.CPUs), strings.Join(f.CPUs, ", "))
		}
	}
	if a, b := files[0].CPUs, files[1].CPUs; len(a) == 1 && len(b) == 1 && a[0] != b[0] {
		return fmt.Sprintf("%s is of %s, %s of %s", labels[0], a[0], labels[1], b[0])
	}
	return ""
}

// packagesOf names the packages of a file.
func packagesOf(f study.PrintedFile) string {
	var names []string
	for _, p := range f.Benchmarks {
		if name := cmp.Or(p.Package, "no package"); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

func severalPackages(files [2]study.PrintedFile) bool {
	first := files[0].Benchmarks[0].Package
	return slices.ContainsFunc(slices.Concat(files[0].Benchmarks, files[1].Benchmarks), func(p study.Printed) bool { return p.Package != first })
}

// sameBenchmark is that of a list, nil if there is none. A file without its heads
// names no package.
func sameBenchmark(list []study.Printed, p study.Printed) *study.Printed {
	i := slices.IndexFunc(list, func(o study.Printed) bool {
		return o.Name == p.Name && (o.Package == p.Package || o.Package == "" || p.Package == "")
	})
	if i < 0 {
		return nil
	}
	return &list[i]
}

// onlyIn says that the other file does not have a benchmark, or has it with another
// number of processors.
func onlyIn(label string, other study.PrintedFile, otherLabel string, p study.Printed) string {
	for _, o := range other.Benchmarks {
		if o.Package == p.Package && withoutProcs(o.Name) == withoutProcs(p.Name) {
			return fmt.Sprintf("only in %s; %s has %s, with another GOMAXPROCS", label, otherLabel, o.Name)
		}
	}
	return "only in " + label
}

// withoutProcs is a printed name without the number of processors.
func withoutProcs(name string) string {
	i := strings.LastIndexByte(name, '-')
	if i < 0 || strings.Trim(name[i+1:], "0123456789") != "" {
		return name
	}
	return name[:i]
}
