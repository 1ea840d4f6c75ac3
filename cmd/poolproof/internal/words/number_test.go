package words

import (
	"math"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestNumbersReadAsAPersonWouldWriteThem(t *testing.T) {
	for _, tt := range []struct{ name, got, want string }{
		{"a fall", Percent(-0.1456), "-14.6"},
		{"a rise", Percent(0.059), "+5.9"},
		{"nothing", Percent(0), "0.0"},
		{"a fall too small to see has no sign", Percent(-0.0004), "0.0"},
		{"a rise too small to see has no sign", Percent(0.0004), "0.0"},
		{"a huge rise has no tenths", Percent(76.54), "+7654"},
		{"a rise beyond measure has no digits", Percent(2e9), "+∞"},
		{"everything gone", Percent(-1), "-100.0"},
		{"an estimate", interval(study.Estimate{Effect: -0.146, Lo: -0.28, Hi: -0.045, Launches: 4}), "-14.6 % [-28.0, -4.5]"},
		{"an estimate across zero", interval(study.Estimate{Effect: 0.059, Lo: -0.11, Hi: 0.25, Launches: 12}), "+5.9 % [-11.0, +25.0]"},
		{"an estimate of one launch", interval(study.Estimate{Effect: -0.627, Lo: -0.627, Hi: -0.627, Launches: 1}), "-62.7 % (one launch)"},
		{"an estimate of two launches", interval(study.Estimate{Effect: -0.004, Lo: -1, Hi: 213709.46, Launches: 2}), "-0.4 % (two launches)"},
		{"an estimate of nothing", interval(study.Estimate{Effect: 0.5}), "-"},
		{"a whole count", count(1532), "1,532"},
		{"a count that is nearly whole", count(1524.003), "1,524"},
		{"a large count with a fraction", count(63415.6), "63,416"},
		{"a count in the tens with a fraction", count(12.34), "12.3"},
		{"a small count with a fraction", count(0.25), "0.25"},
		{"a count of none", count(0), "0"},
		{"a count of millions", count(1234567), "1,234,567"},
		{"a thousand", count(1000), "1,000"},
		{"short times", Times(92.5, 30.43), "92.50 ns -> 30.43 ns"},
		{"times in the unit of the smaller one", Times(1_234_567, 827_200), "1234.6 µs -> 827.2 µs"},
		{"less than a cycle", Times(0.00012, 0.0000004), "<0.1 ns -> <0.1 ns"},
		{"less than a cycle beside a time", Times(31.25, 0.0000004), "31.25 ns -> <0.1 ns"},
		{"about a cycle", Times(0.25, 0.31), "0.2500 ns -> 0.3100 ns"},
		{"a counter of next to nothing", Row{Result: bytesOf(0.005, 540)}.Changed(study.Counter{Baseline: 0.005, Candidate: 540}), ""},
		{"a counter of one", Row{Result: bytesOf(1, 3)}.Changed(study.Counter{Baseline: 1, Candidate: 3}), " (+200.0 %)"},
		{"a counter of one in words", counterWords("B/op", study.Counter{Baseline: 1, Candidate: 3}), "B/op rises from 1 to 3 (+200.0 %)"},
		{"a counter of next to nothing in words", counterWords("B/op", study.Counter{Baseline: 0.005, Candidate: 540}), "B/op rises from 0.0050 to 540"},
		{"long times", Times(2.5e9, 3e9), "2.500 s -> 3.000 s"},
		{"a short while", Duration(study.Duration(480 * time.Microsecond)), "480µs"},
		{"some seconds", Duration(study.Duration(1920 * time.Millisecond)), "1.9s"},
		{"some minutes", Duration(study.Duration(87_400 * time.Millisecond)), "1m27s"},
		{"one", Plural(1, "launch", "launches"), "1 launch"},
		{"many", Plural(1200, "launch", "launches"), "1,200 launches"},
		{"a band", share(math.Expm1(math.Log(1.02))), "2.0 %"},
		{"two verdicts", Alternatives([]study.Verdict{study.Positive, study.TradeOff}), "POSITIVE or TRADE-OFF"},
		{"three verdicts", Alternatives([]study.Verdict{study.Positive, study.TradeOff, study.Negative}), "POSITIVE, TRADE-OFF or NEGATIVE"},
		{"a plain command", CommandLine([]string{"try", "-budget", "60s", "./..."}), "poolproof try -budget 60s ./..."},
		{"a command with its program", CommandLine([]string{"poolproof", "try"}), "poolproof try"},
		{"arguments that a shell would change", CommandLine([]string{"-bench", "A$|B", "", "it's"}), `poolproof -bench 'A$|B' '' 'it'"'"'s'`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.got != tt.want {
				t.Errorf("got %q, want %q", tt.got, tt.want)
			}
		})
	}
}

// bytesOf is a result with bytes.
func bytesOf(baseline, candidate float64) study.Result {
	return study.Result{Verdict: study.Negative, Launches: 4, Bytes: study.Counter{Baseline: baseline, Candidate: candidate}}
}

func TestACommandHasTheBudgetThatWasSpent(t *testing.T) {
	p := study.Plan{Command: []string{"poolproof", "try", "-budget", "5m0s", "studies/a"}, Budget: study.Duration(12 * time.Minute)}
	if got, want := Again(p), "poolproof try -budget 12m0s studies/a"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if p.Command[3] != "5m0s" {
		t.Error("the plan's own command was changed")
	}
	p.Budget = study.Duration(5 * time.Minute)
	if got, want := Again(p), "poolproof try -budget 5m0s studies/a"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
