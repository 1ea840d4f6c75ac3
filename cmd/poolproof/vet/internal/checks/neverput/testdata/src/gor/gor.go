package gor

import "sync"

type item struct{ n int }

var items = sync.Pool{New: func() any { return new(item) }}

func use(i *item) { i.n++ }

func worker(i *item, wg *sync.WaitGroup) { i.n++; wg.Done() }

func bad(wg *sync.WaitGroup) {
	i := items.Get().(*item) // want `i comes from a pool`
	go worker(i, wg)
}

func bad2() {
	i := items.Get().(*item) // want `i comes from a pool`
	go func() {
		use(i)
	}()
}

func good2() {
	i := items.Get().(*item)
	go func() {
		use(i)
		items.Put(i)
	}()
}

func ends(i *item) { i.n = 0; items.Put(i) }

func good3(f func()) {
	i := items.Get().(*item)
	go ends(i)
}

func runs(i *item, f func(*item)) { f(i) }

func good4(f func(*item)) {
	i := items.Get().(*item)
	go runs(i, f)
}

var all []*item

func keeps(i *item) { all = append(all, i) }

func good5() {
	i := items.Get().(*item)
	go keeps(i)
}
func good6() {
	i := items.Get().(*item)
	var wg sync.WaitGroup
	wg.Add(1)
	go worker(i, &wg)
	wg.Wait()
	items.Put(i)
}
