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
	Benchmarks []Benchmark `toml:"benchmark" json:"benchmarks"`
	Arms       []Arm       `toml:"arm" json:"arms"` // in the order in which a small budget is spent; without the baseline's own claims
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
}

// Arm is one way of doing the work.
type Arm struct {
	Name      string               `toml:"name" json:"name"` // the value of KEY
	Title     string               `toml:"title" json:"title"`
	Falls     []string             `toml:"falls" json:"falls,omitempty"`         // exact counters that must fall: "B/op", "allocs/op"
	Rises     []string             `toml:"rises" json:"rises,omitempty"`         // exact counters that must rise
	Allocates int                  `toml:"allocates" json:"allocates,omitempty"` // must allocate at least this often an operation (the baseline, usually)
	Reaches   []string             `toml:"reaches" json:"reaches,omitempty"`     // functions that must run in each operation, as "Pool.Run" or "makeSlice"
	Expect    map[string][]Verdict `toml:"expect" json:"expect,omitempty"`       // by benchmark name
}

// Claim is a published statement that the study checks.
type Claim struct {
	Text      string `toml:"text" json:"text"`
	Arm       string `toml:"arm" json:"arm"`
	Benchmark string `toml:"benchmark" json:"benchmark"` // name
	Metric    string `toml:"metric" json:"metric"`       // "time", "B/op" or "allocs/op"
	Class     Class  `toml:"class" json:"class"`         // what the claim says of it: better, same or worse
}

// Prose is the text of VERDICT.md that no measurement can write.
type Prose struct {
	Goal            string `toml:"goal" json:"goal,omitempty"`
	Why             string `toml:"why" json:"why,omitempty"`
	Recommendations string `toml:"recommendations" json:"recommendations,omitempty"`
	Conclusion      string `toml:"conclusion" json:"conclusion,omitempty"`
}
