package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// TestTimesOfTheReadme asks for times as the README does.
func TestTimesOfTheReadme(t *testing.T) {
	in := write(t, "app.jsonl", `{"time":"2026-11-23T10:00:00Z","n":1}
{"time":"2026-11-23T10:00:00.5Z","n":2}
{"time":"2026-11-23T12:00:00.25+02:00","n":3}
{"time":"2026-11-23T10:00:01Z","n":4}
`)
	out := filepath.Join(t.TempDir(), "o.parquet")
	if code, _, stderr := call("convert", in, out); code != 0 {
		t.Fatal(stderr)
	}
	for where, want := range map[string]string{"time >= 2026-11-23T10:00:00Z": "n\n1\n2\n3\n4\n", "time < 2026-11-23T10:00:01Z": "n\n1\n2\n3\n", "time > 2026-11-23T10:00:00.25Z": "n\n2\n4\n"} {
		if _, stdout, stderr := call("query", "-where", where, "-cols", "n", out); stdout != want {
			t.Errorf("%s: %q %s, want %q", where, stdout, stderr, want)
		}
	}
}

// TestTimesThatNoColumnHolds do not make those after them texts: Go's zero time, a leap
// second, ten digits.
func TestTimesThatNoColumnHolds(t *testing.T) {
	for _, strange := range []string{"0001-01-01T00:00:00Z", "2016-12-31T23:59:60Z", "2026-01-01T00:00:00.1234567890Z", "9999-12-31T23:59:59+01:00"} {
		file := filepath.Join(t.TempDir(), "x.parquet")
		in := fmt.Sprintf("{\"time\":%q}\n{\"time\":\"2026-01-01T10:00:00Z\"}\n", strange)
		if code, _, stderr := call("convert", write(t, "a.jsonl", in), file); code != 0 {
			t.Fatal(stderr)
		}
		if _, stdout, stderr := call("cat", file); stdout != "time\ttime#string\n\t"+strange+"\n2026-01-01T10:00:00Z\t\n" {
			t.Errorf("%s: %q %s", strange, stdout, stderr)
		}
	}
}

// TestCompressedInputsAndPatterns reads three files as one.
func TestCompressedInputsAndPatterns(t *testing.T) {
	dir := t.TempDir()
	var gz, zst bytes.Buffer
	g := gzip.NewWriter(&gz)
	fmt.Fprintln(g, `{"n":2}`)
	g.Close()
	z, err := zstd.NewWriter(&zst)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(z, `{"n":3}`)
	z.Close()
	for name, b := range map[string][]byte{"1.jsonl": []byte("{\"n\":1}"), "2.jsonl.gz": gz.Bytes(), "3.anything": zst.Bytes()} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(dir, "out", "o.parquet")
	for _, in := range [][]string{{filepath.Join(dir, "[0-9].*")}, {filepath.Join(dir, "1.jsonl"), filepath.Join(dir, "2.*"), filepath.Join(dir, "3.anything")}} {
		if code, _, stderr := call(append(append([]string{"convert"}, in...), out)...); code != 0 {
			t.Fatal(stderr)
		}
		if _, stdout, _ := call("cat", out); stdout != "n\n1\n2\n3\n" {
			t.Errorf("%q: %q", in, stdout)
		}
	}
	if code, _, stderr := call("convert", filepath.Join(dir, "x*"), out); code != exitUsage || !strings.Contains(stderr, "no file is named as") {
		t.Errorf("%d %q", code, stderr)
	}
	cut := write(t, "cut.gz", string(gz.Bytes()[:gz.Len()-5]))
	if code, _, stderr := call("convert", cut, out); code != exitUsage || !strings.Contains(stderr, "unexpected EOF") {
		t.Errorf("a file that was cut off: %d %q", code, stderr)
	}
}

func TestBadLinesAreKeptAside(t *testing.T) {
	in := write(t, "app.jsonl", "{\"n\":1}\npanic: oh\ngoroutine 1\n{\"n\":2}\n")
	out := filepath.Join(t.TempDir(), "o.parquet")
	if code, _, stderr := call("convert", "-skip-bad", "1", in, out); code != exitUsage || !strings.Contains(stderr, "line 3") {
		t.Errorf("%d %q", code, stderr)
	}
	code, _, stderr := call("convert", "-skip-bad", "2", in, out)
	if code != 0 || !strings.Contains(stderr, "2 lines are no logs") || !strings.Contains(stderr, "line 2: ") {
		t.Errorf("%d %q", code, stderr)
	}
	if _, stdout, _ := call("cat", out); stdout != "n\n1\n2\n" {
		t.Errorf("%q", stdout)
	}
	if b, _ := os.ReadFile(out + ".bad"); string(b) != "panic: oh\ngoroutine 1\n" {
		t.Errorf("%q", b)
	}
}

func TestJSONOverSeveralLines(t *testing.T) {
	for _, in := range []string{"{\n \"n\": 1\n}\n{\n \"n\": 2\n}\n", "[\n{\"n\":1},\n{\"n\":2}\n]\n", `[{"n":1},{"n":2}]`} {
		out := filepath.Join(t.TempDir(), "o.parquet")
		if code, _, stderr := call("convert", write(t, "in.json", in), out); code != 0 {
			t.Errorf("%q: %s", in, stderr)
		}
		if _, stdout, _ := call("cat", out); stdout != "n\n1\n2\n" {
			t.Errorf("%q: %q", in, stdout)
		}
	}
}

func TestColumnsWithACommaInTheirName(t *testing.T) {
	out := filepath.Join(t.TempDir(), "o.parquet")
	if code, _, stderr := call("convert", "-bloom", `"a,b",c`, write(t, "in.jsonl", `{"a,b":"x","c":"y"}`), out); code != 0 {
		t.Fatal(stderr)
	}
	if _, stdout, stderr := call("cat", "-cols", `"a,b"`, "-where", "c = y", out); stdout != "a,b\nx\n" {
		t.Errorf("%q %q", stdout, stderr)
	}
	if code, stdout, stderr := call("cat", "-v", "-where", "c = z", out); code != 0 || !strings.Contains(stderr, "1 of 1 row groups skipped") {
		t.Errorf("%q %q", stdout, stderr)
	}
}

func TestSizes(t *testing.T) {
	for s, want := range map[string]int64{"512MiB": 512 << 20, "1GB": 1e9, "33554432": 1 << 25, "1.5GiB": 3 << 29, "x": -1, "": -1, "-1": -1, "1TB": -1, "NaN": -1} {
		got, err := parseSize(s)
		if err != nil {
			got = -1
		}
		if got != want {
			t.Errorf("%q is %d, want %d (%v)", s, got, want, err)
		}
	}
}
