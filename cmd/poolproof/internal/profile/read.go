package profile

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	pprof "github.com/google/pprof/profile"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
)

// Taken is the content of profiles that were taken elsewhere.
type Taken struct {
	Samples []Sample // of the allocation profiles
	CPU     CPU      // of the CPU profiles
	Names   []string // of the allocation profiles: files and addresses
}

// largest bounds a profile, compressed and not.
const largest = 1 << 30

// Read reads profiles in the format of pprof: files, and addresses that begin
// with http:// or https://. At least one has to be of allocations; CPU profiles may
// stand beside. An address has to answer within timeout, besides the seconds
// that it asks for with ?seconds=N. The error says which source is wrong, and is of
// the kind [fault.Input].
func Read(ctx context.Context, sources []string, timeout time.Duration) (Taken, error) {
	var t Taken
	for _, source := range sources {
		p, err := readOne(ctx, source, timeout)
		if ctx.Err() != nil {
			return t, ctx.Err()
		}
		if err != nil {
			return t, fault.Option("profile", source, "%w", err)
		}
		if c, ok := cpuOf(p); ok {
			t.CPU = t.CPU.Add(c)
			continue
		}
		samples, err := allocations(p)
		if err != nil {
			return t, fault.Option("profile", source, "%w", err)
		}
		t.Samples = append(t.Samples, samples...)
		t.Names = append(t.Names, source)
	}
	if len(t.Names) == 0 {
		return t, fault.Option("profile", strings.Join(sources, " "), "only CPU profiles are there, which do not say what allocates; add one of /debug/pprof/allocs")
	}
	return t, nil
}

func readOne(ctx context.Context, source string, timeout time.Duration) (*pprof.Profile, error) {
	data, err := load(ctx, source, timeout)
	if err != nil {
		return nil, err
	}
	return parse(data)
}

// load reads all of a file, or of what an address answers.
func load(ctx context.Context, source string, timeout time.Duration) ([]byte, error) {
	if strings.HasPrefix(source, "http://") || strings.HasPrefix(source, "https://") {
		return fetch(ctx, source, timeout)
	}
	data, err := readFile(source)
	if path := new(os.PathError); errors.As(err, &path) {
		err = path.Err // the name is said already
	}
	return data, err
}

func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return all(f)
}

func fetch(ctx context.Context, source string, timeout time.Duration) ([]byte, error) {
	u, err := url.Parse(source)
	if err != nil {
		return nil, err
	}
	patience := timeout
	if seconds, err := strconv.Atoi(u.Query().Get("seconds")); err == nil && seconds > 0 {
		patience += time.Duration(seconds) * time.Second
	}
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	slow := func(err error) error {
		if limited.Err() != nil && ctx.Err() == nil {
			return fmt.Errorf("it did not answer in full in %v; -timeout gives it longer", patience)
		}
		var failed *url.Error
		if errors.As(err, &failed) {
			err = failed.Err
		}
		return err
	}
	req, err := http.NewRequestWithContext(limited, http.MethodGet, source, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, slow(err)
	}
	defer resp.Body.Close()
	data, err := all(resp.Body)
	if err != nil {
		return nil, slow(err)
	}
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("it answers %s: %s", resp.Status, firstLine(data))
	}
	return data, nil
}

// all reads to the end, if that comes in time.
func all(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, largest+1))
	if err == nil && len(data) > largest {
		return nil, errors.New("it is larger than 1 GiB, which no profile is")
	}
	return data, err
}

// parse reads a profile, or says what it is in place of one.
func parse(data []byte) (*pprof.Profile, error) {
	if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err == nil {
			data, err = all(z)
		}
		if err != nil {
			return nil, fmt.Errorf("it is compressed, but broken or cut off: %w", err)
		}
	}
	if len(data) == 0 {
		return nil, errors.New("it is empty")
	}
	start := bytes.TrimSpace(data[:min(len(data), 512)])
	switch lower := bytes.ToLower(start); {
	case bytes.HasPrefix(lower, []byte("<!doctype html")), bytes.HasPrefix(lower, []byte("<html")), bytes.HasPrefix(lower, []byte("<head")):
		return nil, errors.New("it is a page of HTML and no profile; the address of a program's allocations ends in /debug/pprof/allocs")
	case bytes.HasPrefix(start, []byte("heap profile:")):
		return nil, errors.New("it is the text form of a profile, which has no sizes for pprof to read; leave debug=1 out of the address")
	}
	p, err := pprof.ParseData(data)
	switch {
	case err != nil && printable(start):
		return nil, fmt.Errorf("it is text and no profile: %s", firstLine(data))
	case err != nil:
		return nil, fmt.Errorf("it is no profile in the format of pprof: %w", err)
	case len(p.Sample) == 0:
		return nil, errors.New("the profile has no samples: nothing was allocated while it was taken, or MemProfileRate is 0")
	}
	return p, nil
}

func printable(text []byte) bool {
	return !bytes.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' && r != '\r' || r == '\ufffd' })
}

func firstLine(data []byte) string {
	const most = 100
	line, _, _ := strings.Cut(strings.TrimSpace(string(data[:min(len(data), 4096)])), "\n")
	if r := []rune(line); len(r) > most {
		line = string(r[:most]) + "…"
	}
	return strconv.Quote(line)
}

// allocations returns what a profile says was allocated.
func allocations(p *pprof.Profile) ([]Sample, error) {
	bytes, objects := sampleIndex(p, "alloc_space", "bytes"), sampleIndex(p, "alloc_objects", "count")
	if bytes < 0 || objects < 0 {
		var has []string
		for _, t := range p.SampleType {
			has = append(has, t.Type)
		}
		return nil, fmt.Errorf("the profile does not say what was allocated, only %s; take /debug/pprof/allocs, or -memprofile of go test", strings.Join(has, ", "))
	}
	var samples []Sample
	named := false
	for _, s := range p.Sample {
		t := Sample{Bytes: float64(s.Value[bytes]), Objects: float64(s.Value[objects])}
		if t.Bytes <= 0 && t.Objects <= 0 {
			continue
		}
		for _, l := range s.Location {
			for _, line := range l.Line {
				if line.Function == nil {
					continue
				}
				named = named || line.Function.Name != ""
				t.Stack = append(t.Stack, Frame{line.Function.Name, line.Function.Filename, int(line.Line)})
			}
		}
		samples = append(samples, t)
	}
	switch {
	case len(samples) == 0:
		return nil, errors.New("nothing was allocated while the profile was taken")
	case !named:
		return nil, errors.New("the profile has addresses and no names of functions; go tool pprof -proto BINARY PROFILE writes them into it, with the binary that it was taken of")
	}
	return samples, nil
}
