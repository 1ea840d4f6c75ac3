// Package record is the format in which instrumented test binaries report: one JSON
// object a line, in one file for all processes of a run. It knows the form of
// the lines and which process wrote them; what they mean is for others.
//
// Each line is written at once by one write to a file opened for appending, so
// lines of several processes do not mix, and what was found before a test
// panics, exits or is killed is there.
package record

// Version is the version of the lines that this package reads.
const Version = 2

// Kind is the kind of a misuse.
type Kind string

// The kinds of reports.
const (
	ReadAfterPut  Kind = "read-after-put"
	WriteAfterPut Kind = "write-after-put"
	DoublePut     Kind = "double-put"
	AliasPut      Kind = "alias-put" // the memory is also owned by another pooled object
	NilPut        Kind = "nil-put"   // a nil pointer in an interface: the next Get crashes its caller

	// LeftOver is a test that fails with reused objects, and passes with fresh ones.
	LeftOver Kind = "left-over"

	// RetainedMemory is a warning: a pooled object keeps large memory of its caller alive.
	RetainedMemory Kind = "retained-memory"
)

// Kinds lists all kinds, in the order in which they are shown. The runtime has them from here,
// with their numbers, from 1; accesses of memory are the first two.
var Kinds = []Kind{ReadAfterPut, WriteAfterPut, DoublePut, AliasPut, NilPut, LeftOver, RetainedMemory}

// Severity says whether a report fails a test.
type Severity string

// The severities.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// The parts of a pooled object that Report.What names.
const (
	Object = "object" // what the Put pointer points to, or a Put slice's array
	Array  = "array"  // of a field
	Child  = "child"  // what a field points to
	Caller = "caller" // no part: memory that the object keeps alive
)

// The events of lines: each but launch, which the driver writes, is written by the runtime,
// which has these words and the keys of the lines from this package.
const (
	EventLaunch = "launch"
	EventStart  = "start"
	EventNote   = "note"
	EventUsed   = "used"
	EventReport = "report"
	EventCount  = "count"
	EventPool   = "pool"
	EventEnd    = "end"

	EventRun   = "run"
	EventSite  = "site"
	EventStack = "stack"
	EventLife  = "life"
)

// Events lists all events that the runtime writes, each with a line of it.
var Events = map[string]any{
	EventStart: Start{}, EventNote: note{}, EventUsed: used{}, EventReport: Report{}, EventCount: count{}, EventPool: Pool{}, EventEnd: End{},
	EventRun: Run{}, EventSite: Site{}, EventStack: Stack{}, EventLife: Life{},
}

// Head begins each line.
type Head struct {
	Event string `json:"ev"`
	PID   int    `json:"pid"`
}

// Start is the proof that a process is instrumented.
type Start struct {
	PID     int    `json:"pid"`
	Version int    `json:"version"`
	Mode    string `json:"mode"` // exact or fast
	Form    string `json:"form"` // msan, race or fast: which instrumentation the compiler gave
	Go      string `json:"go"`
	Arch    string `json:"arch"`
	Binary  string `json:"binary"`
}

// Launch says that the go command started a test binary. The driver writes it.
type Launch struct {
	PID    int    `json:"pid"`
	Binary string `json:"binary"`
	Dir    string `json:"dir"` // of the package under test
}

// Report is one distinct misuse: one pair of access and Put, and kind.
type Report struct {
	PID      int      `json:"pid"`
	ID       int      `json:"id"` // within its process
	Kind     Kind     `json:"kind"`
	Severity Severity `json:"severity"`
	Why      string   `json:"why"` // of a warning
	Ignored  bool     `json:"ignored"`
	Test     string   `json:"test"` // "": none was running
	Type     string   `json:"type"` // of the pooled object

	What   string `json:"what"`  // Object, Array, Child or Caller
	Field  string `json:"field"` // path from the pooled object; may be empty
	Offset int64  `json:"offset"`
	Size   int64  `json:"size"`  // of the access; 0: not known
	Total  int64  `json:"total"` // of what is owned

	Pool       string   `json:"pool"`
	Access     []Frame  `json:"access"` // innermost first, as all stacks
	Put        []Frame  `json:"put"`
	Get        []Frame  `json:"get"`
	Started    []Frame  `json:"started"` // the go statement of the goroutine; none of a test's own
	Written    []Frame  `json:"written"` // of LeftOver: where the earlier user wrote it
	Weight     int      `json:"weight"`  // of LeftOver: how much it explains
	Count      int      `json:"count"`
	Tests      []string `json:"-"` // all tests that did it
	Goroutine  int64    `json:"goroutine"`
	AccessedIn int64    `json:"accessedIn"`
}

