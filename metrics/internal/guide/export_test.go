package guide

import (
	"fmt"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/metric"

	"github.com/poolproof/poolproof/metrics/otel"
	"github.com/poolproof/poolproof/metrics/prom"
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
