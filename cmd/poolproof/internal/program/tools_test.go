package program

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWhatLoadGeneratorsPrintIsKnown reads what they printed in front of examples/jsonserver.
func TestWhatLoadGeneratorsPrintIsKnown(t *testing.T) {
	for name, want := range map[string]map[string]float64{
		"wrk":    {"requests": 53647, "requests/s": 25373.73, "p50": 180e3, "p99": 66.38e6},
		"hey":    {"requests": 2000, "requests/s": 14044.5895, "p50": 0.4e6, "p95": 1.5e6, "p99": 3.7e6},
		"vegeta": {"requests": 600, "requests/s": 300.56, "p50": 263114, "p95": 922242, "p99": 2.727e6},
		"k6":     {"requests": 60, "requests/s": 2111.304749, "p50": 646790, "p95": 1.38e6},
	} {
		text := loadText(t, name)
		got, missing := printed(text, nil)
		if d := cmp.Diff(want, got); d != "" || len(missing) > 0 {
			t.Errorf("%s -want +got:\n%s%v", name, d, missing)
		}
		if why := failed(text); why != "" {
			t.Errorf("%s: %s", name, why)
		}
	}
	if got, _ := printed("hello\n", nil); len(got) > 0 || failed("hello\n") != "" {
		t.Errorf("%v", got)
	}
}

// TestRequestsThatFailAreSeen has answers that are errors, and connections that are refused or cut.
func TestRequestsThatFailAreSeen(t *testing.T) {
	for name, want := range map[string]string{
		"wrk-failed":     "Non-2xx or 3xx responses: 34204",
		"wrk-reset":      "Socket errors: connect 0, read 8, write 49923, timeout 0",
		"hey-failed":     "[404] 200 responses",
		"hey-refused":    `Error distribution: [20] Get "http://127.0.0.1:9912/orders?n=20": dial tcp 127.0.0.1:9912: connect: connection refused`,
		"vegeta-failed":  "Status Codes [code:count] 200:50 404:50",
		"k6-failed":      "http_req_failed......: 100.00% 60 out of 60",
		"vegeta-refused": "Status Codes [code:count] 0:20",
	} {
		if got := failed(loadText(t, name)); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func loadText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "load", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestTheMetricsOfTheGuideAreFound takes the patterns of docs/try.md to what the tools printed.
func TestTheMetricsOfTheGuideAreFound(t *testing.T) {
	guide, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "try.md"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"wrk": 90.42e6, "hey": 7.5e6, "vegeta": 45.658e6, "k6": 1.09e6}
	for _, row := range regexp.MustCompile("(?m)^ *\\| (\\w+) \\| `-metric '(.*)'` \\|$").FindAllStringSubmatch(string(guide), -1) {
		m, err := ParseMetric(row[2])
		if err != nil {
			t.Error(err)
			continue
		}
		v := want[row[1]]
		delete(want, row[1])
		if got, missing := printed(loadText(t, row[1]), []Metric{m}); len(missing) > 0 || got[m.Name] != v {
			t.Errorf("%s: %s is %v in its output, missing %q; want %v", row[1], m.Name, got, missing, v)
		}
	}
	if len(want) > 0 {
		t.Errorf("the guide has no pattern for %v", want)
	}
}
