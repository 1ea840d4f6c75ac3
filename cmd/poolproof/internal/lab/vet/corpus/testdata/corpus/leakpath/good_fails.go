package leakpath

import (
	"errors"
	"io"
	"runtime"

	"example.org/corpus/lib/spools"
)

// What fails before there is anything to lose.
func checkedFirst(user string) (*dialog, error) {
	if user == "" {
		return nil, errUser // fine "PV005" nothing was got yet
	}
	d := dialogs.Get().(*dialog)
	d.user = user
	return d, nil
}

// One that is too large is left to the collector.
func fitOnly(max int) (*dialog, error) {
	d := dialogs.Get().(*dialog)
	if cap(d.log) > max {
		return nil, errors.New("a log too large") // fine "PV005" it is not fit
	}
	return d, nil
}

// The caller gets both.
func withError(user string) (*dialog, error) {
	d := dialogs.Get().(*dialog)
	err := d.begin(user)
	return d, err // fine "PV005" with whatever error
}

type failed struct {
	d   *dialog
	why error
}

func (f *failed) Error() string { return f.why.Error() }

// The error has the dialog in it.
func inError(user string) (*dialog, error) {
	d := dialogs.Get().(*dialog)
	if err := d.begin(user); err != nil {
		return nil, &failed{d, err} // fine "PV005" with the error
	}
	return d, nil
}

// The list has it before it can fail.
func (s *speaker) listFirst(user string) error {
	d := dialogs.Get().(*dialog)
	s.talks = append(s.talks, d)
	if err := d.begin(user); err != nil {
		return err // fine "PV005" it is in the list
	}
	s.now = d
	return nil
}

func (s *speaker) enlist(d *dialog, user string) error {
	s.talks = append(s.talks, d)
	return d.begin(user)
}

// Who was asked keeps it, well or not.
func (s *speaker) enlisted(user string) (*dialog, error) {
	d := dialogs.Get().(*dialog)
	if err := s.enlist(d, user); err != nil {
		return nil, err // fine "PV005" in the list of the speaker
	}
	return d, nil
}

// The owner of the reader is told to close it.
func newSpeakerOf(r io.Reader) (*speaker, error) {
	s := &speaker{now: dialogs.Get().(*dialog)}
	if _, err := io.ReadFull(r, s.now.log); err != nil {
		s.close()
		return nil, err // fine "PV005" closed
	}
	return s, nil
}

func (s *speaker) close() {
	if s.now != nil {
		dialogs.Put(s.now)
		s.now = nil
	}
}

func fillSpoolOrEnd(lines []string) (*spools.Spool, error) {
	s := spools.Open()
	for _, l := range lines {
		if err := s.Add(l); err != nil {
			s.Done()
			return nil, err // fine "PV005" ended
		}
	}
	return s, nil
}

type machine struct{ user string }

// The collector puts the dialog when the machine goes.
func newMachine(user string) *machine {
	d := dialogs.Get().(*dialog)
	m := &machine{user: user}
	runtime.AddCleanup(m, func(d *dialog) { dialogs.Put(d) }, d) // fine "PV006" handed to the literal
	return m
}

var handlers []func(string) error

func handle(f func(string) error) error {
	handlers = append(handlers, f)
	return errUser
}

// The literal lives on, and the dialog with it.
func handled() error {
	d := dialogs.Get().(*dialog)
	if err := handle(func(u string) error { return d.begin(u) }); err != nil {
		return err // fine "PV005" the handler has it
	}
	dialogs.Put(d)
	return nil
}
