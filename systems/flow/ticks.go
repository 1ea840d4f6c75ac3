package flow

import (
	"fmt"
	"time"
)

// Ticks returns the stream of the times at which each of the durations every has passed
// since the run began. It has no end but that of its context, or of a later stage such as
// [Stream.Take]. A tick that comes while the stages are still busy with the one before
// waits; of several that come meanwhile the first one is sent and the others are left out.
// It panics if every is not positive.
func Ticks(every time.Duration) Stream[time.Time] {
	if every <= 0 {
		panic(fmt.Sprintf("flow: Ticks: every is %v; it must be positive", every))
	}
	return Stream[time.Time]{node: newNode("ticks", nil).with("each %v", every), run: func(r *run, down func(*batch[time.Time]) error) error {
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		var b batch[time.Time]
		for {
			if err := r.ended(); err != nil {
				return err
			}
			select {
			case <-r.ctx.Done():
			case at := <-ticker.C:
				b.v = append(b.v[:0], at)
				if err := down(&b); err != nil {
					return err
				}
			}
		}
	}}
}
