package useafterput

import (
	"errors"
	"sync"
)

// A request is put when nothing is left to do, and its methods tell whether they
// have put it.
type request struct {
	name  string
	left  int
	beats int
	next  int
}

var (
	requests = sync.Pool{New: func() any { return new(request) }}
	errBusy  = errors.New("busy")
)

func (r *request) putIfDone() bool {
	if r != nil && r.left <= 0 {
		r.name = ""
		requests.Put(r)
		return true
	}
	return false
}

func (r *request) close() error {
	if r.left > 0 {
		return errBusy
	}
	requests.Put(r)
	return nil
}

// keep tells the opposite.
func (r *request) keep() (kept bool) {
	kept = r.left > 0
	if !kept {
		requests.Put(r)
	}
	return kept
}

func serveWrong(r *request, forget func(string)) {
	if done := r.putIfDone(); done && forget != nil {
		forget(r.name) // want "PV001"
	}
}

func closeLogged(r *request, log func(string)) error {
	err := r.close()
	if err != nil {
		return err
	}
	log(r.name) // want "PV001"
	return nil
}

func notKept(r *request) int {
	if !r.keep() {
		return r.beats // want "PV001"
	}
	return 0
}

func closeTwice(r *request) error {
	if err := r.close(); err != nil {
		return err
	}
	return r.close() // want "PV001|PV002"
}
