package stat_test

import (
	"fmt"
	"log"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// An experiment is a loop: judge what there is, record the launch that the
// rule wants, until it wants none. Here the arm takes 700 ns where the
// baseline takes 1000, and allocates nothing.
func ExampleJudgeOne() {
	plan := study.Plan{
		Schema:      study.Schema,
		Toolchain:   "go1.26.8 linux/amd64",
		Engine:      study.EngineDuet,
		Rule:        stat.DefaultRule(),
		Comparisons: []study.Comparison{{ID: "parse", Falls: []string{"allocs/op"}}},
	}
	var records []study.Record
	for {
		result, err := stat.JudgeOne(plan, "parse", records)
		if err != nil {
			log.Fatal(err)
		}
		if result.Want == nil {
			fmt.Println(result.Verdict, "after", result.Launches, "launches")
			for _, reason := range words.Reasons(result) {
				fmt.Println("-", reason)
			}
			return
		}
		records = append(records, launch(plan, *result.Want))
	}
	// Output:
	// POSITIVE after 12 launches
	// - time falls: -30.0 % (-30.0 % to -30.0 %; T wall, 8 launches)
	// - B/op falls from 64 to 0 (-100.0 %), allocs/op falls from 1 to 0 (-100.0 %)
	// - only 0 and 0 collections were seen, but the side that takes less time makes less garbage too
	// - 8 padded builds confirm it: as built it is -30.0 % (-30.0 % to -30.0 %)
}

// launch stands for the measurement.
func launch(plan study.Plan, w study.Want) study.Record {
	r := study.Record{
		Schema: study.Schema, Plan: plan.Digest(), Comparison: "parse", Form: w.Form, Layout: w.Layout, Launch: w.Launch,
		Status: study.StatusOK, Seconds: 0.5, Machine: "here", Go: "go1.26.8", N: 1000,
	}
	for range 10 {
		r.Baseline.Wall, r.Candidate.Wall = append(r.Baseline.Wall, 1_000_000), append(r.Candidate.Wall, 700_000)
		r.Baseline.Allocs, r.Candidate.Allocs = append(r.Baseline.Allocs, 1000), append(r.Candidate.Allocs, 0)
		r.Baseline.Bytes, r.Candidate.Bytes = append(r.Baseline.Bytes, 64_000), append(r.Candidate.Bytes, 0)
	}
	return r
}
