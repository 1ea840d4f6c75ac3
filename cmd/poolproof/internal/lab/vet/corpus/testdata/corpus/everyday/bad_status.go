package everyday

// The first job is read to see whether there is one, and lost.
func probe(read func([]byte) code) bool {
	j, c := readJob(read)
	if c == codeOK {
		return true // want "PV005"
	}
	jobs.Put(j)
	return false
}
