package pays

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// The documents, seen from the repository: a row for each pool, and all that was found.
const (
	Page   = "docs/do-pools-pay.md"
	Record = "cmd/poolproof/internal/lab/records/pays.md"
)

// Texts returns both documents by their names, for the records of the repository in root.
func Texts(root string) (map[string]string, error) {
	all, err := modules()
	if err != nil {
		return nil, err
	}
	var b, rows, found, missing strings.Builder
	asked, count := 0, map[string]int{}
	for _, m := range all {
		r, err := read(filepath.Join(root, filepath.FromSlash(records), m.Name+".json"))
		if errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(&missing, "- %s %s\n", m.Path, m.Version)
			continue
		}
		if err != nil {
			return nil, err
		}
		m.section(&b, r)
		m.rows(&rows, r)
		if m.Found != "" {
			fmt.Fprintf(&found, "\n%s: %s\n", m.Path, m.Found)
		}
		asked++
		for _, p := range r.Pools {
			switch {
			case p.Verdict == "" && p.Reached == 0:
				count["not reached"]++
			case p.Verdict == "":
				count["cannot be asked"]++
			case p.Isolated:
				count[string(p.Verdict)+" (isolated)"]++
			default:
				count[string(p.Verdict)]++
			}
		}
	}
	text := b.String()
	if missing.Len() > 0 {
		text += "\n## Not measured yet\n\n" + missing.String()
	}
	counts := summary(asked, count)
	return map[string]string{Page: head + tail + counts + table + rows.String() + found.String(), Record: recordHead + counts + text}, nil
}

// rows writes a line for each pool of a module that a benchmark reaches: its verdict, with
// each Go if they differ, and what it saves with the last.
func (m module) rows(b *strings.Builder, r record) {
	pools := slices.DeleteFunc(slices.Clone(r.Pools), func(p study.PoolAnswer) bool { return p.Reached == 0 })
	slices.SortStableFunc(pools, func(a, b study.PoolAnswer) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), slices.Compare(a.Builds, b.Builds))
	})
	if len(pools) == 0 {
		fmt.Fprintf(b, "| %s | - | - | no benchmark that was chosen reaches a pool that can be taken out |\n", r.Module)
	}
	for len(pools) > 0 {
		n := slices.IndexFunc(pools, func(p study.PoolAnswer) bool { return p.ID != pools[0].ID })
		if n < 0 {
			n = len(pools)
		}
		last := pools[n-1]
		verdict := words.PoolVerdict(last)
		if slices.ContainsFunc(pools[:n], func(p study.PoolAnswer) bool { return words.PoolVerdict(p) != verdict }) {
			var each []string
			for _, p := range pools[:n] {
				each = append(each, words.PoolVerdict(p)+" ("+strings.Join(p.Builds, " ")+")")
			}
			verdict = strings.Join(each, ", ")
		}
		figures, _ := words.Saving(last)
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", r.Module, last.Name, verdict, figures)
		pools = pools[n:]
	}
}

