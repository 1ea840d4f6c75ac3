// Package prom shows the statistics of pools in Prometheus.
//
//	prometheus.MustRegister(prom.NewCollector())
//
// Package metrics says what the figures mean and when one is left out.
package prom

import (
	"slices"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/poolproof/poolproof/metrics"
	"github.com/poolproof/poolproof/metrics/internal/figures"
)

// Collector is a prometheus.Collector. It is safe for concurrent use.
type Collector struct {
	sources []metrics.Source
	descs   map[*figures.Metric]*prometheus.Desc // not changed
}

var _ prometheus.Collector = (*Collector)(nil)

// NewCollector returns a collector of the sources; without any, of all pools
// that have a name. A registry accepts one Collector: a second one is refused
// with prometheus.AlreadyRegisteredError, as it could report the same pools. So
// all sources of a registry go into one.
func NewCollector(sources ...metrics.Source) *Collector {
	c := &Collector{sources: orNamed(sources), descs: make(map[*figures.Metric]*prometheus.Desc)}
	for _, m := range figures.All() {
		c.descs[m] = prometheus.NewDesc(name(m), m.Help+".", m.Labels, nil)
	}
	return c
}

// orNamed returns a copy of sources; without any, all pools that have a name.
func orNamed(sources []metrics.Source) []metrics.Source {
	if len(sources) == 0 {
		return []metrics.Source{metrics.Named()}
	}
	return slices.Clone(sources)
}

// name returns m's name by the conventions of Prometheus.
func name(m *figures.Metric) string {
	s := "poolproof_" + m.Name
	switch m.Unit {
	case figures.Bytes:
		s += "_bytes"
	case figures.Seconds:
		s += "_seconds"
	case figures.Quotient:
		s += "_ratio"
	}
	if m.Kind == figures.Counter {
		s += "_total"
	}
	return s
}

// Describe implements prometheus.Collector.
func (c *Collector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range c.descs {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (c *Collector) Collect(to chan<- prometheus.Metric) {
	for _, s := range figures.Read(c.sources...) {
		kind := prometheus.GaugeValue
		if s.Metric.Kind == figures.Counter {
			kind = prometheus.CounterValue
		}
		to <- prometheus.MustNewConstMetric(c.descs[s.Metric], kind, s.Value, s.Labels...)
	}
}
