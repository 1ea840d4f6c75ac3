package leakpath

import (
	"errors"
	"sync"
)

// A getter that puts where it fails, and so only there.

type dialog struct {
	user string
	log  []byte
}

var (
	dialogs = sync.Pool{New: func() any { return new(dialog) }}
	errUser = errors.New("no such user")
)

func (s *dialog) begin(user string) error {
	if user == "" {
		return errUser
	}
	s.user = user
	return nil
}

func openDialog(user string) (*dialog, error) {
	s := dialogs.Get().(*dialog)
	if err := s.begin(user); err != nil {
		dialogs.Put(s)
		return nil, err
	}
	return s, nil
}

// openDialogDeferred does the same by a defer.
func openDialogDeferred(user string) (s *dialog, err error) {
	s = dialogs.Get().(*dialog)
	defer func() {
		if err != nil {
			dialogs.Put(s)
			s = nil
		}
	}()
	if err := s.begin(user); err != nil {
		return nil, err
	}
	return s, nil
}

// openFitDialog tries until one is fit.
func openFitDialog(user string) *dialog {
	for {
		s := dialogs.Get().(*dialog)
		if cap(s.log) <= 1<<16 && s.begin(user) == nil {
			return s
		}
		dialogs.Put(s)
	}
}

func count(user string) (int, error) {
	s, err := openDialog(user) // want "PV006"
	if err != nil {
		return 0, err
	}
	return len(s.user), nil
}

func countDeferred(user string) (int, error) {
	s, err := openDialogDeferred(user) // want "PV006"
	if err != nil {
		return 0, err
	}
	return len(s.user), nil
}

func countFit(user string, check func(string) error) (int, error) {
	s := openFitDialog(user)
	if err := check(user); err != nil {
		return 0, err // want "PV005"
	}
	n := len(s.log)
	dialogs.Put(s)
	return n, nil
}
