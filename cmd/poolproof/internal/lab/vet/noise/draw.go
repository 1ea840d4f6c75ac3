package noise

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus"
)

// The modules of a draw were chosen by a rule before the analysis had seen any of them,
// and each draw has a first run, which is kept as it was.
//
// The rule: the dependencies of minio, caddy, telegraf, traefik, gitea and loki and of
// the modules of Modules, at the versions that those select, and these six themselves;
// of them the modules with sync.Pool in a Go file that is no test, one major version
// each, the newest; without those that had been looked at before and without those of
// more than 150,000 lines of Go; in the order of the SHA-256 of their paths. The first
// draw is the first 45 of them, the second and the third one the next 45 each. The
// fourth draw is the 38 that were left, and then, for these are less than 45, the first 12
// in the order of their paths of the modules that the module cache of the machine had got
// since, by the same conditions.
//
// The fifth draw is from the dependencies of ten other programs (go-libp2p, xray-core, iris,
// go-zero, bleve, etcd, coredns, go-ethereum and rclone, at their newest versions, and hugo,
// which asks for a newer Go and brought none), these programs themselves, and what was left
// of the modules of the fourth: by the same conditions, without those that another page of
// this repository names, those that a test or a study of it needs, and forks and older
// versions of modules that were looked at before (of quic-go, gomemcache, ristretto,
// go-jose, crypto/tls and math/big) or whose published bug is in the corpus (xray-core). All
// of them are in the list, in the order of the SHA-256 of their paths.
//
// The sixth draw is a table of the records, for it was run in part. The rule of the seventh
// is in records/vet-draw-7.md.
var (
	//go:embed testdata/draw1.txt
	draw1 string
	//go:embed testdata/draw2.txt
	draw2 string
	//go:embed testdata/draw3.txt
	draw3 string
	//go:embed testdata/draw4.txt
	draw4 string
	//go:embed testdata/draw5.txt
	draw5 string
	//go:embed testdata/draw7.txt
	draw7 string
)

// Draws are the modules of each draw by its name.
var Draws = map[string][]Module{"draw1": drawn(draw1), "draw2": drawn(draw2), "draw3": drawn(draw3), "draw4": drawn(draw4), "draw5": drawn(draw5), "draw7": drawn(draw7)}

func drawn(list string) (modules []Module) {
	for line := range strings.Lines(list) {
		path, version, _ := strings.Cut(strings.TrimSpace(line), " ")
		modules = append(modules, Module{Name: path, Path: path, Version: version})
	}
	return modules
}

// record is a measurement as a file keeps it: one JSON object a line.
type record struct {
	Module, Version string
	Lines           int
	Generated       int `json:",omitempty"`
	CPUSeconds      float64
	Reports         []corpus.Report
	Failures        int // what was not analysed: lines of the go command, which name the machine
}

// Record analyses modules and appends what was found to a file. Modules that are in the
// file already are left out: a first run happens once. The limit is how long fetching a
// module may take, and how long analysing it.
func Record(ctx context.Context, tool corpus.Tool, modules []Module, scratch, file string, limit time.Duration) error {
	before, err := ReadRecord(file, new(Reviews))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	done := make(map[string]bool)
	for _, m := range before {
		done[m.Path+"@"+m.Version] = true
	}
	out, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	defer out.Close()
	for _, m := range modules {
		if done[m.Path+"@"+m.Version] {
			continue
		}
		r := recorded(ctx, tool, m, scratch, limit)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "%s %s: %d lines, %d reports, %d failures\n", m.Path, m.Version, r.Lines, len(r.Reports), r.Failures)
	}
	return out.Close()
}

func recorded(ctx context.Context, tool corpus.Tool, m Module, scratch string, limit time.Duration) record {
	r := record{Module: m.Path, Version: m.Version}
	fetching, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	t, err := Fetch(fetching, m, scratch)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		r.Failures = 1
		return r
	}
	analysing, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	found, err := Measure(analysing, tool, t, new(Reviews))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		r.Failures = 1
		return r
	}
	r.Lines, r.Generated, r.CPUSeconds, r.Failures = found.Lines, found.Generated, found.CPU.Seconds(), len(found.Failures)
	for _, f := range found.Findings {
		r.Reports = append(r.Reports, f.Report)
	}
	return r
}

// ReadRecord reads what Record has written.
func ReadRecord(file string, reviews *Reviews) (all []Measurement, err error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var r record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		m := Measurement{
			Module: Module{Name: r.Module, Path: r.Module, Version: r.Version},
			Lines:  r.Lines, Generated: r.Generated, Failures: make([]string, r.Failures), // times are of a machine with other work
		}
		for _, rep := range r.Reports {
			m.Findings = append(m.Findings, Finding{Report: rep, Review: reviews.Of(m.Module, rep)})
		}
		all = append(all, m)
	}
	return all, lines.Err()
}
