// Package otel shows the statistics of pools in OpenTelemetry.
//
//	registration, err := otel.Register(provider)
//
// Package metrics says what the figures mean and when one is left out. The
// instruments have names such as poolproof.gets and poolproof.in_use, and their
// unit beside them; where they are exported to Prometheus they get the names
// that package prom has.
package otel

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/poolproof/poolproof/metrics"
	"github.com/poolproof/poolproof/metrics/internal/figures"
)

// Scope is the name of the meter that the instruments belong to.
const Scope = "github.com/poolproof/poolproof/metrics/otel"

// Register makes the instruments and has them observed at each collection of
// provider: from the sources, or without any from all pools that have a name.
// The registration's Unregister ends that; until then it keeps the sources. A
// second Register with the same provider would report the same figures twice
// over, and how that is treated is up to the provider: so all sources go into
// one.
//
// The error names each instrument that provider refused; then nothing is
// observed and the registration is nil.
func Register(provider metric.MeterProvider, sources ...metrics.Source) (metric.Registration, error) {
	if provider == nil {
		return nil, errors.New("otel: the MeterProvider is nil; pass otel.GetMeterProvider() or one of the SDK")
	}
	instruments, err := newInstruments(provider.Meter(Scope))
	if err != nil {
		return nil, err
	}
	sources = slices.Clone(sources) // the caller may change its slice later
	if len(sources) == 0 {
		sources = []metrics.Source{metrics.Named()}
	}
	registration, err := instruments.meter.RegisterCallback(func(_ context.Context, o metric.Observer) error {
		instruments.observe(o, figures.Read(sources...))
		return nil
	}, instruments.list...)
	if err != nil {
		return nil, fmt.Errorf("otel: registering the callback that reads the pools: %w", err)
	}
	return registration, nil
}

// instruments are those of one registration. They are not changed once made.
type instruments struct {
	meter  metric.Meter
	list   []metric.Observable
	whole  map[*figures.Metric]metric.Int64Observable
	floats map[*figures.Metric]metric.Float64Observable
}

func newInstruments(meter metric.Meter) (*instruments, error) {
	ins := &instruments{
		meter:  meter,
		whole:  make(map[*figures.Metric]metric.Int64Observable),
		floats: make(map[*figures.Metric]metric.Float64Observable),
	}
	var failed []error
	for _, m := range figures.All() {
		if err := ins.add(m); err != nil {
			failed = append(failed, fmt.Errorf("otel: instrument %s: %w", name(m), err))
		}
	}
	return ins, errors.Join(failed...)
}

func name(m *figures.Metric) string { return "poolproof." + m.Name }

func (ins *instruments) add(m *figures.Metric) error {
	unit, help := metric.WithUnit(m.Unit), metric.WithDescription(m.Help)
	if m.Kind == figures.Gauge {
		made, err := ins.meter.Float64ObservableGauge(name(m), unit, help)
		ins.floats[m] = made
		ins.list = append(ins.list, made)
		return err
	}
	if m.Unit == figures.Seconds {
		made, err := ins.meter.Float64ObservableCounter(name(m), unit, help)
		ins.floats[m] = made
		ins.list = append(ins.list, made)
		return err
	}
	var made metric.Int64Observable
	var err error
	if m.Kind == figures.Counter {
		made, err = ins.meter.Int64ObservableCounter(name(m), unit, help)
	} else {
		made, err = ins.meter.Int64ObservableUpDownCounter(name(m), unit, help)
	}
	ins.whole[m] = made
	ins.list = append(ins.list, made)
	return err
}

func (ins *instruments) observe(o metric.Observer, samples []figures.Sample) {
	for _, s := range samples {
		with := metric.WithAttributeSet(attributes(s))
		if float, ok := ins.floats[s.Metric]; ok {
			o.ObserveFloat64(float, s.Value, with)
		} else {
			o.ObserveInt64(ins.whole[s.Metric], int64(s.Value), with)
		}
	}
}

// attributes returns the labels of s that are not empty.
func attributes(s figures.Sample) attribute.Set {
	var kv []attribute.KeyValue
	for i, key := range s.Metric.Labels {
		if s.Labels[i] != "" {
			kv = append(kv, attribute.String(key, s.Labels[i]))
		}
	}
	return attribute.NewSet(kv...)
}
