package flow

// consume sends the results, gathered to a batch for as long as they are ready.
func (p *pool[I, O]) consume(down func(*batch[O]) error) error {
	defer func() {
		p.cancel()
		for range p.results {
		}
	}()
	o := newOut(p.r, down)
	for {
		var j *job[I, O]
		var open bool
		select {
		case j, open = <-p.results:
		default:
			if err := o.send(); err != nil {
				return err
			}
			j, open = <-p.results
		}
		if !open {
			break
		}
		if err := p.wait(j, o); err != nil {
			return err
		}
		at := 0
		if err := j.in.walk(func(in []I) error {
			for range in {
				made := &j.out[at]
				at++
				err := made.err
				if err == nil {
					err = o.add(made.v)
				} else {
					err = o.fail(err)
				}
				if err != nil {
					return err
				}
			}
			return nil
		}, o.fail); err != nil {
			return err
		}
		p.recycle(j)
	}
	if err := o.send(); err != nil {
		return err
	}
	if err := p.fatal.Load(); err != nil {
		return *err
	}
	return nil
}

// wait waits until j is done, and sends what is there before it does.
func (p *pool[I, O]) wait(j *job[I, O], o *out[O]) error {
	if !p.ordered {
		return nil
	}
	p.lead.shrink()
	select {
	case <-j.done:
		return nil
	default:
	}
	if err := o.send(); err != nil {
		return err
	}
	p.lead.stick()
	defer p.lead.loosen()
	select {
	case <-j.done:
		return nil
	case <-p.r.ctx.Done(): // it may not be done
		select {
		case <-j.done:
			return nil
		default:
			return p.ended()
		}
	}
}

// ended returns why the run ends before its time.
func (p *pool[I, O]) ended() error {
	if err := p.fatal.Load(); err != nil {
		return *err
	}
	return p.r.ended()
}

func (p *pool[I, O]) recycle(j *job[I, O]) {
	n := len(j.in.v)
	j.in.empty(p.in)
	clear(j.out[:n])
	if !checked {
		p.free <- j
	}
}
