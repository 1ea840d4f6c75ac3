package record

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
)

// ReadFile reads the file of a run. One that is not there is an empty run: no
// binary was started.
func ReadFile(name string) (*Log, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return &Log{}, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	l, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return l, nil
}

// Read reads the lines of a run. Lines that are no records are counted, not
// refused: a process may be killed while it writes. Events that it does not
// know are passed over. Lines of a version that it cannot read are an error.
func Read(r io.Reader) (*Log, error) {
	l := &reader{log: &Log{}, live: map[int]*Process{}}
	in := bufio.NewReader(r)
	for {
		line, err := in.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if bad := l.line(line); bad != nil {
				return nil, bad
			}
		}
		if err == io.EOF {
			return l.log, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

type reader struct {
	log  *Log
	live map[int]*Process // the last process of each id: ids are used again
}

func (r *reader) line(text []byte) error {
	var head Head
	if json.Unmarshal(text, &head) != nil {
		r.log.Damaged++
		return nil
	}
	p := r.live[head.PID]
	switch head.Event {
	case EventLaunch:
		p = r.begin(head.PID)
		p.Launch = new(Launch)
		r.decode(text, p.Launch)
	case EventStart:
		// The launcher becomes the test binary: the same process.
		if p == nil || p.Start != nil {
			p = r.begin(head.PID)
		}
		p.Start = new(Start)
		r.decode(text, p.Start)
		if p.Start.Version != Version {
			return fmt.Errorf("records of version %d, this program reads %d", p.Start.Version, Version)
		}
	default:
		if p == nil { // its first line was lost
			p = r.begin(head.PID)
		}
		r.event(p, head.Event, text)
	}
	return nil
}

func (r *reader) event(p *Process, event string, text []byte) {
	switch event {
	case EventNote:
		var n note
		if r.decode(text, &n) {
			p.Notes = append(p.Notes, n.Text)
		}
	case EventUsed:
		var u used
		if r.decode(text, &u) {
			p.Used = append(p.Used, u.Rule)
		}
	case EventReport:
		var f Report
		if r.decode(text, &f) {
			f.Count = max(f.Count, 1)
			if f.Test != "" {
				f.Tests = []string{f.Test}
			}
			p.Reports = append(p.Reports, f)
		}
	case EventCount:
		var c count
		if r.decode(text, &c) {
			p.count(c)
		}
	case EventPool:
		add(r, text, &p.Pools)
	case EventRun:
		add(r, text, &p.Runs)
	case EventSite:
		add(r, text, &p.Sites)
	case EventStack:
		var v Stack
		if r.decode(text, &v) {
			if p.Stacks == nil {
				p.Stacks = map[int][]Frame{}
			}
			p.Stacks[v.ID] = v.Frames
		}
	case EventLife:
		add(r, text, &p.Lives)
	case EventEnd:
		p.End = new(End)
		r.decode(text, p.End)
	}
}

// add adds a line to those of its event.
func add[T any](r *reader, text []byte, to *[]T) {
	var v T
	if r.decode(text, &v) {
		*to = append(*to, v)
	}
}

// count adds the repeats of a report. Counts are totals, so the highest holds.
func (p *Process) count(c count) {
	for i := range p.Reports {
		f := &p.Reports[i]
		if f.ID != c.ID {
			continue
		}
		f.Count = max(f.Count, c.Count)
		for _, test := range c.Tests {
			if test != "" && !slices.Contains(f.Tests, test) {
				f.Tests = append(f.Tests, test)
			}
		}
	}
}

func (r *reader) begin(pid int) *Process {
	p := &Process{PID: pid}
	r.live[pid] = p
	r.log.Processes = append(r.log.Processes, p)
	return p
}

func (r *reader) decode(text []byte, to any) bool {
	if json.Unmarshal(text, to) == nil {
		return true
	}
	r.log.Damaged++
	return false
}
