package main

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestTheDiskComesBeforeTheAnswer serves under strace and reads in which order the
// system was asked: a killed process does not show what a machine without power
// loses, the order of fsync and answer does.
func TestTheDiskComesBeforeTheAnswer(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("needs strace: apt-get install strace")
	}
	dir := t.TempDir()
	trace := filepath.Join(t.TempDir(), "trace")
	if out, err := exec.Command(strace, "-f", "-o", trace, "true").CombinedOutput(); err != nil {
		t.Skipf("strace may not trace here: %v %s", err, out)
	}
	s := serveUnder(t, []string{strace, "-f", "-y", "-s", "24", "-o", trace, "-e", "trace=pwrite64,write,fsync,rename,renameat,renameat2,unlink,unlinkat"},
		"-dir", dir, "-grpc", "", "-http", "127.0.0.1:0", "-age", "1h")
	const requests = 3
	for range requests {
		body := `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"1","body":{"stringValue":"a"}}]}]}]}`
		res, err := http.Post("http://"+s.address+"/v1/logs", "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != http.StatusOK {
			t.Fatal(res.Status)
		}
	}
	traced := regexp.MustCompile(`(?m)^(\d+) `).FindSubmatch(read(t, trace))
	exec.Command("kill", "-INT", string(traced[1])).Run() // the server, which strace started first
	<-s.done
	s.cmd.Wait()

	calls := finished(string(read(t, trace)))
	next := 0 // the place in calls where the search goes on
	follow := func(what, pattern string) {
		t.Helper()
		i := slices.IndexFunc(calls[next:], regexp.MustCompile(pattern).MatchString)
		if i < 0 {
			t.Fatalf("%s does not follow call %d of:\n%s", what, next, strings.Join(calls, "\n"))
		}
		next += i + 1
	}
	follow("the journal's name brought to the disk", `^fsync\(\d+<`+regexp.QuoteMeta(dir)+`>\) += 0`)
	for range requests {
		start := next
		follow("the message in the journal", `^pwrite64\(\d+<[^>]*\.journal>`)
		follow("the journal on the disk", `^fsync\(\d+<[^>]*\.journal>\) += 0`)
		follow("the answer", `^write\(\d+<[^>]*>, "HTTP/1\.1 200`)
		for _, c := range calls[start : next-1] {
			if strings.Contains(c, `"HTTP/1.1 200`) {
				t.Fatalf("an answer came before the journal was on the disk: %s", c)
			}
		}
	}
	follow("the file's content on the disk", `^fsync\(\d+<[^>]*/\.[^>]*parquet[^>]*>\) += 0`)
	follow("the file's name", `^rename[a-z0-9]*\(.* += 0`)
	follow("the name on the disk", `^fsync\(\d+<`+regexp.QuoteMeta(dir)+`>\) += 0`)
	follow("the end of the journal", `^unlink(at)?\(.*\.journal.* += 0`)
	if i := slices.IndexFunc(calls, regexp.MustCompile(`^unlink(at)?\(.*\.journal`).MatchString); i < next-1 {
		t.Errorf("a journal was removed before its file was on the disk: %s", calls[i])
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

var (
	traceLine = regexp.MustCompile(`^(\d+) +(.*)$`)
	unended   = regexp.MustCompile(`^(.*) <unfinished \.\.\.>$`)
	resumed   = regexp.MustCompile(`^<\.\.\. \w+ resumed>(.*)$`)
)

// finished returns the calls of a trace in the order in which they ended. A write
// stands where it began: the other side may read before the call ends.
func finished(trace string) []string {
	open := map[string]string{}
	var calls []string
	for line := range strings.Lines(trace) {
		m := traceLine.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		id, c := m[1], m[2]
		if u := unended.FindStringSubmatch(c); u != nil {
			if strings.HasPrefix(u[1], "write(") {
				calls = append(calls, u[1])
			} else {
				open[id] = u[1]
			}
			continue
		}
		if r := resumed.FindStringSubmatch(c); r != nil {
			if open[id] == "" {
				continue
			}
			c = open[id] + r[1]
			delete(open, id)
		}
		calls = append(calls, c)
	}
	return calls
}

func TestFinishedCallsOfATrace(t *testing.T) {
	got := finished("12 fsync(3</a>) = 0\n13 fsync(4</b> <unfinished ...>\n12 write(5<s>, \"x\" <unfinished ...>\n13 <... fsync resumed>)              = 0\n12 <... write resumed>) = 1\n12 +++ exited with 0 +++\n")
	want := []string{"fsync(3</a>) = 0", `write(5<s>, "x"`, "fsync(4</b>)              = 0", "+++ exited with 0 +++"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
