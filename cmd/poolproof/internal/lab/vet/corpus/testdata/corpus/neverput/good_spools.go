package neverput

import "example.org/corpus/lib/spools"

func printedAndDone(line string, print func([]byte)) error {
	s := spools.Open() // fine "PV006" ended by the defer
	defer s.Done()
	if err := s.Add(line); err != nil {
		return err
	}
	print(s.Text())
	return nil
}

var spooling []*spools.Spool

func spoolLater(line string) {
	s := spools.Open() // fine "PV006" in the list
	_ = s.Add(line)
	spooling = append(spooling, s)
}
