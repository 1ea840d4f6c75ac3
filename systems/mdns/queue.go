package mdns

import "container/heap"

// queue holds entries by what is next in their lives.
type queue []*entry

// put puts an entry where its next time belongs.
func (q *queue) put(e *entry) {
	if e.place >= 0 {
		heap.Fix((*order)(q), e.place)
		return
	}
	heap.Push((*order)(q), e)
}

func (q *queue) remove(e *entry) {
	if e.place >= 0 {
		heap.Remove((*order)(q), e.place)
	}
}

// first returns the entry whose time comes first, nil if there is none.
func (q queue) first() *entry {
	if len(q) == 0 {
		return nil
	}
	return q[0]
}

// order is the queue as package heap sees it.
type order []*entry

func (o order) Len() int           { return len(o) }
func (o order) Less(i, j int) bool { return o[i].next.Before(o[j].next) }

func (o order) Swap(i, j int) {
	o[i], o[j] = o[j], o[i]
	o[i].place, o[j].place = i, j
}

func (o *order) Push(x any) {
	e := x.(*entry)
	e.place = len(*o)
	*o = append(*o, e)
}

func (o *order) Pop() any {
	last := len(*o) - 1
	e := (*o)[last]
	(*o)[last] = nil
	*o = (*o)[:last]
	e.place = -1
	return e
}
