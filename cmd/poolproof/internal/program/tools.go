package program

import (
	"regexp"
	"strings"
)

// known are the numbers that common load generators print: wrk, hey, vegeta and k6. See
// testdata/load.
var known = []Metric{
	{"requests/s", regexp.MustCompile(`(?m)^\s*Requests/sec:\s+([0-9.]+)`)},                                             // wrk, hey
	{"requests", regexp.MustCompile(`(?m)^\s*([0-9]+) requests in `)},                                                   // wrk
	{"p50", regexp.MustCompile(`(?m)^\s+50%\s+([0-9.]+(?:us|µs|ms|s))`)},                                                // wrk
	{"p99", regexp.MustCompile(`(?m)^\s+99%\s+([0-9.]+(?:us|µs|ms|s))`)},                                                // wrk
	{"requests", regexp.MustCompile(`(?m)^\s+\[200\]\s+([0-9]+) responses`)},                                            // hey
	{"p50", regexp.MustCompile(`(?m)^\s+50%+ in ([0-9.]+ secs)`)},                                                       // hey
	{"p95", regexp.MustCompile(`(?m)^\s+95%+ in ([0-9.]+ secs)`)},                                                       // hey
	{"p99", regexp.MustCompile(`(?m)^\s+99%+ in ([0-9.]+ secs)`)},                                                       // hey
	{"requests", regexp.MustCompile(`(?m)^Requests\s+\[total, rate, throughput\]\s+([0-9]+),`)},                         // vegeta
	{"requests/s", regexp.MustCompile(`(?m)^Requests\s+\[total, rate, throughput\]\s+[0-9]+, [0-9.]+, ([0-9.]+)`)},      // vegeta
	{"p50", regexp.MustCompile(`(?m)^Latencies\s+\[min, mean, 50, 90, 95, 99, max\](?:\s+[^,]+,){2}\s+([0-9.a-zµ]+),`)}, // vegeta
	{"p95", regexp.MustCompile(`(?m)^Latencies\s+\[min, mean, 50, 90, 95, 99, max\](?:\s+[^,]+,){4}\s+([0-9.a-zµ]+),`)}, // vegeta
	{"p99", regexp.MustCompile(`(?m)^Latencies\s+\[min, mean, 50, 90, 95, 99, max\](?:\s+[^,]+,){5}\s+([0-9.a-zµ]+),`)}, // vegeta
	{"requests", regexp.MustCompile(`(?m)^\s*http_reqs\.*:\s+([0-9]+)\s`)},                                              // k6
	{"requests/s", regexp.MustCompile(`(?m)^\s*http_reqs\.*:\s+[0-9]+\s+([0-9.]+)/s`)},                                  // k6
	{"p50", regexp.MustCompile(`(?m)^\s*http_req_duration\.*:.* med=([0-9.]+[a-zµ]+)`)},                                 // k6
	{"p95", regexp.MustCompile(`(?m)^\s*http_req_duration\.*:.* p\(95\)=([0-9.]+[a-zµ]+)`)},                             // k6
}

// failures are the lines by which load generators say that requests failed. They all exit with 0
// then, and an answer that is an error is often the faster one.
var failures = []*regexp.Regexp{
	regexp.MustCompile(`(?m)^\s*Non-2xx or 3xx responses: [0-9]+`),                       // wrk
	regexp.MustCompile(`(?m)^\s*Socket errors: .*[1-9].*`),                               // wrk
	regexp.MustCompile(`(?m)^\s+\[[45][0-9][0-9]\]\s+[0-9]+ responses`),                  // hey
	regexp.MustCompile(`(?m)^Error distribution:\n.+`),                                   // hey
	regexp.MustCompile(`(?m)^Status Codes\s+\[code:count\].*\s(?:0|[45][0-9]{2}):.*`),    // vegeta
	regexp.MustCompile(`(?m)^\s*http_req_failed\.*:.*(?:✓ [1-9]| [1-9][0-9]* out of).*`), // k6
}

// failed returns a load generator's line on failed requests; "" where it has none.
func failed(text string) string {
	for _, re := range failures {
		if line := re.FindString(text); line != "" {
			return strings.Join(strings.Fields(line), " ")
		}
	}
	return ""
}
