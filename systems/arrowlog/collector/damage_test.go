package collector_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/systems/arrowlog"
	"github.com/poolproof/poolproof/systems/arrowlog/collector"
)

// journalOf returns the name and the content of the journal of a collector that took
// logs with these bodies, each in a request of its own.
func journalOf(t *testing.T, o collector.Options, texts ...string) (string, []byte) {
	t.Helper()
	o.Dir = t.TempDir()
	c := start(t, o)
	defer c.Close()
	for _, b := range texts {
		if err := c.Ingest(context.Background(), message(t, b)); err != nil {
			t.Fatal(err)
		}
	}
	journals, _ := filepath.Glob(filepath.Join(o.Dir, "*.journal"))
	if len(journals) != 1 {
		t.Fatalf("the journals are %q", journals)
	}
	b, err := os.ReadFile(journals[0])
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Base(journals[0]), b
}

// restart recovers a journal in a folder of its own, and returns the bodies that are
// in files then, the names of all files, and what was logged.
func restart(t *testing.T, o collector.Options, name string, journal []byte) (found, names []string, logged string) {
	t.Helper()
	o.Dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(o.Dir, name), journal, 0o644); err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	o.Logf = func(format string, args ...any) { fmt.Fprintf(&log, format+"\n", args...) }
	c, err := collector.New(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	entries, _ := os.ReadDir(o.Dir)
	for _, e := range entries {
		if e.Name() != ".lock" {
			names = append(names, e.Name())
		}
		if strings.Contains(e.Name(), ".damaged") {
			kept, _ := os.ReadFile(filepath.Join(o.Dir, e.Name()))
			if !bytes.Equal(kept, journal) {
				t.Errorf("%s is not the journal as it was", e.Name())
			}
			os.Remove(filepath.Join(o.Dir, e.Name()))
		}
	}
	return bodies(t, o.Dir), names, log.String()
}

// TestADamagedJournalLosesOnlyWhatIsDamaged flips each byte: at most one message goes,
// those behind it are read, and the journal is kept and named.
func TestADamagedJournalLosesOnlyWhatIsDamaged(t *testing.T) {
	want := []string{"first", "second", "third"}
	name, journal := journalOf(t, collector.Options{}, want...)
	step := 1
	if testing.Short() {
		step = 5
	}
	for at := 0; at < len(journal); at += step {
		damaged := bytes.Clone(journal)
		damaged[at] ^= 0x41
		found, names, log := restart(t, collector.Options{}, name, damaged)
		kept := slices.ContainsFunc(names, func(n string) bool { return strings.HasSuffix(n, ".journal.damaged") })
		if len(found) != 2 || !kept || !strings.Contains(log, "are damaged") || strings.Contains(log, "not acknowledged") {
			t.Errorf("byte %d: %q is found, the files are %q, the log says %q", at, found, names, log)
		}
		for _, b := range found {
			if !slices.Contains(want, b) {
				t.Errorf("byte %d: %q was never sent", at, b)
			}
		}
	}
	// Zeros, as a file system leaves them after a power failure, and another's journal.
	for what, b := range map[string][]byte{"zeros at the end": append(bytes.Clone(journal), make([]byte, 100)...), "zeros at the start": append(make([]byte, 100), journal...)} {
		if found, names, _ := restart(t, collector.Options{}, name, b); len(found) != 3 || len(names) != 2 {
			t.Errorf("%s: %q is found, the files are %q", what, found, names)
		}
	}
}

// TestAJournalHasTheFormatOfItsFile: the flag of the restart is another.
func TestAJournalHasTheFormatOfItsFile(t *testing.T) {
	for _, ipc := range []bool{false, true} {
		name, journal := journalOf(t, collector.Options{IPC: ipc}, "a")
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, name), journal, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := start(t, collector.Options{Dir: dir, IPC: !ipc}).Close(); err != nil {
			t.Fatal(err)
		}
		file, err := os.ReadFile(filepath.Join(dir, strings.TrimSuffix(name, ".journal")))
		if err != nil {
			t.Fatal(err)
		}
		if want := map[bool]string{false: "PAR1", true: "ARROW1"}[ipc]; !bytes.HasPrefix(file, []byte(want)) {
			t.Errorf("%s begins with %q, want %q", name, file[:6], want)
		}
	}
}

// TestAJournalThatIsLargerThanTodaysMemory goes into several files.
func TestAJournalThatIsLargerThanTodaysMemory(t *testing.T) {
	var texts []string
	for i := range 30 {
		texts = append(texts, fmt.Sprintf("%d %s", i, strings.Repeat("x", 1<<20)))
	}
	name, journal := journalOf(t, collector.Options{Memory: 1 << 30}, texts...)
	found, names, _ := restart(t, collector.Options{Memory: 32 << 20}, name, journal)
	slices.Sort(found)
	slices.Sort(texts)
	if !slices.Equal(found, texts) || len(names) < 2 || !slices.Contains(names, strings.TrimSuffix(name, ".journal")) {
		t.Errorf("%d of %d logs are found in %q", len(found), len(texts), names)
	}
}

// TestWhatAKilledServerLeft: files that were not finished go, others stay.
func TestWhatAKilledServerLeft(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{".logs-1.parquet.tmp77", ".logs-2.arrow.tmp1", ".mine", "notes.tmp1", ".logs-1.parquet"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c := start(t, collector.Options{Dir: dir, Encoder: arrowlog.Options{}})
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	entries, _ := os.ReadDir(dir)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if want := []string{".lock", ".logs-1.parquet", ".mine", "notes.tmp1"}; !slices.Equal(names, want) {
		t.Errorf("the folder has %q, want %q", names, want)
	}
}

// TestWhatWasAcknowledgedIsReadWithLessMemory: the collector is started again with less
// memory than the message needed.
func TestWhatWasAcknowledgedIsReadWithLessMemory(t *testing.T) {
	long := strings.Repeat("x", 3<<20) // more than a twelfth of 32 MiB
	name, journal := journalOf(t, collector.Options{Memory: 256 << 20}, "before", long, "after")
	found, names, logged := restart(t, collector.Options{Memory: 32 << 20}, name, journal)
	if len(found) != 3 || !slices.Contains(found, "before") || !slices.Contains(found, long) || !slices.Contains(found, "after") {
		t.Errorf("%d logs are in %q: %s", len(found), names, logged)
	}
	for _, n := range names {
		if !strings.HasSuffix(n, ".parquet") {
			t.Errorf("%s is left: %s", n, logged)
		}
	}
}
