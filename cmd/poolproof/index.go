package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/report"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// indexName is the name of the table of all studies in their folder.
const indexName = "README.md"

// committed is a study's file as it is now and its committed result, whose claims
// are held against it again.
type committed struct {
	file    study.File
	summary study.Summary
}

// tryIndex writes the table of the studies below a folder.
func tryIndex(dir string) (int, error) {
	text, notes, err := index(dir)
	if err != nil {
		return exitcode.Usage, err
	}
	for name, c := range notes {
		if err := updateNote(name, c); err != nil {
			return exitcode.Usage, err
		}
	}
	name := filepath.Join(dir, indexName)
	err = study.WriteFile(name, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
	if err != nil {
		return exitcode.Usage, exitcode.Errorf(exitcode.Usage, "-index: %w", err)
	}
	fmt.Fprintln(os.Stderr, "wrote", name)
	return exitcode.OK, nil
}

// index renders the table of the studies below a folder, in the order of their
// names: from the study files and the committed results, and nothing else.
func index(dir string) (text []byte, notes map[string]committed, err error) {
	dirs, err := studiesBelow(dir)
	if err != nil {
		return nil, nil, err
	}
	var entries []report.Entry
	notes = map[string]committed{} // by the name of the note
	home := nameOf(dir)
	for _, d := range dirs {
		file, err := study.Read(d)
		if err != nil {
			return nil, nil, exitcode.Errorf(exitcode.Usage, "-index: %w", err)
		}
		rel, err := filepath.Rel(dir, d)
		if err != nil {
			return nil, nil, exitcode.Errorf(exitcode.Usage, "-index: %w", err)
		}
		e := report.Entry{Dir: filepath.ToSlash(rel), Path: path.Join(home, filepath.ToSlash(rel)), Title: file.Title, Claims: file.Claims}
		s, ok, err := study.ReadSummary(filepath.Join(d, study.SummaryName))
		if err != nil {
			return nil, nil, exitcode.Errorf(exitcode.Usage, "-index: %w", err)
		}
		if ok {
			s.Claims = judgeAgain(file, s)
			e.Summary = &s
			notes[filepath.Join(d, study.NoteName)] = committed{file, s}
		}
		entries = append(entries, e)
	}
	var b bytes.Buffer
	if err := report.Index(&b, entries, present); err != nil {
		return nil, nil, err
	}
	return b.Bytes(), notes, nil
}

// judgeAgain holds the claims of a study file, as it is now, against what its
// committed result keeps: the rule and the published sizes may be younger. Where
// an old result does not keep a figure, its outcome stands.
func judgeAgain(file study.File, s study.Summary) []study.ClaimResult {
	claims := stat.Claims(file, s.Results(), bandOf(file))
	for i, c := range claims {
		if c.Because == nil || c.Because.Code != study.ClaimNotMeasured {
			continue
		}
		for _, old := range s.Claims {
			if old.Text == c.Text && old.Found != "" {
				claims[i].Outcome, claims[i].Found = old.Outcome, old.Found
			}
		}
	}
	return claims
}

// bandOf is the practical equality of a study as a log ratio.
func bandOf(file study.File) float64 {
	if t, err := study.Threshold(file.Threshold); err == nil && t > 0 {
		return math.Log1p(t)
	}
	return stat.DefaultRule().Band
}

// present are the versions that a committed result is held against.
var present = report.Versions{Rule: stat.Version, Engine: duet.Version}

// current is a committed note with its conclusion, its claims, and what it says
// of its origin, as the study file and this program have them now.
func current(note string, c committed) string {
	s := c.summary
	note = report.UpdateConclusion(note, report.Conclude(c.file, s))
	if updated, ok := report.UpdateClaims(note, s.Claims); ok {
		note = updated
	}
	standing, _ := report.Standing(s.Provenance, s.Revision, present)
	return report.UpdateStanding(note, standing)
}

// updateNote brings a committed note up to date.
func updateNote(name string, c committed) error {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return exitcode.Errorf(exitcode.Usage, "-index: %w", err)
	}
	updated := current(string(text), c)
	if updated == string(text) {
		return nil
	}
	err = study.WriteFile(name, func(w io.Writer) error {
		_, err := io.WriteString(w, updated)
		return err
	})
	if err != nil {
		return exitcode.Errorf(exitcode.Usage, "-index: %w", err)
	}
	fmt.Fprintln(os.Stderr, "wrote", name)
	return nil
}
