// Package jobrun runs jobs.
package jobrun

import (
	"log"
	"sync"
)

type job struct {
	name    string
	verbose bool
	tries   int
}

var jobs = sync.Pool{New: func() any { return new(job) }}

// Run runs f, three times if need be.
func Run(name string, verbose bool, f func() error) error {
	j := jobs.Get().(*job)
	*j = job{name: name, verbose: verbose}
	defer jobs.Put(j)
	for {
		err := f()
		j.tries++
		if err == nil || j.tries == 3 {
			return err
		}
		if j.verbose {
			log.Printf("%s: try %d: %v", j.name, j.tries, err)
		}
	}
}
