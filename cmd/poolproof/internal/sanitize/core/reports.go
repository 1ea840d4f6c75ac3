package core

import "unsafe"

// ReportKey identifies a report: misuses with equal keys are one.
type ReportKey struct {
	Access uintptr // return address in the code that misused the memory, outside of the Go installation
	Put    uintptr // the same of the Put
	Kind   uint8

	Ignored bool // the user said so: no test fails for it. The caller decides, so that a key has both
}

// A Report is one distinct misuse and how often it was seen.
type Report struct {
	Key     ReportKey
	Count   uint64
	Written uint64 // Count when it was last written
	Tests   [reportTests]uint32
	Len     uint32 // of Tests
	Told    uint32 // of Tests, how many were written

	PutStack uint32 // of the first time
	Warning  bool
}

const (
	reportTests = 1 << 10
	// MaxReports is how many distinct misuses one process tells apart.
	MaxReports = 1 << 10

	// ReportsMemory is the size of the memory for Reports.Init.
	ReportsMemory = MaxReports * unsafe.Sizeof(Report{})
)

// Reports is the list of what was found. The caller holds its lock.
type Reports struct {
	all *[MaxReports]Report
	n   uint32
	max uint32
	Cut uint64 // distinct misuses beyond the maximum, counted each time
}

// Init hands l usable zeroed memory, and how many reports it may hold.
func (l *Reports) Init(memory unsafe.Pointer, max uint32) {
	l.all, l.max = (*[MaxReports]Report)(memory), min(max, MaxReports)
}

// End returns how many reports there are; they are numbered from 1.
func (l *Reports) End() uint32 { return l.n }

// At returns a report by its number.
func (l *Reports) At(id uint32) *Report { return &l.all[id-1] }

// Note counts a misuse in a test and returns its number; fresh says that it is
// seen for the first time. The number 0 says that the list is full.
func (l *Reports) Note(key ReportKey) (id uint32, fresh bool) {
	for i := uint32(0); i < l.n; i++ {
		if l.all[i].Key == key {
			l.all[i].Count++
			return i + 1, false
		}
	}
	if l.n == l.max {
		l.Cut++
		return 0, false
	}
	l.all[l.n].Key, l.all[l.n].Count = key, 1
	l.n++
	return l.n, true
}

// In notes that a report was seen in a test, and reports whether that is
// news. A report remembers the first tests only.
func (x *Report) In(test uint32) bool {
	for i := uint32(0); i < x.Len; i++ {
		if x.Tests[i] == test {
			return false
		}
	}
	if x.Len == reportTests {
		return false
	}
	x.Tests[x.Len] = test
	x.Len++
	return true
}

// Shown reports whether an earlier report was first seen in the same test, after the very
// same Put, and weighs as much: it is the same bug at another place, and on the terminal one
// report of it is enough.
func (l *Reports) Shown(id uint32) bool {
	x := l.At(id)
	if x.PutStack == 0 || x.Len == 0 {
		return false
	}
	for i := uint32(1); i < id; i++ {
		old := l.At(i)
		if old.PutStack == x.PutStack && old.Warning == x.Warning && !old.Key.Ignored && old.Len > 0 && old.Tests[0] == x.Tests[0] {
			return true
		}
	}
	return false
}
