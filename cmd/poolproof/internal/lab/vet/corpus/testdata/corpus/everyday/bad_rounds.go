package everyday

func sendAndPut(ch chan<- *job) {
	for {
		j := jobs.Get().(*job)
		ch <- j // want "PV004"
		if fill(j) {
			jobs.Put(j)
			return
		}
	}
}

func collectAndPut() []*job {
	var list []*job
	for {
		j := jobs.Get().(*job)
		list = append(list, j)
		if fill(j) {
			jobs.Put(j)
			return list // want "PV001|PV004"
		}
	}
}

func sendOnePut(ch chan<- *job, n int) {
	j := jobs.Get().(*job)
	for range n {
		ch <- j // want "PV004"
	}
	jobs.Put(j)
}

func putEveryRound() {
	j := jobs.Get().(*job)
	for !fill(j) {
		jobs.Put(j) // want "PV002|PV001"
	}
}

func putAndCollect() []*job {
	var list []*job
	for {
		j := jobs.Get().(*job)
		if fill(j) {
			return list
		}
		jobs.Put(j)
		list = append(list, j) // want "PV001"
	}
}

func sendAndPutInTheCase(ch chan<- *job, stop <-chan struct{}) {
	for {
		j := jobs.Get().(*job)
		select {
		case ch <- j: // want "PV004"
			jobs.Put(j)
		case <-stop:
			jobs.Put(j)
			return
		}
	}
}

func sendOrGiveUp(ch chan<- *job) {
	j := jobs.Get().(*job)
	select {
	case ch <- j: // want "PV004"
	default:
		return
	}
	jobs.Put(j)
}
