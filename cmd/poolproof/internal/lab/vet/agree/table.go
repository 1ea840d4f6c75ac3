package agree

import (
	"fmt"
	"io"
	"maps"
	"slices"
)

// print writes the tables of agreement.
func print(w io.Writer, all []*Verdict, sanitizer bool) {
	memory(w, all)
	byMisuse(w, all, sanitizer)
	byCode(w, all)
}

// memory is the table of programs: does an execution use memory that was put, and who
// says so.
func memory(w io.Writer, all []*Verdict) {
	type cell struct{ programs, seen int }
	cells := map[string]cell{}
	for _, v := range all {
		tier := "silent"
		for _, r := range v.reports {
			if slices.Contains(ofMemory, r.Code) && tier != "error" {
				tier = r.Tier
			}
		}
		row := 2
		if v.shows(handedOn) {
			row = 1
		}
		if v.memory() {
			row = 0
		}
		key := fmt.Sprint(row, tier)
		c := cells[key]
		c.programs++
		if len(v.seen) > 0 {
			c.seen++
		}
		cells[key] = c
	}
	fmt.Fprintln(w, "| programs, and of these with a report of the sanitizer | vet: error | vet: warning | vet: silent |\n|---|---|---|---|")
	for row, name := range []string{"an execution uses or puts what was put", "one only hands it on", "none does either"} {
		fmt.Fprintf(w, "| %s |", name)
		for _, tier := range []string{"error", "warning", "silent"} {
			c := cells[fmt.Sprint(row, tier)]
			fmt.Fprintf(w, " %d, %d |", c.programs, c.seen)
		}
		fmt.Fprintln(w)
	}
}

// byMisuse is the table of misuses: how many of the programs that show one vet reports,
// and how many of their executions the sanitizer.
func byMisuse(w io.Writer, all []*Verdict, sanitizer bool) {
	fmt.Fprintln(w, "\n| misuse | programs | vet: error | vet: warning | vet: silent | executions | the sanitizer reports | says that it does not watch the type | is silent | reports others |\n|---|---|---|---|---|---|---|---|---|---|")
	for _, m := range misuses {
		tiers := map[string]int{}
		programs, executions, hidden, unseen, invented := 0, 0, 0, 0, 0
		for _, v := range all {
			not, more := v.unlike(m)
			invented += len(more)
			if v.hidden {
				hidden += len(not)
			} else {
				unseen += len(not)
			}
			if !v.shows(m) {
				continue
			}
			programs++
			tiers[v.tier(m)]++
			for _, events := range v.events {
				if slices.ContainsFunc(events, func(e Event) bool { return e.Misuse == m }) {
					executions++
				}
			}
		}
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %d |", m, programs, tiers["error"], tiers["warning"], tiers[""], executions)
		if sanitizer && slices.Contains(slices.Collect(maps.Values(sanitizerKinds)), m) {
			fmt.Fprintf(w, " %d | %d | %d | %d |\n", executions-hidden-unseen, hidden, unseen, invented)
		} else {
			fmt.Fprintln(w, " | | | |")
		}
	}
}

// byCode is the table of vet's reports: how many of them an execution shows.
func byCode(w io.Writer, all []*Verdict) {
	type row struct{ shown, wrong, idle int }
	rows := map[string]*row{}
	of := func(r Report) *row {
		name := r.Code + ", " + r.Tier
		if rows[name] == nil {
			rows[name] = &row{}
		}
		return rows[name]
	}
	for _, v := range all {
		for _, r := range v.reports {
			switch {
			case v.confirms(r, misuses...):
				of(r).shown++
			case v.idle(r):
				of(r).idle++
			default:
				of(r).wrong++
			}
		}
	}
	fmt.Fprintln(w, "\n| reports of vet | an execution shows it | none does | none does, and none comes to a line that it names |\n|---|---|---|---|")
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		r := rows[name]
		fmt.Fprintf(w, "| %s | %d | %d | %d |\n", name, r.shown, r.wrong, r.idle)
	}
}
