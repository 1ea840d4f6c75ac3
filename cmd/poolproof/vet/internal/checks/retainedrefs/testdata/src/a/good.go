package a

import "io"

func cleared(w io.Writer) {
	j := jobs.Get().(*job)
	j.dst = w
	j.dst = nil
	jobs.Put(j)
}

func elementsCleared(all []*int) int {
	p := lists.Get().(*[]*int)
	*p = append((*p)[:0], all...)
	n := len(*p)
	clear(*p)
	*p = (*p)[:0]
	lists.Put(p)
	return n
}

func (j *job) reset() { *j = job{} }

func byMethod(w io.Writer) {
	j := jobs.Get().(*job)
	j.dst = w
	j.reset()
	jobs.Put(j)
}
