package study

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func launch(n int) Record {
	side := Columns{
		Wall: []int64{100, 101}, CPU: []int64{90, 91}, Drain: []int64{0, 5}, DrainW: []int64{0, 7},
		Allocs: []uint64{3, 3}, Bytes: []uint64{64, 64}, GCs: []uint32{0, 1}, GCCPU: []int64{0, 4},
		Pause: []int64{0, 2}, Heap: []uint64{1 << 20, 1 << 21}, Extra: map[string]float64{"hits/op": 0.5},
	}
	return Record{
		Schema: Schema, Plan: "0123456789abcdef", Comparison: "b/pool", Form: FormBursts, Launch: n, Status: StatusOK,
		Started: time.Date(2026, 3, 9, 8, 7, 6, 0, time.UTC), Seconds: 0.5, Machine: "m", Go: "go1.26.8",
		Load: Load{Foreign: 0.01, Steal: -1, Average: 0.4}, N: 10, Baseline: side, Candidate: side, CandidateFirst: []bool{true, false},
	}
}

func line(t *testing.T, r Record) string {
	t.Helper()
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b) + "\n"
}

func TestALogKeepsWhatIsAppendedOverReopening(t *testing.T) {
	path := filepath.Join(t.TempDir(), RecordsName)
	var want []Record
	for i := range 3 {
		log, got, notice, err := OpenLog(path)
		if err != nil || notice != "" {
			t.Fatalf("OpenLog: notice %q, error %v", notice, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("opening %d (-want +got):\n%s", i, diff)
		}
		for _, r := range []Record{launch(2 * i), launch(2*i + 1)} {
			if err := Append(log, r); err != nil {
				t.Fatal(err)
			}
			want = append(want, r)
		}
		if err := log.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestATornTailIsCutOffWhereverTheRunWasStopped(t *testing.T) {
	first, second := line(t, launch(0)), line(t, launch(1))
	for cut := 1; cut < len(second); cut++ { // every byte; the last cut leaves all but the line feed
		path := filepath.Join(t.TempDir(), RecordsName)
		if err := os.WriteFile(path, []byte(first+second[:cut]), 0o666); err != nil {
			t.Fatal(err)
		}
		log, rs, notice, err := OpenLog(path)
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		if len(rs) != 1 || !strings.HasPrefix(notice, path+":2: ") {
			t.Fatalf("cut at %d: %d records, notice %q, want 1 and one on line 2", cut, len(rs), notice)
		}
		if err := Append(log, launch(1)); err != nil {
			t.Fatal(err)
		}
		log.Close()
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != first+second {
			t.Fatalf("cut at %d: the log is not the one of a run without a stop", cut)
		}
	}
}

func TestReadRecordsTellsATornTailFromABrokenLog(t *testing.T) {
	with := func(change func(*Record)) string {
		r := launch(0)
		change(&r)
		return line(t, r)
	}
	good := line(t, launch(0))
	for _, tt := range []struct {
		name, log    string
		records      int
		notice, fail string // parts of them
	}{
		{name: "an empty log", log: ""},
		{name: "two logs joined", log: good + good, records: 2},
		{name: "blank lines", log: "\n" + good + "\n\n" + good + "\n", records: 2},
		{name: "a last line without its end", log: good + strings.TrimSuffix(good, "\n"), records: 1, notice: "x:2: the last line is torn"},
		{name: "a last line that is half of one", log: good + good[:40] + "\n", records: 1, notice: "x:2: the last line is torn"},
		{name: "a last line of zeros", log: good + "\x00\x00\n", records: 1, notice: "x:2: the last line is torn"},
		{name: "only a torn line", log: "{", notice: "x:1: the last line is torn"},
		{name: "a half line in the middle", log: good + good[:40] + "\n" + good, fail: "x:2: no record"},
		{name: "a log joined behind a torn one", log: good[:40] + good + good, fail: "x:1: no record"},
		{name: "another schema, even on the last line", log: good + with(func(r *Record) { r.Schema = 3 }), fail: "x:2: the record has schema 3, this program reads 2"},
		{name: "another type, even on the last line", log: good + `{"schema":"1"}` + "\n", fail: "x:2: no record"},
		{name: "an unknown status", log: with(func(r *Record) { r.Status = "fine" }), fail: `unknown status "fine"`},
		{name: "a missing burst", log: with(func(r *Record) { r.Candidate.Wall = r.Candidate.Wall[:1] }), fail: "the candidate: the column wall has 1 bursts, not 2"},
		{name: "a short column", log: with(func(r *Record) { r.Baseline.Heap = r.Baseline.Heap[:1] }), fail: "the baseline: the column heap has 1 bursts, not 2"},
		{name: "no operations", log: with(func(r *Record) { r.N = 0 }), fail: "2 pairs of 0 operations"},
		{name: "columns that the engine does not have", log: with(func(r *Record) { r.Baseline.CPU, r.Candidate.GCs = nil, nil }), records: 1},
		{name: "a crash ends its columns anywhere", log: with(func(r *Record) { r.Status, r.Candidate.Wall = StatusCrashed, nil }), records: 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rs, notice, err := ReadRecords(strings.NewReader(tt.log), "x")
			if tt.fail != "" {
				if err == nil || !strings.HasPrefix(err.Error(), "x:") || !strings.Contains(err.Error(), tt.fail) {
					t.Fatalf("error %v, want one with %q", err, tt.fail)
				}
				return
			}
			if err != nil || len(rs) != tt.records || !strings.HasPrefix(notice, tt.notice) || (tt.notice == "") != (notice == "") {
				t.Errorf("%d records, notice %q, error %v; want %d and notice %q", len(rs), notice, err, tt.records, tt.notice)
			}
		})
	}
}

func TestABrokenLogIsLeftAsItIs(t *testing.T) {
	path := filepath.Join(t.TempDir(), RecordsName)
	text := "{\n" + line(t, launch(0))
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if log, _, _, err := OpenLog(path); err == nil {
		log.Close()
		t.Fatal("opened a log with a broken first line")
	}
	if got, _ := os.ReadFile(path); string(got) != text {
		t.Error("the log has changed")
	}
}

// Whatever a log holds: reading it twice gives the same, and what is read back
// from the kept part is what was read before.
func FuzzReadRecordsKeepsAPrefix(f *testing.F) {
	b, err := json.Marshal(launch(0))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(append(b, '\n'))
	f.Add(b)
	f.Add(bytes.Repeat(append(b, '\n'), 2))
	f.Add([]byte("{}\n{"))
	f.Fuzz(func(t *testing.T, data []byte) {
		rs, whole, notice, err := readLog(bytes.NewReader(data), "x")
		if err != nil {
			return
		}
		if notice == "" && whole != int64(len(data)) {
			t.Fatalf("%d of %d bytes kept without a notice", whole, len(data))
		}
		again, whole2, notice, err := readLog(bytes.NewReader(data[:whole]), "x")
		if err != nil || notice != "" || whole2 != whole {
			t.Fatalf("the kept part: %d of %d bytes, notice %q, error %v", whole2, whole, notice, err)
		}
		if diff := cmp.Diff(rs, again); diff != "" {
			t.Fatalf("the kept part reads differently:\n%s", diff)
		}
	})
}
