// Package jobflags runs jobs, some of them loudly.
package jobflags

import (
	"log"
	"sync"
)

// Job is a piece of work.
type Job struct {
	Name    string
	verbose bool
	run     func() error
}

var jobs = sync.Pool{New: func() any { return new(Job) }}

// Debug says whether jobs of this name are verbose.
var Debug = func(name string) bool { return false }

// Run runs f.
func Run(name string, f func() error) error {
	j := jobs.Get().(*Job)
	defer jobs.Put(j)
	if j.verbose { // want "PV011"
		log.Printf("verbose: %s", name)
	}
	j.Name, j.run = name, f
	if Debug(name) {
		j.verbose = true
	}
	err := j.run()
	if err != nil && j.verbose {
		log.Printf("%s: %v", j.Name, err)
	}
	return err
}
