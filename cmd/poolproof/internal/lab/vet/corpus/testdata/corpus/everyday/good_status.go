package everyday

import "sync"

type code int

const (
	codeOK code = iota
	codeAgain
	codeClosed
)

var readMu sync.Mutex

// readJob returns no job unless its code is codeOK.
func readJob(read func([]byte) code) (j *job, c code) {
	j = jobs.Get().(*job)
	if c := read(j.data); c != codeOK {
		jobs.Put(j)
		return nil, c
	}
	readMu.Lock()
	defer readMu.Unlock()
	j.id++
	return j, codeOK
}

func readAll(read func([]byte) code, handle func(*job)) {
	for {
		j, c := readJob(read)
		switch c {
		case codeOK:
		case codeAgain:
			continue // fine "PV005" no job came with it
		default:
			return // fine "PV005" no job came with it
		}
		handle(j)
		jobs.Put(j)
	}
}
