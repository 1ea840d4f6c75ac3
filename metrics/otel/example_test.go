package otel_test

import (
	"bytes"
	"context"
	"fmt"

	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/poolproof/poolproof/metrics"
	"github.com/poolproof/poolproof/metrics/otel"
	"github.com/poolproof/poolproof/pool"
)

func Example() {
	pages := pool.New(pool.Options[bytes.Buffer]{Stats: pool.Uses})

	reader := metric.NewManualReader() // a program has a reader that exports
	provider := metric.NewMeterProvider(metric.WithReader(reader))
	registration, err := otel.Register(provider, metrics.Objects("pages", pages.Stats))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer registration.Unregister()

	pages.Get()
	pages.Get()
	var collected metricdata.ResourceMetrics
	if err := reader.Collect(context.Background(), &collected); err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range collected.ScopeMetrics[0].Metrics {
		if m.Name == "poolproof.gets" {
			fmt.Println(m.Name, m.Data.(metricdata.Sum[int64]).DataPoints[0].Value)
		}
	}
	// Output: poolproof.gets 2
}
