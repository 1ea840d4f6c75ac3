package studyfile

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadChecksMetricsRatesAndWhatTheProseRestsOn(t *testing.T) {
	for _, tt := range []struct {
		name, add string // behind the small file
		want      string // what is wrong, without places
	}{
		{"a metric without anything", "[[metric]]", `unit is missing in [[metric]]; write unit = "the unit given to ReportMetric, as hits/op"
better is missing in [[metric]]; write better = "lower or higher"`},
		{"a metric that is right", "[[metric]]\nunit = \"hits/op\"\nbetter = \"higher\"", ""},
		{"a direction that is none", "[[metric]]\nunit = \"hits/op\"\nbetter = \"more\"", `unknown direction "more"; write one of lower, higher`},
		{"a unit of testing", "[[metric]]\nunit = \"B/op\"\nbetter = \"lower\"", `unit "B/op" is measured anyhow; remove this metric`},
		{"a unit of a claim", "[[metric]]\nunit = \"cpu\"\nbetter = \"lower\"", `unit "cpu" is measured anyhow; remove this metric`},
		{"a unit with a space", "[[metric]]\nunit = \"hits per op\"\nbetter = \"lower\"", `unit "hits per op" holds a space, which ReportMetric refuses; leave it out`},
		{"a unit twice", "[[metric]]\nunit = \"h\"\nbetter = \"lower\"\n[[metric]]\nunit = \"h\"\nbetter = \"lower\"", `metric "h" stands already on line 27; change or remove one of them`},
		{"a claim about a metric", "[[metric]]\nunit = \"h\"\nbetter = \"lower\"\n[[claim]]\ntext = \"t\"\narm = \"pool\"\nbenchmark = \"b\"\nmetric = \"h\"\nclass = \"better\"", ""},
		{"a claim about another", "[[metric]]\nunit = \"h\"\nbetter = \"lower\"\n[[claim]]\ntext = \"t\"\narm = \"pool\"\nbenchmark = \"b\"\nmetric = \"g\"\nclass = \"better\"", `unknown metric "g"; write one of time, cpu, B/op, allocs/op, h`},
		{"a claim about a cell that there is not", "[[claim]]\ntext = \"t\"\narm = \"pool\"\nbenchmark = \"b\"\nmetric = \"time\"\nclass = \"better\"\ncell = \"GOGC=5\"", `claim names "GOGC=5", which is no cell of benchmark "b"; it has no matrix: name the benchmark alone`},
		{"a claim beside a cell that there is not", "[[claim]]\ntext = \"t\"\narm = \"pool\"\nbenchmark = \"b\"\nmetric = \"time\"\nclass = \"better\"\ncell = \"GOGC=5\"\nbeside = \"GOGC=6\"", `claim names "GOGC=5", which is no cell of benchmark "b"; it has no matrix: name the benchmark alone
claim names "GOGC=6", which is no cell of benchmark "b"; it has no matrix: name the benchmark alone`},
		{"a claim beside a cell, and none of its own", "[[claim]]\ntext = \"t\"\narm = \"pool\"\nbenchmark = \"b\"\nmetric = \"time\"\nclass = \"better\"\nbeside = \"GOGC=6\"", `claim names "GOGC=6", which is no cell of benchmark "b"; it has no matrix: name the benchmark alone
beside names the cell that the claim's own cell is compared with; write cell, another one`},
		{"a claim on a count beside a cell", "[[claim]]\ntext = \"t\"\narm = \"pool\"\nbenchmark = \"b\"\nmetric = \"B/op\"\nclass = \"better\"\ncell = \"GOGC=5\"\nbeside = \"GOGC=6\"", `claim names "GOGC=5", which is no cell of benchmark "b"; it has no matrix: name the benchmark alone
claim names "GOGC=6", which is no cell of benchmark "b"; it has no matrix: name the benchmark alone
beside compares intervals of time; write metric = "time" or "cpu", or remove it`},
		{"a rate", "[[benchmark]]\nname = \"p\"\nbench = \"BenchmarkP\"\nrate = 1000", ""},
		{"a rate that no timer keeps", "[[benchmark]]\nname = \"p\"\nbench = \"BenchmarkP\"\nrate = 20000", `rate 20000 is out of bounds; write operations a second, from 1 to 10000`},
		{"a negative rate", "[[benchmark]]\nname = \"p\"\nbench = \"BenchmarkP\"\nrate = -1", `rate -1 is out of bounds; write operations a second, from 1 to 10000`},
		{"a window without a rate", "[[benchmark]]\nname = \"p\"\nbench = \"BenchmarkP\"\nwindow = \"1s\"", `window goes with a rate; write rate = operations a second, or remove it`},
		{"a window that is no time", "[[benchmark]]\nname = \"p\"\nbench = \"BenchmarkP\"\nrate = 10\nwindow = \"long\"", `window "long" is not a duration; write one such as "5s"`},
		{"a window of an hour", "[[benchmark]]\nname = \"p\"\nbench = \"BenchmarkP\"\nrate = 10\nwindow = \"1h\"", `window "1h" is out of bounds; write one from 10ms to 1m0s`},
		{"prose that rests on a verdict", "[prose]\nrests = { \"b/pool\" = \"POSITIVE\" }", ""},
		{"prose that rests on no arm", "[prose]\nrests = { \"b\" = \"POSITIVE\" }", `rests names "b"; write "BENCHMARK/ARM", or "BENCHMARK/ARM NAME=value" for a cell`},
		{"prose that rests on another benchmark", "[prose]\nrests = { \"c/pool\" = \"POSITIVE\" }", `rests names the unknown benchmark "c"; write one of b`},
		{"prose that rests on the baseline", "[prose]\nrests = { \"b/new\" = \"POSITIVE\" }", `rests names "new", which is no arm that is compared; write one of new, pool`},
		{"prose that rests on another cell", "[prose]\nrests = { \"b/pool GOGC=5\" = \"POSITIVE\" }", `rests names "GOGC=5", which is no cell of benchmark "b"; it has no matrix: name the benchmark alone`},
		{"prose that rests on no verdict", "[prose]\nrests = { \"b/pool\" = \"GOOD\" }", `unknown verdict "GOOD"; write one of POSITIVE, NEGATIVE, TRADE-OFF, NO CHANGE, INCONCLUSIVE, INVALID, UNSAFE`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, found := parse([]byte(small + "\n" + tt.add + "\n"))
			var got []string
			for _, p := range found {
				got = append(got, p.text)
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, "\n")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
