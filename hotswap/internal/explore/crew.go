package explore

import "iter"

// crew is the coroutines of the threads of one execution after another. With new
// ones for each execution, much of the time would go into growing their stacks.
type crew []*worker

// worker is a coroutine that runs functions. It tells who resumes it whether the
// function has ended.
type worker struct {
	f      func()
	resume func() (ended, ok bool)
	stop   func() // ends the function, too, if it has not ended
	yield  func(ended bool) bool
}

// worker returns one that runs f when it is resumed. What the worker of that
// number ran before has ended.
func (c *crew) worker(number int, f func()) *worker {
	if number == len(*c) {
		w := new(worker)
		w.resume, w.stop = iter.Pull(w.work)
		*c = append(*c, w)
	}
	w := (*c)[number]
	w.f = f
	return w
}

func (w *worker) work(yield func(ended bool) bool) {
	w.yield = yield
	for {
		w.f()
		if !yield(true) {
			return
		}
	}
}

// stop ends all.
func (c *crew) stop() {
	for _, w := range *c {
		w.stop()
	}
}
