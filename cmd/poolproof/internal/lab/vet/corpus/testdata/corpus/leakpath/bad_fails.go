package leakpath

import (
	"fmt"
	"io"

	"example.org/corpus/lib/spools"
)

// Functions that hand an object over if all goes well, and forget it if not.

type speaker struct {
	talks []*dialog
	now   *dialog
}

// tryDialog is openDialog without the put.
func tryDialog(user string) (*dialog, error) {
	s := dialogs.Get().(*dialog)
	s.log = s.log[:0]
	if err := s.begin(user); err != nil {
		return nil, fmt.Errorf("dialog: %w", err) // want "PV005"
	}
	return s, nil
}

// greet keeps the dialog, but not one without a user.
func (s *speaker) greet(user string) error {
	d := dialogs.Get().(*dialog)
	if user == "" {
		return errUser // want "PV005"
	}
	d.user = user
	s.now = d
	return nil
}

// greetAll has a list of those that were greeted.
func (s *speaker) greetAll(users []string) error {
	for _, u := range users {
		d := dialogs.Get().(*dialog)
		if err := d.begin(u); err != nil {
			return err // want "PV005"
		}
		s.talks = append(s.talks, d)
	}
	return nil
}

// newSpeaker has the dialog in a struct of its own by then.
func newSpeaker(r io.Reader) (*speaker, error) {
	s := &speaker{now: dialogs.Get().(*dialog)}
	if _, err := io.ReadFull(r, s.now.log); err != nil {
		return nil, err // want "PV005"
	}
	return s, nil
}

// fillSpool loses the page of the spool.
func fillSpool(lines []string) (*spools.Spool, error) {
	s := spools.Open()
	for _, l := range lines {
		if err := s.Add(l); err != nil {
			return nil, err // want "PV005"
		}
	}
	return s, nil
}

// countIn asks each of them, by a literal, and forgets the dialog when one fails.
func countIn(users []string) (int, error) {
	d := dialogs.Get().(*dialog)
	err := eachUser(users, func(u string) error { return d.begin(u) })
	if err != nil {
		return 0, err // want "PV005"
	}
	n := len(d.log)
	dialogs.Put(d)
	return n, nil
}

func eachUser(users []string, f func(string) error) error {
	for _, u := range users {
		if err := f(u); err != nil {
			return err
		}
	}
	return nil
}
