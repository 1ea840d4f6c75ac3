package study

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Names of the files in a run's directory. A study has the last two beside its
// study file too.
const (
	PlanName    = "plan.json"
	RecordsName = "records.jsonl"
	VerdictName = "verdict.json"
	NoteName    = "VERDICT.md"
)

// FileName is the name of a study file in its directory.
const FileName = "study.toml"

// WritePlan writes plan.json. See WriteFile.
func WritePlan(path string, p Plan) error { return writeJSON(path, p) }

// ReadPlan reads plan.json. A plan of another Schema is an error.
func ReadPlan(path string) (p Plan, err error) {
	err = readJSON(path, &p)
	return p, err
}

// WriteVerdict writes verdict.json. See WriteFile.
func WriteVerdict(path string, v VerdictFile) error { return writeJSON(path, v) }

// ReadVerdict reads verdict.json, as [ReadPlan] reads a plan.
// Result.Want is not part of the file.
func ReadVerdict(path string) (v VerdictFile, err error) {
	err = readJSON(path, &v)
	return v, err
}

// WriteCommitted writes the verdict.json that stands beside a study file: what
// pages are printed from, a field a line without indentation. See WriteFile.
func WriteCommitted(path string, v VerdictFile) error {
	var lines bytes.Buffer
	err := Encode(&lines, v.committed())
	if err == nil {
		text := bytes.Clone(lines.Bytes())
		lines.Reset()
		err = json.Indent(&lines, text, "", "")
	}
	if err != nil {
		return err
	}
	return WriteFile(path, func(w io.Writer) error { _, err := lines.WriteTo(w); return err })
}

// Encode writes the JSON form of a Plan or a VerdictFile as it stands in
// plan.json and verdict.json: indented, one line feed at the end. A number
// that is not finite is an error.
func Encode(w io.Writer, value any) error {
	var b bytes.Buffer // an error leaves w untouched
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(value); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// WriteFile replaces a file by what write writes, or leaves it as it is when
// there is an error: a reader finds the old file or the new one, never half of
// one. It makes the directory if there is none.
func WriteFile(path string, write func(io.Writer) error) (err error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if err := write(f); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	// CreateTemp makes files that only their owner reads; results are for
	// everybody who may enter the directory.
	if err := errors.Join(f.Chmod(0o644), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

func writeJSON(path string, value any) error {
	return WriteFile(path, func(w io.Writer) error { return Encode(w, value) })
}

// readJSON reads a file into value, a pointer to a Plan or VerdictFile.
func readJSON(path string, value any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := checkSchema(data); errors.Is(err, errSchema) {
		return fmt.Errorf("%s: %w; use the program that wrote it, or run again", path, err)
	}
	if err := json.Unmarshal(data, value); err != nil {
		return fmt.Errorf("%s: %w; run again without -resume", path, err)
	}
	return nil
}

// errSchema is a form that this program does not read.
var errSchema = errors.New("schema")

// checkSchema returns an errSchema if the data is JSON of another schema.
func checkSchema(data []byte) error {
	var head struct{ Schema int }
	if err := json.Unmarshal(data, &head); err != nil || head.Schema == Schema {
		return err
	}
	return fmt.Errorf("%w %d, this program reads %d", errSchema, head.Schema, Schema)
}
