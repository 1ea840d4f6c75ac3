package everyday

import "context"

// The rule puts itself where it checks, and the outcome is read without a merge.
func checkedAndLost(n int) int {
	o := outcomes.Get().(*outcome) // want "PV005|PV006"
	o.errs = o.errs[:0]
	o.recycle = true
	return n + len(o.errs)
}

func checkedSome(list []int) *outcome {
	all := newOutcome(false)
	for _, n := range list {
		o := outcomes.Get().(*outcome)
		if n > 3 {
			continue // want "PV005"
		}
		all.merge(o)
	}
	return all
}

// The array is the function's own, and goes nowhere.
func pairOfNone() int {
	r := rules.Get().(*rule) // want "PV005|PV006"
	parts := [2]*rule{r, nil}
	return parts[0].limit
}

// Nothing empties the variable.
func (l *link) forwardAndPut(data []byte) {
	p := packets.Get().(*packet)
	defer func() {
		if p != nil {
			p.recycle()
		}
	}()
	p.data = append(p.data[:0], data...)
	l.in <- p // want "PV004"
}

func (l *link) forwardAndPutBy(ctx context.Context, data []byte) error {
	p := packets.Get().(*packet)
	defer func() {
		if p != nil {
			p.recycle()
		}
	}()
	if err := ctx.Err(); err != nil {
		p = nil // it is lost there
		return err
	}
	p.data = append(p.data[:0], data...)
	l.in <- p // want "PV004"
	return nil
}

// The sum is not what the count was set to.
func (c *counted) size(d int32) int32 {
	n := c.owners.Load()
	return n + d
}

func (c *counted) end() {
	if c.size(1) == 0 {
		counteds.Put(c)
		return
	}
	counteds.Put(c)
}

func endedTwice() {
	c := newCounted()
	c.end()
	c.end() // want "PV002"
}
