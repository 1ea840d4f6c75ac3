// Package sarif writes findings as SARIF 2.1.0, the format in which code hosts
// and editors take the results of static and dynamic analysis.
// The format is specified at
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html.
//
// A Run is plain data: rules and results in, bytes out. The package reads
// no file and knows of no analysis.
package sarif

// Run is one run of a tool.
type Run struct {
	Tool     Tool
	Category string // tells apart several runs over one revision, as "poolproof/vet"; may be empty
	Rules    []Rule // every rule that a result may name, whether it found something or not
	Results  []Result

	// Notices are messages about the run itself: what it could
	// not analyse and why. A notice of level Error says that the run is
	// not complete.
	Notices []Notice

	// Source gives the text of a file that results name; columns are counted
	// in bytes by compilers and in UTF-16 units by readers of SARIF. Where it
	// is nil, or gives nothing, lines are taken to be ASCII.
	Source func(file string) []byte
}

// Tool says who found the results.
type Tool struct {
	Name    string
	Version string
	URL     string // where to read about it
}

// Level says how serious a rule or a result is.
type Level string

// The levels of the format, strongest first.
const (
	Error   Level = "error"
	Warning Level = "warning"
	Note    Level = "note"
)

// Rule is a kind of finding.
type Rule struct {
	ID    string // stable, as "PV001"
	Name  string // readable, as "use-after-put"
	Short string // one sentence
	Help  string // Markdown, as long as it needs to be; may be empty
	URL   string // a page about the rule; may be empty
	Level Level  // of its results, unless they say otherwise
}

// Result is one finding.
type Result struct {
	Rule    string // the ID of its rule
	Level   Level  // "": that of the rule
	Message string
	At      Location
	Related []Location // where else to look, each with its message
	Fixes   []Fix
}

// Location is a range of a file.
type Location struct {
	File    string // slash-separated and relative to the root of the repository, or absolute
	Start   Position
	End     Position // zero: unknown
	Message string   // what is there; of related locations only
}

// Position is a place in a file, counted from 1; columns in bytes. A zero Column
// stands for the whole line.
type Position struct {
	Line, Column int
}

// Fix is a change that removes the finding.
type Fix struct {
	Message string
	Edits   []Edit
}

// Edit replaces a range of a file by a text.
type Edit struct {
	File       string
	Start, End Position
	New        string
}

// Notice is a remark on the run itself.
type Notice struct {
	Level   Level
	Message string
}
