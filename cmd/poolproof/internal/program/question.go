// Package program compares whole programs in two revisions: a server under the user's own
// load, or one that runs to its end. It builds both and runs them in turn on this machine;
// the operating system, the runtime and the load command give the metrics of each run.
package program

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Question says which programs to compare, and how.
type Question struct {
	study.Question          // KindBase: revisions, package of the program, budget
	Cmd            []string // command line of the program; the first word stands for the binary
	Load           []string // of the load; none: the program runs to its end
	Ready          *regexp.Regexp
	Metrics        []Metric
}

// Metric is a number that the load command, or a program without load, prints.
type Metric struct {
	Name string
	RE   *regexp.Regexp // the first group is the number, and may end in a unit of time
}

// HigherIsBetter reports whether more of a metric is better: of what there is of in a second.
func HigherIsBetter(name string) bool { return strings.HasSuffix(name, "/s") }

// ParseMetric reads "NAME=REGEXP".
func ParseMetric(text string) (Metric, error) {
	name, pattern, ok := strings.Cut(text, "=")
	if !ok || name == "" || strings.ContainsAny(name, " \t|") {
		return Metric{}, fmt.Errorf("metric %q; write NAME=REGEXP, as in 'p99=99%% +([0-9.]+ms)'", text)
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return Metric{}, fmt.Errorf("metric %s: %w", name, err)
	}
	if re.NumSubexp() < 1 {
		return Metric{}, fmt.Errorf("metric %s: %s has no group around the number", name, pattern)
	}
	if slices.Contains(append(collector, cpu, rss, wall), name) {
		return Metric{}, fmt.Errorf("metric %s: this name is that of a metric that is measured anyway", name)
	}
	return Metric{name, re}, nil
}

// Words splits a command line at blanks. Quotes hold words together; there is no shell.
func Words(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	in, quote := false, rune(0)
	for _, c := range line {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(c)
		case c == '\'' || c == '"':
			quote, in = c, true
		case c == ' ' || c == '\t' || c == '\n':
			if in {
				words = append(words, word.String())
				word.Reset()
				in = false
			}
		default:
			word.WriteRune(c)
			in = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("the quote %c in %q is not closed", quote, line)
	}
	if in {
		words = append(words, word.String())
	}
	if len(words) == 0 {
		return nil, errors.New("a command needs a word at least")
	}
	return words, nil
}