// read reads a record.
func read(name string) (r record, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return r, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

// summary counts the answers of all modules.
func summary(modules int, count map[string]int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nAnswers in %d modules; a pool counts once for each Go:\n\n| answer | pools |\n|---|---|\n", modules)
	for _, v := range []string{
		string(study.Positive), string(study.NoChange), string(study.Negative), string(study.TradeOff), string(study.Inconclusive),
		string(study.Positive) + " (isolated)", string(study.NoChange) + " (isolated)", string(study.Negative) + " (isolated)",
		string(study.TradeOff) + " (isolated)", string(study.Inconclusive) + " (isolated)", string(study.Invalid), string(study.NotMeasured),
		"not reached", "cannot be asked",
	} {
		if n := count[v]; n > 0 {
			fmt.Fprintf(&b, "| %s | %d |\n", v, n)
		}
	}
	return b.String()
}

// section writes what was found in a module.
func (m module) section(b *strings.Builder, r record) {
	fmt.Fprintf(b, "\n## %s %s\n\n", r.Module, r.Version)
	fmt.Fprintf(b, "    %s\n\n", quoted(r.Command))
	if len(r.Pools) == 0 {
		fmt.Fprintf(b, "%s. Nothing to compare:\n\n", r.Date)
		for _, why := range r.None {
			fmt.Fprintf(b, "- %s\n", why)
		}
		return
	}
	fmt.Fprintf(b, "%s, %s, %s; %.0f s from start to end.", r.Date, r.Go, r.Machine.CPU, r.Seconds)
	if busy := busiest(r); busy > 0.1 {
		fmt.Fprintf(b, " Other programs used up to %.0f %% of the machine.", 100*busy)
	}
	if m.Found != "" {
		b.WriteString(" " + m.Found)
	}
	b.WriteString("\n\n")
	var shown []study.PoolAnswer
	var notes []string
	unreached := 0
	for _, p := range r.Pools {
		switch {
		case p.Reached > 0:
			shown = append(shown, p)
		case p.Trouble != "":
			notes = append(notes, fmt.Sprintf("%s (%s) cannot be taken out: %s", p.Name, p.ID, p.Trouble))
		default:
			unreached++
		}
	}
	g := words.Pools(shown)
	row := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	row(append(g.Head, "the pool"))
	row(slices.Repeat([]string{"---"}, len(g.Head)+1))
	for i, p := range shown {
		figures, about := words.Saving(p)
		row(append(g.Cells[i], figures))
		for _, a := range about {
			if a = p.Name + ": " + a; !slices.Contains(notes, a) {
				notes = append(notes, a)
			}
		}
	}
	b.WriteString("\n")
	for _, n := range notes {
		b.WriteString("- " + n + "\n")
	}
	if unreached > 0 {
		fmt.Fprintf(b, "- %s by no benchmark that ran\n", words.Plural(unreached, "pool more is reached", "pools more are reached"))
	}
	same := 0
	for _, l := range r.Apart {
		if strings.Contains(l, "these differ") {
			b.WriteString("- between the builds: " + l + "\n")
		} else {
			same++
		}
	}
	if same > 0 {
		fmt.Fprintf(b, "- %d comparisons cannot be told apart between the builds\n", same)
	}
	for _, l := range r.Tested {
		b.WriteString("- " + l + "\n")
	}
}

// busiest is the largest share of the machine that other programs had while a comparison was
// measured.
func busiest(r record) (share float64) {
	for _, p := range r.Pools {
		for _, d := range p.Deciding {
			share = max(share, d.Foreign)
		}
	}
	return share
}

// quoted is a command as a shell takes it.
func quoted(command []string) string {
	var all []string
	for _, word := range command {
		if strings.ContainsAny(word, " |$()*^,'") {
			word = "'" + word + "'"
		}
		all = append(all, word)
	}
	return strings.Join(all, " ")
}

const head = `# Do the pools of well-known modules still pay?

Each row is a sync.Pool of a published module, asked with one command: the module without that pool
(and with all its others) against the module as it is. POSITIVE: the pool pays, NEGATIVE: the program
is better without it, NO CHANGE: it saves nothing. "isolated" are answers of benchmarks that do little
else than get and put. The modules and their benchmarks were chosen before anything was timed, from
names and lists of dry runs, so that a module takes five minutes; these are first runs, and none was left out.
Benchmarks are the modules' own. This page is printed by ` + "`go run ./internal/lab pays -write`" + ` in cmd/poolproof.
`

const tail = `[The record](../cmd/poolproof/internal/lab/records/pays.md) has versions, commands, machines, dates, each
Go and what else was found. The figures below are those of the newest Go that was asked.
`

const table = "\n| module | pool | verdict | the pool |\n|---|---|---|---|\n"

const recordHead = `# The pools of well-known modules

What stands in short in [docs/do-pools-pay.md](../../../../../docs/do-pools-pay.md), with its words.
` + "`go run ./internal/lab pays -write`" + ` in cmd/poolproof prints both.
`
