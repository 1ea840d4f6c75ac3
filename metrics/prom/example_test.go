package prom_test

import (
	"bytes"
	"fmt"
	"net/http/httptest"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/poolproof/poolproof/metrics"
	"github.com/poolproof/poolproof/metrics/prom"
	"github.com/poolproof/poolproof/pool"
)

func Example() {
	pages := pool.New(pool.Options[bytes.Buffer]{Stats: pool.Uses})

	registry := prometheus.NewRegistry()
	registry.MustRegister(prom.NewCollector(
		metrics.Named(), // pools that have a name
		metrics.Objects("pages", pages.Stats),
	))
	handler := promhttp.HandlerFor(registry, promhttp.HandlerOpts{})

	pages.Get()
	pages.Get()
	response := httptest.NewRecorder()
	handler.ServeHTTP(response, httptest.NewRequest("GET", "/metrics", nil))
	for line := range strings.Lines(response.Body.String()) {
		name, labels, _ := strings.Cut(line, "{")
		if (name == "poolproof_gets_total" || name == "poolproof_misses_total") && strings.Contains(labels, `"pages"`) {
			fmt.Print(line)
		}
	}
	// Output:
	// poolproof_gets_total{class="",pool="pages"} 2
	// poolproof_misses_total{class="",pool="pages"} 2
}
