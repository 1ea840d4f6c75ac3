// Package committed keeps the results of studies beside their study files: a
// study's verdict.json is its record, and its note and the table of all studies are
// printed from it. A study file, the rule and the engine may be younger than it.
package committed

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/bymodule"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/note"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/studyfile"
)

// IndexName is the name of the table of all studies in their folder.
const IndexName = "README.md"

// Study is one study with what it has committed.
type Study struct {
	Dir  string // of its study file
	File study.File
	// Verdict is its committed verdict.json with the study file as it is now, whose
	// claims are held against the results again; nil: there is none.
	Verdict *study.VerdictFile
	// Earlier are the measurements that the verdict replaced, the oldest first.
	Earlier []study.Earlier
}

// NoteName is the name of the study's note.
func (s Study) NoteName() string { return filepath.Join(s.Dir, study.NoteName) }

// Folders lists the folders below root that have a study file, in the order of
// their names.
func Folders(root string) ([]string, error) {
	var dirs []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && bymodule.Ignored(d.Name()) {
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
		file, err := studyfile.Read(dir)
		if err != nil {
			return nil, err
		}
		earlier, err := study.ReadEarlier(dir)
		if err != nil {
			return nil, err
		}
		s := Study{Dir: dir, File: file, Earlier: earlier}
		v, err := study.ReadVerdict(filepath.Join(dir, study.VerdictName))
		switch {
		case err == nil:
			v.Plan.Study, v.Plan.Title = &file, file.Title
			v.Claims = stat.Claims(file, v.Results, cmp.Or(v.Rule, &v.Plan.Rule).Band)
			s.Verdict = &v
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// Update commits a verdict beside its study file, with what is expected now and was
// not before, and its note; the times of a verdict that it replaces go to the earlier
// ones. It returns the names of the files that it wrote.
func Update(dir string, v study.VerdictFile) ([]string, error) {
	names := []string{filepath.Join(dir, study.VerdictName), filepath.Join(dir, study.NoteName)}
	switch earlier, err := study.ReadVerdict(names[0]); {
	case err == nil:
		v.Revise(earlier)
		name, err := keep(dir, study.AsEarlier(earlier), study.AsEarlier(v))
		if err != nil {
			return nil, err
		}
		names = append(names, name...)
	case !errors.Is(err, fs.ErrNotExist): // what was expected before would be lost
		return nil, err
	}
	if err := study.WriteCommitted(names[0], v); err != nil {
		return nil, err
	}
	s, err := Read([]string{dir})
	if err != nil {
		return nil, err
	}
	return names, study.WriteFile(names[1], s[0].Note)
}

// keep adds a measurement to the earlier ones, unless the new one is the same,
// judged again. It returns the name of the file that it wrote.
func keep(dir string, was, now study.Earlier) ([]string, error) {
	if was.Same(now) || len(was.Results) == 0 {
		return nil, nil
	}
	all, err := study.ReadEarlier(dir)
	if err != nil || slices.ContainsFunc(all, was.Same) {
		return nil, err
	}
	return []string{filepath.Join(dir, study.EarlierName)}, study.WriteEarlier(dir, append(all, was))
}

// Present are the versions that a result is held against.
var Present = note.Versions{Rule: stat.Version, Engine: duet.Version, Stands: stat.Stands}

// Index is the table of the studies below a folder.
func Index(root string, studies []Study) ([]byte, error) {
	home := root
	if abs, err := filepath.Abs(root); err == nil {
		home = abs
	}
	var entries []note.Entry
	for _, s := range studies {
		rel, err := filepath.Rel(root, s.Dir)
		if err != nil {
			return nil, err
		}
		rel = filepath.ToSlash(rel)
		entries = append(entries, note.Entry{Dir: rel, Path: path.Join(filepath.Base(home), rel), Title: s.File.Title, Claims: s.File.Claims, Verdict: s.Verdict, Earlier: s.Earlier})
	}
	var b bytes.Buffer
	err := note.Index(&b, entries, Present)
	return b.Bytes(), err
}

// Note prints the study's note from its verdict, as the study file and this program
// have it now.
func (s Study) Note(w io.Writer) error { return note.Write(w, *s.Verdict, Present, s.Earlier...) }
