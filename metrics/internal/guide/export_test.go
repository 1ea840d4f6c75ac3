package guide

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/metric"
	sdk "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/poolproof/poolproof/metrics/otel"
	"github.com/poolproof/poolproof/metrics/prom"
	"github.com/poolproof/poolproof/pool"
	"github.com/poolproof/poolproof/poolvar"
)

func init() {
	poolvar.Publish("pools")
}

func showInPrometheus() {
	prometheus.MustRegister(prom.NewCollector())
}

func showInOpenTelemetry(provider metric.MeterProvider) (stop func() error, err error) {
	registration, err := otel.Register(provider)
	if err != nil {
		return nil, fmt.Errorf("figures of pools: %w", err)
	}
	return registration.Unregister, nil
}

func TestNamedPoolsAreShownInOpenTelemetryUntilTheyAreStopped(t *testing.T) {
	objects := pool.New(pool.Options[int]{Name: "shown in OpenTelemetry"})
	objects.Get()
	reader := sdk.NewManualReader()
	stop, err := showInOpenTelemetry(sdk.NewMeterProvider(sdk.WithReader(reader)))
	if err != nil {
		t.Fatal(err)
	}
	shown := func() bool {
		var collected metricdata.ResourceMetrics
		if err := reader.Collect(context.Background(), &collected); err != nil {
			t.Fatal(err)
		}
		for _, scope := range collected.ScopeMetrics {
			for _, m := range scope.Metrics {
				if m.Name == "poolproof.misses" && strings.Contains(fmt.Sprint(m.Data), "shown in OpenTelemetry") {
					return true
				}
			}
		}
		return false
	}
	if !shown() {
		t.Error("the pool is not shown")
	}
	if err := stop(); err != nil || shown() {
		t.Errorf("the pool is still shown after the stop (%v)", err)
	}
	runtime.KeepAlive(objects)
}
