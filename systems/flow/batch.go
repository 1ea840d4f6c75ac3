package flow

// batch is the unit that stages pass on: values, and the errors among them. It
// is lent: the stage that gets it must not change it, and must not use it once it
// has returned.
//
// Read it as the merge of v and errs: an error with pos i comes before v[i], errors
// of the same pos in their order. Stages keep this order, which is that of a loop
// over single items. Proof, by induction over the items of the merge: a stage
// appends the outputs of each item, values to v or an error with pos len(v), to the
// batch that it sends, after those of the items before. Sending the batch and going
// on with an empty one changes neither the order nor the content of the
// concatenation.
type batch[T any] struct {
	v    []T
	errs []itemError // pos never decreases
	// moves says that v may be exchanged for another slice by the stage that gets
	// the batch, in place of copying it: see moveTo.
	moves bool
}

// itemError is an error between the values of a batch.
type itemError struct {
	pos int // the number of values of the batch that come before it
	err error
}

// items returns the number of values and errors.
func (b *batch[T]) items() int { return len(b.v) + len(b.errs) }

// walk calls values with the values between errors, and failed with each error, in
// order, until one of them returns an error.
func (b *batch[T]) walk(values func([]T) error, failed func(error) error) error {
	from := 0
	for _, e := range b.errs {
		if e.pos > from {
			if err := values(b.v[from:e.pos]); err != nil {
				return err
			}
			from = e.pos
		}
		if err := failed(e.err); err != nil {
			return err
		}
	}
	if from < len(b.v) {
		return values(b.v[from:])
	}
	return nil
}

// moveTo gives dst, which is empty, what b holds: the slice itself if b moves, and
// then b has the one of dst, else a copy. Copies are made of values that are lent.
func (b *batch[T]) moveTo(dst *batch[T], own func([]T)) {
	if b.moves {
		b.v, dst.v = dst.v[:0], b.v
		b.errs, dst.errs = dst.errs[:0], b.errs
	} else {
		dst.v = append(dst.v[:0], b.v...)
		dst.errs = append(dst.errs[:0], b.errs...)
	}
	if own != nil {
		own(dst.v)
	}
}

// empty makes b ready for its next use.
func (b *batch[T]) empty(pointers bool) {
	b.v = retire(b.v, pointers)
	clear(b.errs)
	b.errs = b.errs[:0]
}

// out is the batch of a stage that writes one, and where it goes.
type out[T any] struct {
	batch[T]
	look
	size     int
	pointers bool
	down     func(*batch[T]) error
	broken   bool // down has returned an error: nothing more is to be sent
}

func newOut[T any](r *run, down func(*batch[T]) error) *out[T] {
	return &out[T]{batch: batch[T]{moves: true}, look: newLook(r), size: r.size, pointers: hasPointers[T](), down: down}
}

// room returns o.v with its capacity, which is at least n more than its length.
func (o *out[T]) room(n int) []T {
	if cap(o.v)-len(o.v) < n {
		grown := make([]T, len(o.v), max(len(o.v)+n, o.size))
		copy(grown, o.v)
		o.v = grown
	}
	return o.v[:cap(o.v)]
}

// add appends a value, and sends the batch if it is full.
func (o *out[T]) add(v T) error {
	if cap(o.v) == 0 {
		o.room(o.size)
	}
	o.v = append(o.v, v)
	if len(o.v) >= o.size {
		return o.send()
	}
	return nil
}

// fail appends an item error, and sends the batch if there are many. [Drop] is not
// one: it leaves its item out.
func (o *out[T]) fail(err error) error {
	if err == Drop {
		return nil
	}
	o.errs = append(o.errs, itemError{len(o.v), err})
	if len(o.errs) >= o.size {
		return o.send()
	}
	return nil
}

// send hands the batch to the next stage if there is anything in it, and empties
// it.
func (o *out[T]) send() error {
	if len(o.v) == 0 && len(o.errs) == 0 {
		return nil
	}
	err := o.down(&o.batch)
	o.broken = err != nil
	o.empty(o.pointers)
	return err
}

// attend sends the batch and asks for the end of the context, when the pulse has
// beaten. A stage calls it between items.
func (o *out[T]) attend() error {
	if !o.due() {
		return nil
	}
	if err := o.up(); err != nil {
		return err
	}
	o.r.pulse.ask()
	return o.send()
}

// begin is called for each batch that a stage gets, with its number of items.
func (o *out[T]) begin(items int) error {
	if items > 1 {
		o.r.pulse.ask()
	}
	if !o.due() {
		return nil
	}
	return o.up()
}

// through runs s: values and failed append what comes of an item to o, which is sent
// after each batch, so that no stage holds anything back.
func through[I, O any](s Stream[I], r *run, o *out[O], values func([]I) error, failed func(error) error) error {
	return s.start(r, func(b *batch[I]) error {
		if err := o.begin(b.items()); err != nil {
			return err
		}
		if err := b.walk(values, failed); err != nil {
			return err
		}
		return o.send()
	})
}
