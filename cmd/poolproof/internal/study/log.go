package study

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// Append writes a record as one line at the end of a log that OpenLog opened,
// and returns when the line is on the disk: what a run has finished survives
// its end, whatever ends it. A log has one writer at a time.
func Append(log *os.File, r Record) error {
	line, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("%s: record %s %s %d: %w", log.Name(), r.Comparison, r.Form, r.Launch, err)
	}
	// One write: a reader never sees a line without its end unless the
	// machine stops within it.
	if _, err := log.Write(append(line, '\n')); err != nil {
		return err
	}
	return log.Sync()
}

// OpenLog opens records.jsonl for reading what is there and appending to it,
// and creates it if there is none. A torn last line, the launch in which an
// earlier run was stopped, is cut off, so that the next record starts a line
// of its own; the notice says so, and is empty otherwise.
//
// The caller closes the file.
func OpenLog(path string) (log *os.File, rs []Record, notice string, err error) {
	log, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, nil, "", err
	}
	rs, whole, notice, err := readLog(log, path)
	if err == nil && notice != "" {
		err = log.Truncate(whole)
	}
	if err != nil {
		log.Close()
		return nil, nil, "", err
	}
	return log, rs, notice, nil
}

// ReadRecords reads a log, or several that were joined end to end. name is the
// log's in messages.
//
// A last line that is torn, so has no end or no whole record, is left out and
// the notice says so. Any other line that is no record, and a record of
// another schema, is an error
//
//	name:line: what is wrong; what to do
//
// Blank lines are skipped. Plans, duplicates and Go versions are not compared
// here: judging does that.
func ReadRecords(r io.Reader, name string) (rs []Record, notice string, err error) {
	rs, _, notice, err = readLog(r, name)
	return rs, notice, err
}

// readLog is ReadRecords. whole is the length in bytes without a torn line.
func readLog(r io.Reader, name string) (rs []Record, whole int64, notice string, err error) {
	in := bufio.NewReader(r)
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			if len(line) > 0 {
				notice = torn(name, n)
			}
			return rs, whole, notice, nil
		}
		if err != nil {
			return nil, 0, "", fmt.Errorf("%s:%d: %w", name, n, err)
		}
		if len(bytes.TrimSpace(line)) > 0 {
			rec, err := decodeRecord(line)
			if errors.Is(err, errBroken) {
				if _, end := in.Peek(1); errors.Is(end, io.EOF) {
					return rs, whole, torn(name, n), nil
				}
			}
			if err != nil {
				return nil, 0, "", fmt.Errorf("%s:%d: %w", name, n, err)
			}
			rs = append(rs, rec)
		}
		whole += int64(len(line))
	}
}

func torn(name string, line int) string {
	return fmt.Sprintf("%s:%d: the last line is torn and left out: a run was stopped there; its launch is recorded again", name, line)
}

// errBroken is a line that is no JSON object: it may be the half of one.
var errBroken = errors.New("no record")

func decodeRecord(line []byte) (Record, error) {
	var r Record
	err := checkSchema(line)
	if errors.Is(err, errSchema) {
		return r, fmt.Errorf("the record has %w; use the program that wrote it, or begin a new run", err)
	}
	if err == nil {
		err = json.Unmarshal(line, &r)
	}
	if err != nil {
		if _, ok := errors.AsType[*json.SyntaxError](err); ok {
			return r, fmt.Errorf("%w (%v); remove the line, and its launch is recorded again", errBroken, err)
		}
		return r, fmt.Errorf("no record (%v); remove the line, and its launch is recorded again", err)
	}
	if err := r.check(); err != nil {
		return r, fmt.Errorf("record %s %s %d: %w; remove the line, and its launch is recorded again", r.Comparison, r.Form, r.Launch, err)
	}
	return r, nil
}

// check finds a record that no launch writes. Judging relies on columns of one
// length.
func (r Record) check() error {
	switch r.Status {
	case StatusFailed, StatusTimeout, StatusCrashed:
		return nil // the columns end where the launch did
	case StatusOK:
	default:
		return fmt.Errorf("unknown status %q", r.Status)
	}
	n := len(r.CandidateFirst)
	if n == 0 || r.N < 1 {
		return fmt.Errorf("%d pairs of %d operations", n, r.N)
	}
	for _, side := range Sides {
		if err := r.Columns(side).Check(n); err != nil {
			return fmt.Errorf("the %s: %w", side, err)
		}
	}
	return nil
}

// Recorded holds one machine's records of a question.
type Recorded struct {
	Dir     string // where it lies, for errors
	Plan    Plan
	Records []Record
}
