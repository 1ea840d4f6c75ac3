package suite

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Log keeps results in a file, one JSON object a line, so that a run that was
// stopped goes on where it was. Without a name it keeps them in memory only.
type Log[T any] struct {
	name string
	all  []T
}

// OpenLog reads what is in the file, if there is one.
func OpenLog[T any](name string) (*Log[T], error) {
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
	for n := 1; lines.Scan(); n++ {
		var one T
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		l.all = append(l.all, one)
	}
	return l, lines.Err()
}

// Add keeps a result.
func (l *Log[T]) Add(one T) error {
	l.all = append(l.all, one)
	if l.name == "" {
		return nil
	}
	b, err := json.Marshal(one)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(l.name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(append(b, '\n'))
	return errors.Join(err, f.Close())
}

// Last returns the last result that is like the one that is asked for.
func (l *Log[T]) Last(like func(T) bool) (one T, ok bool) {
	for i := len(l.all) - 1; i >= 0; i-- {
		if like(l.all[i]) {
			return l.all[i], true
		}
	}
	return one, false
}
