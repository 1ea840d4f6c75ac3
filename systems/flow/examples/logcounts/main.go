// Logcounts counts the requests of an access log by status.
//
//	go run ./systems/flow/examples/logcounts [-picture] [FILE]
//
// Without a file it reads a small log of its own. Lines that are no log lines go to
// standard error, with their text, and do not stop it.
package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/poolproof/poolproof/systems/flow"
)

//go:embed access.log
var sample string

func main() {
	picture := flag.Bool("picture", false, "print the pipeline in place of running it")
	flag.Parse()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	defer cancel()

	var log io.Reader = strings.NewReader(sample)
	if name := flag.Arg(0); name != "" {
		file, err := os.Open(name)
		if err != nil {
			fmt.Fprintln(os.Stderr, "logcounts:", err)
			os.Exit(1)
		}
		defer file.Close()
		log = file
	}
	if *picture {
		fmt.Print(flow.Describe(requests(log)))
		return
	}
	counts, err := count(ctx, log, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "logcounts:", err)
		os.Exit(1)
	}
	report(os.Stdout, counts)
}

// Request is a line of the log.
type Request struct {
	Status   int
	Duration time.Duration
}

// LineError is the error of a line that is no log line.
type LineError struct {
	Line string
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("%v: %q", e.Err, e.Line) }

// parse reads a line such as "GET /users 200 13ms".
func parse(line string) (Request, error) {
	fields := strings.Fields(line)
	if len(fields) == 0 {
		return Request{}, flow.Drop // an empty line
	}
	if len(fields) != 4 {
		return Request{}, &LineError{line, errors.New("not four fields")}
	}
	status, err := strconv.Atoi(fields[2])
	if err != nil {
		return Request{}, &LineError{line, errors.New("the status is not a number")}
	}
	took, err := time.ParseDuration(fields[3])
	if err != nil {
		return Request{}, &LineError{line, errors.New("the last field is not a duration")}
	}
	return Request{status, took}, nil
}

// requests is the pipeline: reading runs ahead of parsing.
func requests(log io.Reader) flow.Stream[Request] {
	lines := flow.FromLines(log).Async(4)
	return flow.Map(lines, parse)
}

// Count counts the requests with one status.
type Count struct {
	Requests int
	Total    time.Duration
}

// count runs the pipeline. Lines that are no log lines go to bad.
func count(ctx context.Context, log io.Reader, bad io.Writer) (map[int]Count, error) {
	counts := make(map[int]Count)
	err := requests(log).Each(ctx, func(r Request, err error) error {
		if err != nil {
			_, err := fmt.Fprintln(bad, "skipped:", err)
			return err
		}
		c := counts[r.Status]
		counts[r.Status] = Count{c.Requests + 1, c.Total + r.Duration}
		return nil
	})
	return counts, err
}

func report(w io.Writer, counts map[int]Count) {
	for _, status := range slices.Sorted(maps.Keys(counts)) {
		c := counts[status]
		fmt.Fprintf(w, "%d  %4d requests  %8v each\n", status, c.Requests, c.Total/time.Duration(c.Requests))
	}
}
