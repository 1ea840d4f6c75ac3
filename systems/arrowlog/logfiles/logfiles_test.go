package logfiles_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/poolproof/poolproof/systems/arrowlog"
	"github.com/poolproof/poolproof/systems/arrowlog/logfiles"
)

func writer(t testing.TB, dir string, o logfiles.Options) *logfiles.Writer {
	t.Helper()
	e, err := arrowlog.New(arrowlog.Schema{}, arrowlog.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w, err := logfiles.New(dir, e, o)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func add(t testing.TB, w *logfiles.Writer, now time.Time, text string) error {
	t.Helper()
	if err := w.Encoder().AppendMap(map[string]any{"text": text}); err != nil {
		t.Fatal(err)
	}
	return w.Added(now)
}

func rowsOf(w *logfiles.Writer) (rows []int) {
	for _, f := range w.Written() {
		rows = append(rows, f.Stats.Rows)
	}
	return rows
}

func TestFilesEndAtEachLimit(t *testing.T) {
	start := time.Unix(1000, 0)
	for name, c := range map[string]struct {
		o    logfiles.Options
		want string
	}{
		"rows":  {logfiles.Options{Rows: 4}, "[4 4 2]"},
		"bytes": {logfiles.Options{Bytes: 3 * (100 + 4)}, "[3 3 3 1]"},
		"age":   {logfiles.Options{Age: 5 * time.Second}, "[6 4]"},
		"none":  {logfiles.Options{}, "[10]"},
	} {
		dir := filepath.Join(t.TempDir(), "made")
		w := writer(t, dir, c.o)
		for i := range 10 {
			if err := add(t, w, start.Add(time.Duration(i)*time.Second), fmt.Sprintf("%0100d", i)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(rowsOf(w)); got != c.want {
			t.Errorf("%s: the files have %s rows, want %s", name, got, c.want)
		}
		for i, f := range w.Written() {
			if want := filepath.Join(dir, fmt.Sprintf("logs-%06d.parquet", i+1)); f.Path != want {
				t.Errorf("%s: file %d is %s", name, i, f.Path)
			}
			if info, err := os.Stat(f.Path); err != nil || info.Size() != f.Stats.Bytes {
				t.Errorf("%s: %v %v", name, info, err)
			}
		}
		left, _ := os.ReadDir(dir)
		if len(left) != len(w.Written()) {
			t.Errorf("%s: %d files are in the folder, %d were written", name, len(left), len(w.Written()))
		}
	}
}

func TestAFileThatCannotBeWrittenIsTriedAgain(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "logs")
	w := writer(t, dir, logfiles.Options{Rows: 2})
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	now := time.Unix(0, 1)
	add(t, w, now, "a")
	for range 2 {
		if err := add(t, w, now, "b"); err == nil {
			t.Error("no error without a folder")
		}
	}
	if w.Encoder().Rows() != 3 || w.Close() == nil {
		t.Error("rows are lost, or Close says nothing")
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil || fmt.Sprint(rowsOf(w)) != "[3]" {
		t.Errorf("%v, the files have %v rows", err, rowsOf(w))
	}
}

func TestNegativeLimitsAreRefused(t *testing.T) {
	for _, o := range []logfiles.Options{{Rows: -1}, {Bytes: -1}, {Age: -1}} {
		if _, err := logfiles.New(t.TempDir(), nil, o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}

func Example() {
	dir, err := os.MkdirTemp("", "logs")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	e, err := arrowlog.New(arrowlog.Schema{}, arrowlog.Options{})
	if err != nil {
		panic(err)
	}
	w, err := logfiles.New(dir, e, logfiles.Options{Rows: 1000})
	if err != nil {
		panic(err)
	}
	for i := range 2500 {
		if err := w.Encoder().AppendMap(map[string]any{"n": i}); err != nil {
			panic(err)
		}
		if err := w.Added(time.Now()); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	for _, f := range w.Written() {
		fmt.Println(filepath.Base(f.Path), f.Stats.Rows)
	}
	// Output:
	// logs-000001.parquet 1000
	// logs-000002.parquet 1000
	// logs-000003.parquet 500
}

// TestRowsStayUntilTheirFileHasItsName: the file is written, and cannot be renamed.
func TestRowsStayUntilTheirFileHasItsName(t *testing.T) {
	dir := t.TempDir()
	w := writer(t, dir, logfiles.Options{})
	add(t, w, time.Unix(0, 1), "a")
	folder := w.Next()
	if err := os.MkdirAll(filepath.Join(folder, "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(); err == nil || w.Encoder().Rows() != 1 {
		t.Errorf("%v, %d rows wait", err, w.Encoder().Rows())
	}
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil || fmt.Sprint(rowsOf(w)) != "[1]" {
		t.Errorf("%v, the files have %v rows", err, rowsOf(w))
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("%v is in the folder", entries)
	}
}
