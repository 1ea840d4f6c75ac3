package neverput

import "example.org/corpus/lib/spools"

// printed forgets that a spool has a page of the pool.
func printed(line string, print func([]byte)) error {
	s := spools.Open() // want "PV006"
	if err := s.Add(line); err != nil {
		return err
	}
	print(s.Text())
	return nil
}
