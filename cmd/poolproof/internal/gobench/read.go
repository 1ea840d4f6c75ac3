package gobench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Read reads a Go benchmark file: what go test -bench printed, once or several
// times, also with -json. Lines that are no results are passed over, and a
// notice names those that look like one. An error names the line; a file without
// a result is one.
func Read(r io.Reader, name string) (study.PrintedFile, error) {
	file := study.PrintedFile{Name: name}
	text, err := io.ReadAll(r)
	if err != nil {
		return file, fmt.Errorf("%s: %w", name, err)
	}
	if text, err = plainOutput(text); err != nil {
		return file, fmt.Errorf("%s: %w", name, err)
	}
	processes, failures, err := processesOf(text)
	if err != nil {
		return file, fmt.Errorf("%s: %w", name, err)
	}
	for _, f := range failures {
		file.Notices = append(file.Notices, name+":"+f)
	}
	index := map[[2]string]int{}
	lines := benchfmt.NewReader(bytes.NewReader(text), name)
	for lines.Scan() {
		switch rec := lines.Result().(type) {
		case *benchfmt.SyntaxError:
			file.Notices = append(file.Notices, rec.Error()+": the line is left out")
		case *benchfmt.Result:
			_, at := rec.Pos()
			key := [2]string{rec.GetConfig("pkg"), "Benchmark" + rec.Name.String()}
			i, ok := index[key]
			if !ok {
				i = len(file.Benchmarks)
				index[key] = i
				file.Benchmarks = append(file.Benchmarks, study.Printed{Package: key[0], Name: key[1], Extra: map[string][]float64{}})
			}
			addLine(&file.Benchmarks[i], rec, processes[at])
			file.CPUs = addOnce(file.CPUs, rec.GetConfig("cpu"))
			file.Systems = addOnce(file.Systems, strings.Trim(rec.GetConfig("goos")+"/"+rec.GetConfig("goarch"), "/"))
		}
	}
	if err := lines.Err(); err != nil {
		return file, err
	}
	if len(file.Benchmarks) == 0 {
		return file, fmt.Errorf("%s holds no result of a benchmark; write one with go test -bench . -benchmem -count=10 > %[1]s", name)
	}
	for i := range file.Benchmarks {
		wholeColumns(&file.Benchmarks[i])
	}
	return file, nil
}

// addLine adds the figures of one line. A figure that is not there is no element.
func addLine(p *study.Printed, r *benchfmt.Result, process int) {
	p.Process, p.N, p.Time = append(p.Process, process), append(p.N, max(r.Iters, 1)), append(p.Time, 0)
	for _, v := range r.Values {
		if v.OrigUnit != "" {
			v.Value, v.Unit = v.OrigValue, v.OrigUnit
		}
		switch v.Unit {
		case "ns/op":
			p.Time[len(p.Time)-1] = v.Value
		case "B/op":
			p.Bytes = append(p.Bytes, v.Value)
		case "allocs/op":
			p.Allocs = append(p.Allocs, v.Value)
		default:
			p.Extra[v.Unit] = append(p.Extra[v.Unit], v.Value)
		}
	}
}

// wholeColumns drops counters that some lines do not have.
func wholeColumns(p *study.Printed) {
	if len(p.Bytes) != len(p.N) {
		p.Bytes = nil
	}
	if len(p.Allocs) != len(p.N) {
		p.Allocs = nil
	}
}

// plainOutput is the text that go test printed, also where it was asked for JSON.
func plainOutput(text []byte) ([]byte, error) {
	if !bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		return text, nil
	}
	var out bytes.Buffer
	events := json.NewDecoder(bytes.NewReader(text))
	for {
		var event struct{ Output string }
		err := events.Decode(&event)
		if errors.Is(err, io.EOF) {
			return out.Bytes(), nil
		}
		if err != nil {
			return nil, fmt.Errorf("it begins like the output of go test -json and is not: %w", err)
		}
		out.WriteString(event.Output)
	}
}

// processesOf finds out which process of a test binary wrote each line, counted
// from 1: testing begins its results with the system and the package, and ends
// them with PASS or FAIL. Where both were cut away, all lines are of one process.
// failures say what failed, as LINE: TEXT.
func processesOf(text []byte) (processes map[int]int, failures []string, err error) {
	processes = map[int]int{}
	process, between := 0, true
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, len(text)+1)
	for at := 1; lines.Scan(); at++ {
		line := lines.Text()
		word, _, _ := strings.Cut(line, "\t")
		switch {
		case strings.HasPrefix(line, "Benchmark"):
			if between {
				process, between = process+1, false
			}
			processes[at] = process
		case slices.ContainsFunc([]string{"goos: ", "goarch: ", "pkg: "}, func(p string) bool { return strings.HasPrefix(line, p) }),
			word == "PASS", strings.TrimSpace(word) == "ok":
			between = true
		case word == "FAIL", strings.HasPrefix(line, "--- FAIL: Benchmark"):
			between = true
			if line != "FAIL" {
				failures = append(failures, fmt.Sprintf("%d: %s", at, strings.Join(strings.Fields(line), " ")))
			}
		}
	}
	return processes, failures, lines.Err()
}

func addOnce(list []string, s string) []string {
	if s == "" || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}
