// Package results keeps what a tool of the laboratory found, so that a run that was
// stopped goes on where it was.
package results

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
)

// Log keeps results in a file, one JSON object a line. Without a name it keeps them
// in memory only.
type Log[T any] struct {
	name string
	All  []T // in their order
}

// Open reads what is in the file, if there is one. A line that was not written to its
// end is passed over.
func Open[T any](name string) (*Log[T], error) {
	l := &Log[T]{name: name}
	if name == "" {
		return l, nil
	}
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var one T
		if json.Unmarshal(lines.Bytes(), &one) == nil {
			l.All = append(l.All, one)
		}
	}
	return l, lines.Err()
}

// Add keeps a result: it is on the disk when Add returns.
func (l *Log[T]) Add(one T) error {
	l.All = append(l.All, one)
	if l.name == "" {
		return nil
	}
	line, err := json.Marshal(one)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(l.name, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	if size, err := f.Seek(0, 2); err == nil && size > 0 {
		last := make([]byte, 1)
		if _, err := f.ReadAt(last, size-1); err == nil && !bytes.Equal(last, []byte("\n")) {
			line = append([]byte("\n"), line...) // ends the line that was not written to its end
		}
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Sync(), f.Close())
}

// Last returns the last result that is like the one that is asked for.
func (l *Log[T]) Last(like func(T) bool) (one T, ok bool) {
	for i := len(l.All) - 1; i >= 0; i-- {
		if like(l.All[i]) {
			return l.All[i], true
		}
	}
	return one, false
}
