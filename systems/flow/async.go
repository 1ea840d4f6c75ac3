package flow

// Async lets the stages before this place run on a goroutine of their own, ahead of
// those after it by up to depth batches that wait. Batches are recycled: at most
// depth + 2 exist. Order is kept. It pays where both sides have work, or wait, at
// the same time; a batch that crosses costs less than a microsecond, a value of a
// full batch some nanoseconds. With depth 0 each batch is handed over when it is
// asked for. It panics if depth is negative, or more than 1<<20.
func (s Stream[T]) Async(depth int) Stream[T] {
	s.check()
	within("Async", "depth", depth, 0)
	s.mayCross("Async")
	n := newNode("async", s.node).with("up to %d batches wait", depth).across()
	return Stream[T]{node: n, run: func(r *run, down func(*batch[T]) error) error {
		b := newBoundary(r, depth, 1, s.own)
		n.queue(r, func() (int, int) { return len(b.full), depth })
		b.produce(s)
		return b.consume(down)
	}}
}

// Merge returns what all streams have, as it comes: the order in each is kept, that
// between them is not. Each runs on a goroutine of its own. A fatal error of one
// ends all, after what was sent before it.
func Merge[T any](streams ...Stream[T]) Stream[T] {
	ups := make([]*node, len(streams))
	for i, s := range streams {
		s.check()
		s.mayCross("Merge")
		ups[i] = s.node
	}
	n := newNode("merge", ups...).across()
	return Stream[T]{node: n, run: func(r *run, down func(*batch[T]) error) error {
		if len(streams) == 0 {
			return nil
		}
		b := newBoundary[T](r, len(streams), len(streams), nil)
		n.queue(r, func() (int, int) { return len(b.full), cap(b.full) })
		for _, s := range streams {
			go b.producer(func() error {
				return s.start(b.r, func(from *batch[T]) error {
					to := b.take()
					from.moveTo(to, s.own)
					return b.give(to)
				})
			})
		}
		return b.consume(down)
	}}
}
