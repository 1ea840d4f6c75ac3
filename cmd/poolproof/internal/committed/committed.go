// Package committed reads what the studies below a folder have committed, and says
// what their notes and their table must hold now: a study file, the rule and the
// engine may be younger than the result.
package committed

import (
	"bytes"
	"io/fs"
	"math"
	"path"
	"path/filepath"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/report"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// IndexName is the name of the table of all studies in their folder.
const IndexName = "README.md"

// Study is one study with what it has committed.
type Study struct {
	Dir  string // of its study file
	File study.File
	// Result is RESULT.json, with its claims held against it again; nil: there is
	// none.
	Result *study.Summary
}

// Note is the name of the study's note.
func (s Study) Note() string { return filepath.Join(s.Dir, study.NoteName) }

// Folders lists the folders below root that have a study file, in the order of
// their names.
func Folders(root string) ([]string, error) {
	var dirs []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && path != root && (name == "testdata" || name[0] == '.' || name[0] == '_') {
			return fs.SkipDir
		}
		if d.Name() == study.FileName {
			dirs = append(dirs, filepath.Dir(path))
		}
		return nil
	})
	return dirs, err
}

// Read reads the studies in those folders. An error names the file that is wrong.
func Read(dirs []string) ([]Study, error) {
	var out []Study
	for _, dir := range dirs {
		file, err := study.Read(dir)
		if err != nil {
			return nil, err
		}
		s, ok, err := study.ReadSummary(filepath.Join(dir, study.SummaryName))
		if err != nil {
			return nil, err
		}
		one := Study{Dir: dir, File: file}
		if ok {
			s.Claims = judgeAgain(file, s)
			one.Result = &s
		}
		out = append(out, one)
	}
	return out, nil
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

// Index is the table of the studies below a folder.
func Index(root string, studies []Study) ([]byte, error) {
	home := root
	if abs, err := filepath.Abs(root); err == nil {
		home = abs
	}
	var entries []report.Entry
	for _, s := range studies {
		rel, err := filepath.Rel(root, s.Dir)
		if err != nil {
			return nil, err
		}
		rel = filepath.ToSlash(rel)
		entries = append(entries, report.Entry{Dir: rel, Path: path.Join(filepath.Base(home), rel), Title: s.File.Title, Claims: s.File.Claims, Summary: s.Result})
	}
	var b bytes.Buffer
	err := report.Index(&b, entries, present)
	return b.Bytes(), err
}

// Current is the text of the study's note with its conclusion, its status, its
// claims, and what it says of its origin, as the study file and this program have them now. A
// study without a result keeps the text.
func (s Study) Current(note string) string {
	if s.Result == nil {
		return note
	}
	note = report.UpdateStatus(report.UpdateConclusion(note, report.Conclude(s.File, *s.Result)), *s.Result)
	if updated, ok := report.UpdateClaims(note, s.Result.Claims); ok {
		note = updated
	}
	standing, _ := report.Standing(s.Result.Provenance, s.Result.Revision, present)
	return report.UpdateStanding(note, standing)
}
