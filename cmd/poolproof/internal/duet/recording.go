package duet

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// measured is what measuring gives beside the columns of the record.
type measured struct {
	shape Shape
	turn  string        // "old" or "new": the side that was asked last
	cpu   time.Duration // of all processes
}

// record frames the measuring of one launch: what is known before, the load
// of the machine meanwhile, and a record of the failure where a benchmark
// cannot be measured.
func (l Launch) record(ctx context.Context, form study.Form, measure func(*study.Record) (measured, error)) (study.Record, Shape, error) {
	host, _ := os.Hostname()
	r := study.Record{
		Schema: study.Schema, Plan: l.Plan, Comparison: l.Comparison, Form: form, Layout: l.Layout, Launch: l.Number,
		Status: study.StatusOK, Started: time.Now().UTC().Truncate(time.Millisecond), Machine: host,
	}
	meter, start := startLoad(), time.Now()
	m, err := measure(&r)
	r.Seconds = time.Since(start).Seconds()
	r.Load = meter.end(m.cpu)
	var failed *BenchError
	if errors.As(err, &failed) && ctx.Err() == nil {
		r.Status, r.Error, r.FailedSide = failed.Status, failed.Text, m.turn
		r.Old, r.New, r.NewFirst = study.Columns{}, study.Columns{}, nil
		return r, m.shape, nil
	}
	return r, m.shape, err
}
