// Package metrics sends samples.
package metrics

import (
	"strconv"
	"sync"
)

type sample struct {
	name   string
	labels []string
	value  float64
}

var samples = sync.Pool{New: func() any { return new(sample) }}

func reset(s *sample) {
	s.name = ""
	s.labels = s.labels[:0]
	s.value = 0
}

// Parse returns a sample by value.
func Parse(fields []string) (out sample, err error) {
	s := samples.Get().(*sample)
	defer samples.Put(s)
	reset(s)
	s.name = fields[0]
	s.labels = append(s.labels, fields[2:]...)
	s.value, err = strconv.ParseFloat(fields[1], 64)
	if err != nil {
		return sample{}, err
	}
	return *s, nil // want "PV003|PV001|PV004"
}

type registry struct {
	all    []*sample
	latest map[string]*sample
}

// Add keeps the newest sample of each name.
func (r *registry) Add(name string, v float64) {
	s := samples.Get().(*sample)
	reset(s)
	s.name, s.value = name, v
	old := r.latest[name]
	r.latest[name] = s
	r.all = append(r.all, s)
	if old != nil {
		samples.Put(old)
	}
}

// Flush sends all samples.
func (r *registry) Flush(send func(name string, v float64) error) error {
	for _, s := range r.all {
		if err := send(s.name, s.value); err != nil {
			return err
		}
		samples.Put(s)
	}
	for _, s := range r.all { // want "PV001"
		delete(r.latest, s.name)
	}
	r.all = r.all[:0]
	return nil
}
