package vet

// Finding is one report, as drivers print it.
type Finding struct {
	Code, Package, Message string // Message without code and name
	Tier                   Tier
	File                   string // absolute, unless a driver says otherwise
	Line, Col              int
	EndLine, EndCol        int // the end of what is reported; the start where it is not known
	Related                []Location
	Fixes                  []Fix
}

// Location is a place that a finding refers to: the line of the get, of the put
// or of the defer.
type Location struct {
	File      string
	Line, Col int
	Message   string
}

// Fix is a change that makes a finding go away.
type Fix struct {
	Message string
	Edits   []Edit
}

// Edit replaces the bytes from Start to End of a file.
type Edit struct {
	File       string
	Start, End int
	New        string
}
