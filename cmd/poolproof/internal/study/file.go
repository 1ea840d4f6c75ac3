package study

// File is a study file, study.toml: a question about memory reuse, the arms
// that answer it, and what was published. Read fills it; every field is
// checked there.
type File struct {
	Path       string      `toml:"-" json:"path"` // of the file, relative to the working directory
	Title      string      `toml:"title" json:"title"`
	Date       string      `toml:"date" json:"date,omitempty"` // of the study's design, YYYY-MM-DD
	Question   string      `toml:"question" json:"question"`
	Hypothesis string      `toml:"hypothesis" json:"hypothesis"`         // as published
	Source     string      `toml:"source" json:"source"`                 // where it was published
	Package    string      `toml:"package" json:"package"`               // directory relative to the study file; "." if empty
	Tags       string      `toml:"tags" json:"tags,omitempty"`           // build tags
	Key        string      `toml:"key" json:"key"`                       // arms are KEY=value parts of benchmark names
	Baseline   string      `toml:"baseline" json:"baseline"`             // name of the arm that the others are compared with
	Threshold  string      `toml:"threshold" json:"threshold,omitempty"` // practical equality, as "2%"; empty: the default
	Matrix     string      `toml:"matrix" json:"matrix,omitempty"`       // cells, as "GOGC=100,25 GOMAXPROCS=1,2"; empty: the environment as it is
	Env        []string    `toml:"env" json:"env,omitempty"`             // variables of the package's own that a matrix may set, beside those of the Go runtime
	Agree      string      `toml:"agree" json:"agree,omitempty"`         // a test that every binary must pass before anything is timed
	Benchmarks []Benchmark `toml:"benchmark" json:"benchmarks"`
	Arms       []Arm       `toml:"arm" json:"arms"` // in the order in which a small budget is spent; without the baseline's own claims
	Metrics    []Metric    `toml:"metric" json:"metrics,omitempty"`
	Claims     []Claim     `toml:"claim" json:"claims,omitempty"`
	Prose      Prose       `toml:"prose" json:"prose"`
}

// Benchmark is one benchmark of a study, which every arm runs.
type Benchmark struct {
	Name     string   `toml:"name" json:"name"`   // label, as "pipeline"
	Bench    string   `toml:"bench" json:"bench"` // full name without the KEY=value part, as "BenchmarkPipeline/fan=5"
	Title    string   `toml:"title" json:"title,omitempty"`
	Isolated bool     `toml:"isolated" json:"isolated,omitempty"` // the code under study is all that it does: never decides alone
	Skip     []string `toml:"skip" json:"skip,omitempty"`         // arms that this benchmark does not have
	Arms     []string `toml:"arms" json:"-"`                      // the only ones that it has beside the baseline; a reader has turned them into Skip
	Matrix   string   `toml:"matrix" json:"matrix,omitempty"`     // in place of the study's; NoMatrix: the environment as it is
	Cells    []string `toml:"cells" json:"cells,omitempty"`       // cells, or parts of them, that come first in this order; the others are late
	Late     bool     `toml:"late" json:"late,omitempty"`         // measured when all that is not late is decided
	Rate     int      `toml:"rate" json:"rate,omitempty"`         // operations a second, paced; 0: as fast as they go
	Window   string   `toml:"window" json:"window,omitempty"`     // length of a burst with a rate, as "5s"; empty: DefaultWindow
}

// Arm is one way of doing the work.
type Arm struct {
	Name      string               `toml:"name" json:"name"` // the value of KEY
	Title     string               `toml:"title" json:"title"`
	Falls     []string             `toml:"falls" json:"falls,omitempty"`                     // exact counters that must fall: "B/op", "allocs/op"
	Rises     []string             `toml:"rises" json:"rises,omitempty"`                     // exact counters that must rise
	Allocates int                  `toml:"allocates" json:"allocates,omitempty"`             // must allocate at least this often an operation (the baseline, usually)
	Reaches   []string             `toml:"reaches" json:"reaches,omitempty"`                 // functions that must run in each operation, as "Pool.Run" or "makeSlice"
	Tags      string               `toml:"tags" json:"tags,omitempty"`                       // build tags beside the study's: the arm has a binary of its own
	Module    string               `toml:"module" json:"module,omitempty"`                   // directory of the arm's package in another module, relative to the study file: a binary of its own
	Optional  string               `toml:"optional" json:"optional,omitempty"`               // what the arm needs; where its binary cannot be built, the arm is left out
	Expect    map[string][]Verdict `toml:"expect" json:"expect,omitempty"`                   // by benchmark name, or by name and cell: "pipeline GOGC=25"
	Before    map[string][]Verdict `toml:"expected_before" json:"expected_before,omitempty"` // what Expect held until a measurement was seen, where it was changed then
}

// Metric is a figure that benchmarks report by testing.B.ReportMetric and that
// the study judges.
type Metric struct {
	Unit    string `toml:"unit" json:"unit"`     // as given to ReportMetric, as "made/op"
	Better  string `toml:"better" json:"better"` // "lower" or "higher"
	Title   string `toml:"title" json:"title,omitempty"`
	Exact   bool   `toml:"exact" json:"exact,omitempty"`     // a count: compared as allocations are, without an interval
	Decides bool   `toml:"decides" json:"decides,omitempty"` // has a say in the verdict, beside memory
}

// Claim is a published statement that the study checks.
type Claim struct {
	Text      string `toml:"text" json:"text"`
	Arm       string `toml:"arm" json:"arm"`
	Benchmark string `toml:"benchmark" json:"benchmark"`           // name
	Cell      string `toml:"cell" json:"cell,omitempty"`           // as "GOGC=25"; empty: the first cell that the benchmark has
	Beside    string `toml:"beside" json:"beside,omitempty"`       // a cell: the claim is then how many times the ratio of Cell is that of Beside; empty: none
	Metric    string `toml:"metric" json:"metric"`                 // "time", "cpu", "B/op", "allocs/op", or the unit of a Metric
	Class     Class  `toml:"class" json:"class"`                   // what the claim says of it: better, same or worse
	Published string `toml:"published" json:"published,omitempty"` // the figure as published, as "78 times as fast (8.2 ns, 641.9 ns)"
	Size      string `toml:"size" json:"size,omitempty"`           // what was published as a number of the metric, in one of the SizeForms; empty: the source has none
	NoSize    string `toml:"no_size" json:"no_size,omitempty"`     // why the source has no size; empty: not said
	Within    string `toml:"within" json:"within,omitempty"`       // the factor by which another number still reproduces it, as "1.5x"; empty: none
}

// Prose is the text of VERDICT.md that no measurement can write.
type Prose struct {
	Goal            string `toml:"goal" json:"goal,omitempty"`
	Why             string `toml:"why" json:"why,omitempty"`
	Recommendations string `toml:"recommendations" json:"recommendations,omitempty"`
	Conclusion      string `toml:"conclusion" json:"conclusion,omitempty"`
	// Rests holds the verdicts that the prose takes for granted, by
	// "benchmark/arm" or "benchmark/arm CELL".
	Rests map[string]Verdict `toml:"rests" json:"rests,omitempty"`
}
