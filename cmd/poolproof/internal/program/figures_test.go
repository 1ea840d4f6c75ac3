package program

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWhatLoadGeneratorsPrintIsKnown(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		want map[string]float64
	}{
		"wrk": {"Running 10s test @ http://x\n  Thread Stats   Avg      Stdev     Max   +/- Stdev\n    Latency   635.91us    0.89ms  12.92ms   93.69%\n  Latency Distribution\n     50%  250.00us\n     99%    1.50ms\n  745230 requests in 10.00s, 606.33MB read\nRequests/sec:  74523.10\n",
			map[string]float64{"requests": 745230, "requests/s": 74523.1, "p50": 250e3, "p99": 1.5e6}},
		"hey": {"Summary:\n  Total:\t1.5 secs\n  Requests/sec:\t6666.6667\n\nLatency distribution:\n  50% in 0.0050 secs\n  99% in 0.0123 secs\n\nStatus code distribution:\n  [200]\t10000 responses\n",
			map[string]float64{"requests": 10000, "requests/s": 6666.6667, "p50": 5e6, "p99": 12.3e6}},
		"vegeta": {"Requests      [total, rate, throughput]         1200, 120.00, 65.87\nDuration      [total, attack, wait]             10.1s, 9.9s, 160ms\nLatencies     [min, mean, 50, 90, 95, 99, max]  10ms, 20ms, 18ms, 30ms, 40.5ms, 55.25ms, 90ms\n",
			map[string]float64{"requests": 1200, "requests/s": 65.87, "p99": 55.25e6}},
		"k6": {"     http_req_duration..............: avg=1.2ms min=500µs med=1ms max=9ms p(90)=2ms p(95)=3.5ms\n     http_reqs......................: 4321  41.7/s\n",
			map[string]float64{"requests": 4321, "requests/s": 41.7, "p95": 3.5e6}},
		"none": {"hello\n", map[string]float64{}},
	} {
		got, missing := printed(tt.text, nil)
		if d := cmp.Diff(tt.want, got); d != "" || len(missing) > 0 {
			t.Errorf("%s -want +got:\n%s%v", name, d, missing)
		}
	}
}

func TestTheUsersMetricsComeFirst(t *testing.T) {
	m, err := ParseMetric(`requests/s=rate ([0-9,]+)`)
	if err != nil {
		t.Fatal(err)
	}
	gone := Metric{"gone", regexp.MustCompile(`gone (\d+)`)}
	got, missing := printed("Requests/sec: 5\nrate 1,234\n", []Metric{m, gone})
	if got["requests/s"] != 1234 || !slices.Equal(missing, []string{"gone"}) {
		t.Errorf("%v, missing %q", got, missing)
	}
	for text, want := range map[string]string{
		"p99":          "write NAME=REGEXP",
		"=x":           "write NAME=REGEXP",
		"a b=(x)":      "write NAME=REGEXP",
		"p99=x":        "has no group around the number",
		"p99=(":        "metric p99: error parsing regexp",
		"cpu=(x)":      "that is measured anyway",
		"peak-rss=(x)": "that is measured anyway",
	} {
		if _, err := ParseMetric(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestTheRuntimesLinesAreCounted(t *testing.T) {
	var tr trace
	for line, want := range map[string]bool{
		"gc 1 @0.012s 2%: 0.018+1.2+0.003 ms clock, 0.036+0.3/1.1/0+0.006 ms cpu, 4->5->1 MB, 4 MB goal, 0 MB stacks, 0 MB globals, 2 P":            true,
		"gc 2 @0.112s 2%: 0.018+1.2+0.003 ms clock, 0.036+0.3/1.1/0+0.006 ms cpu, 9->7->1 MB, 4 MB goal, 0 MB stacks, 0 MB globals, 2 P (forced)\n": true,
		"listening": false, "gc of the house": false,
	} {
		if tr.line(line) != want {
			t.Errorf("%q", line)
		}
	}
	if tr.cycles != 2 || tr.peak != 9<<20 {
		t.Errorf("%+v", tr)
	}
}

func TestACommandLineIsSplitWithoutAShell(t *testing.T) {
	for line, want := range map[string][]string{
		`server -addr $ADDR`:         {"server", "-addr", "$ADDR"},
		`a 'b c' "d 'e'" f'g h'i ''`: {"a", "b c", "d 'e'", "fg hi", ""},
		"  a\t b \n":                 {"a", "b"},
	} {
		if got, err := Words(line); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v", line, got, err)
		}
	}
	for _, line := range []string{"", "  ", "a 'b"} {
		if _, err := Words(line); err == nil {
			t.Errorf("%q is taken", line)
		}
	}
	if got := substitute([]string{"-a=$ADDR", "http://${ADDR}/"}, "h:1"); !slices.Equal(got, []string{"-a=h:1", "http://h:1/"}) {
		t.Errorf("%q", got)
	}
}
