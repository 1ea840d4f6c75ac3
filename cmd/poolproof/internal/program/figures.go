package program

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Metrics that are measured whatever the load command prints. Times are in nanoseconds, sizes in
// bytes.
const (
	wall     = "wall"     // of a program that runs to its end
	cpu      = "cpu"      // of the program while it is under load; of a request, where their number is known
	rss      = "peak-rss" // resident memory
	heap     = "peak-heap"
	cycles   = "gcs"          // collections
	pauses   = "gc-pauses"    // how long they have stopped the program, in all
	longest  = "gc-pause-max" // and at once
	requests = "requests"
)

// collector are the metrics of the collector: they say why time and memory are as they are.
var collector = []string{heap, cycles, pauses, longest}

// printed takes the metrics out of what a command printed. What the user names comes before what is
// known; missing are the names of those of the user that are not there.
func printed(text string, own []Metric) (values map[string]float64, missing []string) {
	values = map[string]float64{}
	for _, m := range own {
		v, ok := m.in(text)
		if !ok {
			missing = append(missing, m.Name)
			continue
		}
		values[m.Name] = v
	}
	for _, m := range known {
		if _, ok := values[m.Name]; ok {
			continue
		}
		if v, ok := m.in(text); ok {
			values[m.Name] = v
		}
	}
	return values, missing
}

func (m Metric) in(text string) (float64, bool) {
	found := m.RE.FindStringSubmatch(text)
	if found == nil {
		return 0, false
	}
	return number(found[1])
}

// number reads a number, which may end in a unit of time: then it is in nanoseconds.
func number(s string) (float64, bool) {
	s = strings.ReplaceAll(strings.TrimSpace(s), ",", "")
	if v, err := strconv.ParseFloat(s, 64); err == nil {
		return v, true
	}
	s = strings.ReplaceAll(strings.TrimSuffix(strings.TrimSuffix(s, "ecs"), "ec"), " ", "") // "0.1 secs"
	d, err := time.ParseDuration(s)
	return float64(d), err == nil
}

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
