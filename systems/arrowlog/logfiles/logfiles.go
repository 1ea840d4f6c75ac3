// Package logfiles writes logs into a folder of Parquet or Arrow IPC files, each
// of a bounded size and age. A file appears under its name only when it is whole
// and on the disk.
package logfiles

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/poolproof/poolproof/systems/arrowlog"
)

// Options say when a file ends. A zero limit means the default.
type Options struct {
	// Rows is the largest number of rows in a file, unless one append adds more. 0
	// means 1,000,000.
	Rows int

	// Bytes is the size of the values in a file, before compression, at which it
	// ends. 0 means 256 MiB.
	Bytes int64

	// Age is how long after its first row a file ends. 0 means never. See
	// [Writer.Due].
	Age time.Duration

	// IPC writes Arrow IPC files in place of Parquet.
	IPC bool

	// Name returns the name of the n-th file, from 1, without a folder. Nil means
	// logs-000001.parquet and so on.
	Name func(n int) string
}

// Writer collects rows in an encoder and writes a file when a limit is reached.
// It may be used by one goroutine at a time and must be closed.
type Writer struct {
	dir     string
	o       Options
	encoder *arrowlog.Encoder
	files   int
	first   time.Time // when the oldest row that waits came
	written []File
}

// File is a file that was written.
type File struct {
	Path  string
	Stats arrowlog.Stats
}

// New returns a writer into a folder, which it makes if there is none. The encoder
// is the writer's from now on, but for appending to it.
func New(dir string, e *arrowlog.Encoder, o Options) (*Writer, error) {
	if o.Rows < 0 || o.Bytes < 0 || o.Age < 0 {
		return nil, fmt.Errorf("logfiles: a limit is negative: %d rows, %d bytes, age %v", o.Rows, o.Bytes, o.Age)
	}
	if o.Rows == 0 {
		o.Rows = 1_000_000
	}
	if o.Bytes == 0 {
		o.Bytes = 256 << 20
	}
	if o.Name == nil {
		suffix := ".parquet"
		if o.IPC {
			suffix = ".arrow"
		}
		o.Name = func(n int) string { return fmt.Sprintf("logs-%06d%s", n, suffix) }
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("logfiles: %w", err)
	}
	return &Writer{dir: dir, o: o, encoder: e}, nil
}

// Encoder returns the encoder to append to. After each append call [Writer.Added],
// or [Writer.Full] and [Writer.Flush].
func (w *Writer) Encoder() *arrowlog.Encoder { return w.encoder }

// Added writes a file if the rows that wait reach a limit. now is the time. If it
// fails the rows stay, and the next call tries again.
func (w *Writer) Added(now time.Time) error {
	if !w.Full(now) {
		return nil
	}
	return w.Flush()
}

// Full reports whether the rows that wait reach a limit. now is the time: the first
// call after an append starts the clock of [Options.Age].
func (w *Writer) Full(now time.Time) bool {
	if w.encoder.Rows() == 0 {
		return false
	}
	if w.first.IsZero() {
		w.first = now
	}
	return w.encoder.Rows() >= w.o.Rows || w.encoder.Bytes() >= w.o.Bytes || w.Due(now)
}

// Due reports whether the rows that wait are as old as [Options.Age] allows.
func (w *Writer) Due(now time.Time) bool {
	return w.o.Age > 0 && !w.first.IsZero() && now.Sub(w.first) >= w.o.Age
}

// Next returns the path of the file that the rows that wait will be in.
func (w *Writer) Next() string { return filepath.Join(w.dir, w.o.Name(w.files+1)) }

// Flush writes the rows that wait as a file, if there are any.
func (w *Writer) Flush() error {
	if w.encoder.Rows() == 0 {
		return nil
	}
	w.encoder.DropUnused()
	path := w.Next()
	write := w.encoder.WriteParquet
	if w.o.IPC {
		write = w.encoder.WriteIPC
	}
	s, err := writeWhole(path, write)
	if err != nil {
		return fmt.Errorf("logfiles: %w", err)
	}
	w.encoder.Reset()
	w.files++
	w.first = time.Time{}
	w.written = append(w.written, File{path, s})
	return nil
}

// Written returns the files that were written since the last [Writer.Forget], the
// oldest first.
func (w *Writer) Written() []File { return w.written }

// Forget drops what [Writer.Written] returns, which otherwise grows with each file.
func (w *Writer) Forget() { w.written = nil }

// Close writes the rows that wait, if there are any, and closes the encoder. If
// the rows cannot be written the encoder stays open, so that Close can be called
// again.
func (w *Writer) Close() error {
	if err := w.Flush(); err != nil {
		return err
	}
	return w.encoder.Close()
}

// writeWhole writes a file under another name, brings it to the disk, and gives it
// its name. A file of that name is replaced.
func writeWhole(path string, write func(io.Writer) (arrowlog.Stats, error)) (s arrowlog.Stats, err error) {
	f, err := createTemporary(path)
	if err != nil {
		return s, err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if s, err = write(f); err != nil {
		return s, fmt.Errorf("%s: %w", path, err)
	}
	err = errors.Join(f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err == nil {
		err = SyncDir(filepath.Dir(path))
	}
	return s, err
}

// temporary is the form of the names of files that are being written: a dot, the name
// of the file and a number.
var temporary = regexp.MustCompile(`^\..+\.(parquet|arrow)\.tmp[0-9]+$`)

// createTemporary makes a file whose permissions are those that the process gives to
// new files.
func createTemporary(path string) (*os.File, error) {
	dir, base := filepath.Split(path)
	for {
		name := fmt.Sprintf("%s.%s.tmp%d", dir, base, rand.Uint32())
		f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// RemoveTemporary removes the files from a folder that a process did not finish
// writing because it was killed, and returns their names. No [Writer] may be writing
// into the folder.
func RemoveTemporary(dir string) (removed []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !temporary.MatchString(e.Name()) || !e.Type().IsRegular() {
			continue
		}
		if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
			return removed, err
		}
		removed = append(removed, e.Name())
	}
	return removed, nil
}
