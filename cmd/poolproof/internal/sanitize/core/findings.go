package core

import "unsafe"

// FindingKey is what makes two misuses one finding.
type FindingKey struct {
	Access uintptr // return address in the code that misused the memory, outside of the Go installation
	Put    uintptr // the same of the Put
	Kind   uint8

	Ignored bool // the user said so: no test fails of it. Who calls decides, so that a key has both
}

// A Finding is one distinct misuse and how often it was seen.
type Finding struct {
	Key     FindingKey
	Count   uint64
	Written uint64 // Count when it was last written
	Tests   [findingTests]uint32
	Len     uint32 // of Tests
	Told    uint32 // of Tests, how many were written

	PutStack uint32 // of the first time
	Warning  bool
}

const (
	findingTests = 1 << 10
	// MaxFindings is how many distinct misuses one process tells apart.
	MaxFindings = 1 << 10

	// FindingsMemory is what Findings.Init needs.
	FindingsMemory = MaxFindings * unsafe.Sizeof(Finding{})
)

// Findings is the list of what was found. The caller holds its lock.
type Findings struct {
	all *[MaxFindings]Finding
	n   uint32
	max uint32
	Cut uint64 // distinct misuses beyond the maximum, counted each time
}

// Init hands f usable zeroed memory, and how many findings it may hold.
func (f *Findings) Init(memory unsafe.Pointer, max uint32) {
	if max > MaxFindings {
		max = MaxFindings
	}
	f.all, f.max = (*[MaxFindings]Finding)(memory), max
}

// End returns how many findings there are; they are numbered from 1.
func (f *Findings) End() uint32 { return f.n }

// At returns a finding by its number.
func (f *Findings) At(id uint32) *Finding { return &f.all[id-1] }

// Note counts a misuse in a test and returns its number; fresh says that it is
// seen for the first time. The number 0 says that the list is full.
func (f *Findings) Note(key FindingKey) (id uint32, fresh bool) {
	for i := uint32(0); i < f.n; i++ {
		if f.all[i].Key == key {
			f.all[i].Count++
			return i + 1, false
		}
	}
	if f.n == f.max {
		f.Cut++
		return 0, false
	}
	f.all[f.n].Key, f.all[f.n].Count = key, 1
	f.n++
	return f.n, true
}

// In notes that a finding was seen in a test, and reports whether that is
// news. A finding remembers the first tests only.
func (x *Finding) In(test uint32) bool {
	for i := uint32(0); i < x.Len; i++ {
		if x.Tests[i] == test {
			return false
		}
	}
	if x.Len == findingTests {
		return false
	}
	x.Tests[x.Len] = test
	x.Len++
	return true
}

// Shown reports whether an earlier finding was first seen in the same test, after the very
// same Put, and weighs as much: it is the same bug at another place, and on the terminal one
// report of it is enough.
func (f *Findings) Shown(id uint32) bool {
	x := f.At(id)
	if x.PutStack == 0 || x.Len == 0 {
		return false
	}
	for i := uint32(1); i < id; i++ {
		old := f.At(i)
		if old.PutStack == x.PutStack && old.Warning == x.Warning && !old.Key.Ignored && old.Len > 0 && old.Tests[0] == x.Tests[0] {
			return true
		}
	}
	return false
}
