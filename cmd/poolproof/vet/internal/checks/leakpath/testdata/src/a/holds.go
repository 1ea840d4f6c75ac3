package a

import "errors"

// A hold is a struct that may be empty: its methods say so.
type hold struct{ value *[]string }

type shelf struct{ current *[]string }

//poolproof:gives
func (s *shelf) acquire() hold { return hold{s.current} }

func (h *hold) ok() bool       { return h.value != nil }
func (h *hold) get() *[]string { return h.value }

//poolproof:owns h.value
func (h *hold) release() { h.value = nil }

func nothingHeld(s *shelf) (int, error) {
	h := s.acquire()
	if !h.ok() {
		return 0, errors.New("empty")
	}
	defer h.release()
	return len(*h.get()), nil
}

func nilHeld(s *shelf) (int, error) {
	h := s.acquire()
	rows := h.get()
	if rows == nil {
		return 0, errors.New("empty")
	}
	n := len(*rows)
	h.release()
	return n, nil
}

func lostWhereItIsShort(s *shelf, i int) (string, error) {
	h := s.acquire()
	rows := h.get()
	if i >= len(*rows) {
		return "", errors.New("no row") // want `this return of an error loses h`
	}
	row := (*rows)[i]
	h.release()
	return row, nil
}

func lostWhereSomethingIsHeld(s *shelf) (int, error) {
	h := s.acquire()
	if h.ok() {
		return 0, errors.New("full") // want `this return of an error loses h`
	}
	h.release()
	return 0, nil
}
