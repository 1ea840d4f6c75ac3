package everyday

// What is put is this round's object; what was sent is an earlier round's.
func sendUntilDone(ch chan<- *job) {
	for {
		j := jobs.Get().(*job)
		if fill(j) {
			jobs.Put(j) // fine "PV004|PV001" not the one that was sent
			return
		}
		ch <- j
	}
}

func sendUntilBreak(ch chan<- *job) {
	for {
		j := jobs.Get().(*job)
		if fill(j) {
			jobs.Put(j) // fine "PV004|PV001" not the one that was sent
			break
		}
		ch <- j
	}
	close(ch)
}

func sendOrSkip(ch chan<- *job, n int) {
	for i := 0; i < n; i++ {
		j := jobs.Get().(*job)
		if fill(j) {
			jobs.Put(j) // fine "PV004|PV001" not the one that was sent
			continue
		}
		ch <- j
	}
}

func collectUntilDone() []*job {
	var list []*job
	for {
		j := jobs.Get().(*job)
		if fill(j) {
			jobs.Put(j)
			return list // fine "PV001|PV004" those of earlier rounds
		}
		list = append(list, j)
	}
}

func collectUntilBreak() []*job {
	var list []*job
	for {
		j := jobs.Get().(*job)
		if fill(j) {
			jobs.Put(j)
			break
		}
		list = append(list, j)
	}
	return list // fine "PV001|PV004" those of earlier rounds
}

func collectOrSkip(n int) []*job {
	list := make([]*job, 0, n)
	for range n {
		j := jobs.Get().(*job)
		if fill(j) {
			jobs.Put(j)
			continue
		}
		list = append(list, j)
	}
	return list // fine "PV001|PV004" those that were not put
}

func collectByIndex(ids []int) map[int]*job {
	all := make(map[int]*job)
	for _, id := range ids {
		j := jobs.Get().(*job)
		j.id = id
		if fill(j) {
			jobs.Put(j)
			continue
		}
		all[id] = j
	}
	return all // fine "PV001|PV004" those that were not put
}

type queue struct {
	last *job
	list []*job
}

func (q *queue) keepUntilDone() {
	for {
		j := jobs.Get().(*job)
		if fill(j) {
			jobs.Put(j) // fine "PV004" not one of the list
			return
		}
		q.list = append(q.list, j)
	}
}

func (q *queue) lastUntilDone() {
	for {
		j := jobs.Get().(*job)
		if fill(j) {
			jobs.Put(j) // fine "PV004" not the last one
			return
		}
		q.last = j
	}
}

func startUntilDone(work func(*job)) {
	for {
		j := jobs.Get().(*job)
		if fill(j) {
			jobs.Put(j) // fine "PV004" not one that was started
			return
		}
		go work(j)
	}
}

func chain() *node {
	var head *node
	for {
		n := nodes.Get().(*node)
		if n.val > 10 {
			nodes.Put(n)
			return head // fine "PV001" of earlier rounds
		}
		n.next = head
		head = n
	}
}

func selectUntilDone(ch chan<- *job, done <-chan struct{}) {
	for {
		j := jobs.Get().(*job)
		if fill(j) {
			jobs.Put(j) // fine "PV004|PV001" not the one that was sent
			return
		}
		select {
		case ch <- j:
		case <-done:
			jobs.Put(j) // fine "PV004|PV001" it was not sent
			return
		}
	}
}

func sendUntilStopped(ch chan<- *job, stop <-chan struct{}) {
	for {
		j := jobs.Get().(*job)
		select {
		case ch <- j:
		case <-stop:
			jobs.Put(j) // fine "PV004|PV002" this case has not sent it
			return
		}
	}
}

func sendOrDrop(ch chan<- *job, stop <-chan struct{}) (dropped int) {
	for {
		j := jobs.Get().(*job)
		if fill(j) {
			jobs.Put(j)
			return dropped
		}
		select {
		case <-stop:
			jobs.Put(j) // fine "PV004|PV002" this case has not sent it
			return dropped
		case ch <- j:
		default:
			dropped++
			jobs.Put(j) // fine "PV004|PV002" this case has not sent it
		}
	}
}
