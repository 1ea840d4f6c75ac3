package a

import "context"

type job struct {
	page  *page
	done  chan error
	reply func(error)
	retry bool
}

func work(in <-chan *page, s *writer) {
	for p := range in {
		if s.closed {
			s.sent++ // want `from here on, the next round of the loop receives another object and loses p, which line \d+ puts on another path`
			continue
		}
		s.out = append(s.out, p.data...)
		putPage(p)
	}
}

func workUntil(ctx context.Context, in <-chan *page, out chan<- []byte) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case p := <-in:
			select {
			case <-ctx.Done():
				return ctx.Err() // want `this return of an error loses p, which came from a channel and which line \d+ puts on another path`
			case out <- append([]byte(nil), p.data...):
			}
			putPage(p)
		}
	}
}

func workWell(ctx context.Context, in <-chan *page, out chan<- *page, s *writer) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case p, ok := <-in:
			if !ok {
				return nil
			}
			if p == nil {
				s.sent++
				continue
			}
			if p.last { // the page says what becomes of it
				s.sent++
				continue
			}
			select {
			case <-ctx.Done():
				putPage(p)
				return ctx.Err()
			case out <- p:
				continue
			default:
			}
			putPage(p)
		}
	}
}

// A put that is left out is no way of its own.
func workIfPooling(in <-chan *page, s *writer) {
	for p := range in {
		s.out = append(s.out, p.data...)
		if s.limit > 0 {
			putPage(p)
		}
	}
}

func jobs(in <-chan *job, s *writer) {
	for j := range in {
		if s.closed {
			s.sent++ // want `loses j.page`
			continue
		}
		if s.sent > 3 {
			s.sent = 0
			j.done <- errClosed // the sender has the job again
			continue
		}
		if s.sent > 2 {
			s.sent = 0
			j.reply(errClosed)
			continue
		}
		if j.retry {
			s.sent--
			continue
		}
		putPage(j.page)
	}
}

// The same, with work that both ways do.
func workIfPoolingAndCount(in <-chan *page, s *writer) {
	for p := range in {
		if s.limit > 0 {
			putPage(p)
		}
		s.sent++
	}
}

type source interface{ Read([]byte) (int, error) }

// An object that other rounds send.
func (w *writer) fill(r source, out chan<- *page) {
	for {
		p := pages.Get().(*page) // want `the next round of the loop gets another object and loses p`
		if _, err := r.Read(p.data); err != nil {
			w.sent++
			continue
		}
		out <- p
	}
}

// Without a result for the error.
func (w *writer) fillOne(r source, out chan<- *page) {
	p := pages.Get().(*page)
	if _, err := r.Read(p.data); err != nil {
		w.sent++
		return // want `this return of an error loses p`
	}
	out <- p
}

// Not because of an error.
func (w *writer) fillSome(r source, out chan<- *page) {
	for w.sent < w.limit {
		p := pages.Get().(*page)
		n, err := r.Read(p.data)
		if err != nil {
			putPage(p)
			continue
		}
		if n == 0 {
			w.later(p)
			continue
		}
		out <- p
	}
}

func (w *writer) later(p *page) { kept = append(kept, p) }

// The sender has the job again, by what is in it.
func answered(in <-chan *job, s *writer) {
	for j := range in {
		if s.limit > 3 {
			j.done <- errClosed
			continue
		}
		if s.limit > 2 {
			j.reply(errClosed)
			continue
		}
		if s.limit > 1 {
			close(j.done)
			continue
		}
		putPage(j.page)
	}
}
