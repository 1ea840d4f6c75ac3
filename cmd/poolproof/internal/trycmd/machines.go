package trycmd

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/cli"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/term"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// recorded says what -record did. What is wrong with benchmarks is an error here too.
func recorded(o experiment.Options, out experiment.Outcome) int {
	which := "this machine"
	if o.Shard != nil {
		which = "shard " + o.Shard.String()
	}
	fmt.Printf("%s: %s recorded in %s; judge the folders of all machines together: poolproof try -judge DIR...\n", which, words.Plural(len(out.Records), "launch is", "launches are"), o.Out)
	code := exitcode.OK
	for _, r := range out.Verdict.Results {
		if r.Failed != nil {
			code = exitcode.Build
		}
	}
	if len(out.Verdict.Plan.Failed) > 0 {
		code = exitcode.Build
	}
	return code
}

// several reports whether -judge is about several machines: it names several folders, or one
// that has no plan itself and holds folders that do.
func (f *tryFlags) several() bool {
	return len(f.args) > 0 || !build.Exists(filepath.Join(f.judge, study.PlanName)) && len(runsIn(f.judge)) > 0
}

// runsIn lists the folders with a plan in a folder, and in those within.
func runsIn(dir string) (dirs []string) {
	for _, pattern := range []string{"*", filepath.Join("*", "*")} {
		names, _ := filepath.Glob(filepath.Join(dir, pattern, study.PlanName))
		for _, name := range names {
			if filepath.Base(filepath.Dir(name)) != "previous" {
				dirs = append(dirs, filepath.Dir(name))
			}
		}
	}
	return dirs
}

// tryMachines judges what several machines recorded.
func tryMachines(f *tryFlags) (int, error) {
	var runs []study.Recorded
	for _, arg := range append([]string{f.judge}, f.args...) {
		dirs := []string{arg}
		if !build.Exists(filepath.Join(arg, study.PlanName)) {
			if dirs = runsIn(arg); len(dirs) == 0 {
				return exitcode.Usage, fault.Option("judge", arg, "neither it nor the folders in it hold a %s", study.PlanName)
			}
		}
		for _, dir := range dirs {
			r, err := readRecorded(dir)
			if err != nil {
				return exitcode.Usage, fault.Option("judge", dir, "%w", err)
			}
			runs = append(runs, r)
		}
	}
	v, err := stat.JudgeMachines(runs)
	if err != nil {
		return exitcode.Usage, fault.Option("judge", "", "%w", err)
	}
	for _, missing := range missingShards(runs) {
		cli.Complain(fmt.Errorf("shard %s is missing", missing))
	}
	if f.json {
		return codeOf(v, f.strict), study.Encode(os.Stdout, v)
	}
	fmt.Printf("%s\n\n", cmp.Or(v.Plan.Title, v.Plan.Package))
	return codeOf(v, f.strict), term.Table(os.Stdout, v, columns())
}

// readRecorded reads what one machine recorded.
func readRecorded(dir string) (r study.Recorded, err error) {
	r.Dir = dir
	if r.Plan, err = study.ReadPlan(filepath.Join(dir, study.PlanName)); err != nil {
		return r, err
	}
	file, err := os.Open(filepath.Join(dir, study.RecordsName))
	if err != nil {
		return r, err
	}
	defer file.Close()
	var notice string
	if r.Records, notice, err = study.ReadRecords(file, file.Name()); notice != "" {
		cli.Complain(fmt.Errorf("%s", notice))
	}
	return r, err
}

// missingShards lists the shards that are not there.
func missingShards(runs []study.Recorded) (missing []study.Shard) {
	have, of := map[int]bool{}, 0
	for _, r := range runs {
		if s := r.Plan.Shard; s != nil {
			have[s.Index], of = true, s.Of
		}
	}
	for i := 1; i <= of; i++ {
		if !have[i] {
			missing = append(missing, study.Shard{Index: i, Of: of})
		}
	}
	return missing
}
