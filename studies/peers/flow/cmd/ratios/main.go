// Ratios reads the output of go test -bench of the peers from its standard input and
// prints a table: the median of each peer, and how many times the first one's
// processor time is that of each: the median of the rounds with the least and the
// most of them. Above it stands what was measured: when, where, and of which revision.
//
//	cd studies/peers/flow
//	GOWORK=off go test -run '^$' -bench . -count 9 -cpu 1,2 | GOWORK=off go run ./cmd/ratios
package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	flowpeers "github.com/poolproof/poolproof/studies/peers/flow"
)

// figures are those of one peer, by unit and by GOMAXPROCS.
type figures map[string][]float64

func main() {
	peers := make(map[string]figures)
	slow := make(slows)
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		fields := strings.Fields(in.Text())
		if len(fields) < 4 {
			continue
		}
		if slow.add(fields) {
			continue
		}
		_, name, ok := strings.Cut(fields[0], "/way=")
		if !ok {
			continue
		}
		procs := "1"
		if i := strings.LastIndexByte(name, '-'); i > 0 && !known(name) {
			name, procs = name[:i], name[i+1:]
		}
		if peers[name] == nil {
			peers[name] = make(figures)
		}
		for i := 2; i+1 < len(fields); i += 2 {
			if v, err := strconv.ParseFloat(fields[i], 64); err == nil {
				key := fields[i+1] + " " + procs
				peers[name][key] = append(peers[name][key], v)
			}
		}
	}
	if err := in.Err(); err != nil {
		fmt.Fprintln(os.Stderr, "ratios:", err)
		os.Exit(1)
	}
	first := peers[flowpeers.Peers[0].Name]
	fmt.Printf("%d rounds, %s %s/%s, %d processors, %s, %s.\n\n", len(first["cpu-ns/item 1"]), runtime.Version(), runtime.GOOS, runtime.GOARCH,
		runtime.NumCPU(), time.Now().UTC().Format(time.DateOnly), revision())
	fmt.Println("| peer | how it works | cpu-ns/item, 1 processor | ratio | 2 processors | ratio | allocs/op | lacks |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	for _, p := range flowpeers.Peers {
		f := peers[p.Name]
		fmt.Printf("| %s | %s | %s | %s | %s | %s | %s | %s |\n", p.Name, p.What,
			f.median("cpu-ns/item 1"), f.ratio(first, "cpu-ns/item 1"),
			f.median("cpu-ns/item 2"), f.ratio(first, "cpu-ns/item 2"),
			f.median("allocs/op 2"), p.Lacks)
	}
	slow.print()
}

// known reports whether a name is that of a peer, which may end with a number.
func known(name string) bool {
	return slices.ContainsFunc(flowpeers.Peers, func(p flowpeers.Peer) bool { return p.Name == name })
}

func middle(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	if n := len(v); n%2 == 0 {
		return (v[n/2-1] + v[n/2]) / 2
	}
	return v[len(v)/2]
}

func (f figures) median(key string) string {
	v := f[key]
	if len(v) == 0 {
		return "-"
	}
	m := middle(v)
	if m >= 100 {
		return fmt.Sprintf("%.0f", m)
	}
	return fmt.Sprintf("%.1f", m)
}

func (f figures) ratio(first figures, key string) string {
	if len(f[key]) == 0 || len(first[key]) == 0 {
		return "-"
	}
	var rounds []float64 // in a round each peer has its turn
	for i := range min(len(f[key]), len(first[key])) {
		rounds = append(rounds, first[key][i]/f[key][i])
	}
	if len(rounds) == 1 {
		return fmt.Sprintf("%.1f in one round", rounds[0])
	}
	return fmt.Sprintf("%.1f [%.1f, %.1f]", middle(rounds), slices.Min(rounds), slices.Max(rounds))
}

// revision is that of the repository in which the command runs.
func revision() string {
	head, err := exec.Command("git", "rev-parse", "--short=12", "HEAD").Output()
	if err != nil {
		return "no revision"
	}
	name := "revision " + strings.TrimSpace(string(head))
	if changed, err := exec.Command("git", "status", "--porcelain").Output(); err != nil || len(changed) > 0 {
		name += " with local changes"
	}
	return name
}