// note is a line for the user.
type note struct {
	PID  int    `json:"pid"`
	Text string `json:"text"`
}

// used is a line that says which rule has matched.
type used struct {
	PID  int    `json:"pid"`
	Rule string `json:"rule"`
}

// count is a line that says how often a misuse was repeated, and in which tests.
type count struct {
	PID   int      `json:"pid"`
	ID    int      `json:"id"`
	Count int      `json:"count"`
	Tests []string `json:"tests"`
}

// Pool counts the uses of one pool at one Get site, in one process.
type Pool struct {
	PID    int     `json:"pid"`
	Pool   string  `json:"pool"`
	Type   string  `json:"type"`
	Get    []Frame `json:"get"`
	Puts   int64   `json:"puts"`
	Gets   int64   `json:"gets"`
	Hits   int64   `json:"hits"`   // that the real pool would have had
	Leaked int64   `json:"leaked"` // collected without a Put
	Bytes  int64   `json:"bytes"`  // of what was leaked or put, as measured
	Others int64   `json:"others"` // bytes that fields of what was put refer to and that are not followed
	Kept   int     `json:"kept"`   // what code outside keeps of the objects: 1 is memory, 2 the objects
}

// End is the last line of a process that ended by itself.
type End struct {
	PID         int `json:"pid"`
	Collections int `json:"collections"`
}

// Process is all that one process said.
type Process struct {
	PID     int
	Launch  *Launch // nil: not started by the go command but by another test
	Start   *Start  // nil: not instrumented, or ended before it could say so
	Notes   []string
	Used    []string // rules that it was given and that have matched
	Reports []Report
	Pools   []Pool
	Runs    []Run
	Sites   []Site
	Stacks  map[int][]Frame // by number
	Lives   []Life
	End     *End // nil: it was killed, crashed or called os.Exit past our hook
}

// Log is one run: its processes in the order in which they began.
type Log struct {
	Processes []*Process
	Damaged   int // lines that are no record: the last one of a killed process, or a full disk
}

// Unproven returns the launches that no start line answers.
func (l *Log) Unproven() []Launch {
	started := map[string]bool{}
	for _, p := range l.Processes {
		if p.Start != nil && p.Launch == nil {
			started[p.Start.Binary] = true // started through a program of the user's -exec
		}
	}
	var bad []Launch
	for _, p := range l.Processes {
		if p.Launch != nil && p.Start == nil && !started[p.Launch.Binary] {
			bad = append(bad, *p.Launch)
		}
	}
	return bad
}

// Launches counts the test binaries that the go command started.
func (l *Log) Launches() int {
	n := 0
	for _, p := range l.Processes {
		if p.Launch != nil {
			n++
		}
	}
	return n
}

// Dirs returns, for each process, the folder of the package that it tests: its
// own, or for a process that a test started, that of the launch with the same
// binary; "" where there is none.
func (l *Log) Dirs() map[*Process]string {
	byBinary := map[string]string{}
	for _, p := range l.Processes {
		if p.Launch != nil {
			byBinary[p.Launch.Binary] = p.Launch.Dir
		}
	}
	dirs := map[*Process]string{}
	for _, p := range l.Processes {
		switch {
		case p.Launch != nil:
			dirs[p] = p.Launch.Dir
		case p.Start != nil:
			dirs[p] = byBinary[p.Start.Binary]
		}
	}
	return dirs
}

// Frame is one call of a stack.
type Frame struct {
	Func string `json:"func"`
	File string `json:"file"`
	Line int    `json:"line"`
}

// Stack is a stack that lives refer to.
type Stack struct {
	PID    int     `json:"pid"`
	ID     int     `json:"id"`
	Frames []Frame `json:"frames"`
}
