package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const sample = `{"schema":2,"ended":"2026-01-02T03:04:05Z","plan":{"toolchain":"go1.26.8 linux/amd64","revision":"0123456789abcdef"},"results":[
{"benchmark":"BenchmarkPair/size=4KiB/goroutines=1","arm":"a","baseline":"sync","verdict":"NEGATIVE","deciding":{"effect":0.25,"lo":0.2,"hi":0.3,"launches":4},"allocs":{"baseline":0,"candidate":0}},
{"benchmark":"BenchmarkPair/size=4KiB/goroutines=2","arm":"a","baseline":"sync","verdict":"INCONCLUSIVE","deciding":{"effect":0,"lo":0,"hi":0,"launches":0},"m_wall":{"effect":-0.01,"lo":-0.1,"hi":0.1,"launches":4},"allocs":{"baseline":0,"candidate":2}},
{"benchmark":"BenchmarkPair/size=4KiB/goroutines=1","arm":"b","baseline":"sync","verdict":"not measured","deciding":{"effect":0,"lo":0,"hi":0,"launches":0},"m_wall":{"effect":0,"lo":0,"hi":0,"launches":0},"allocs":{"baseline":0,"candidate":0}}]}`

const table = "Time as a ratio to `sync` in the same run, with its interval; `BenchmarkPair/size=4KiB`, go1.26.8 linux/amd64, 2026-01-02, revision 0123456789ab.\n\n" +
	"| pool | goroutines=1 | goroutines=2 | allocs/op |\n|---|---|---|---|\n" +
	"| a | 1.25 [1.20, 1.30] | 0.99 [0.90, 1.10] inconclusive | 2 |\n" +
	"| b | not measured |  | 0 |\n"

func TestAVerdictBecomesATableOfRatios(t *testing.T) {
	got, err := ratios([]byte(sample))
	if err != nil || got != table {
		t.Errorf("%v, got\n%s\nwant\n%s", err, got, table)
	}
}

// A ratio far from 1, a key, labels for names, and figures of the benchmarks' own:
// one with an interval, and a count.
const labelled = `{"schema":2,"ended":"2026-01-02T03:04:05Z","plan":{"toolchain":"go1.26.8 linux/amd64","revision":"0123456789abcdef","study":{"key":"impl"}},"results":[
{"benchmark":"release","arm":"a","baseline":"counted","verdict":"POSITIVE","deciding":{"effect":-0.9973,"lo":-0.998,"hi":-0.9965,"launches":4},"allocs":{"baseline":0,"candidate":0}},
{"benchmark":"reload","arm":"a","baseline":"counted","cell":["GOMAXPROCS=1"],"verdict":"POSITIVE","deciding":{"effect":-0.5,"lo":-0.6,"hi":-0.4,"launches":4},"allocs":{"baseline":0,"candidate":0},
 "metrics":[{"unit":"p99-ns","baseline":190.54,"candidate":95.27,"estimate":{"effect":-0.5,"lo":-0.55,"hi":-0.45,"launches":4}},{"unit":"made/op","baseline":1,"candidate":0}]},
{"benchmark":"reload","arm":"b","baseline":"counted","cell":["GOMAXPROCS=1"],"verdict":"not measured","deciding":{"effect":0,"lo":0,"hi":0,"launches":0},"allocs":{"baseline":0,"candidate":0}},
{"benchmark":"reload","arm":"c","baseline":"counted","cell":["GOMAXPROCS=1"],"verdict":"POSITIVE","deciding":{"effect":-0.5,"lo":-0.6,"hi":-0.4,"launches":4},"allocs":{"baseline":0,"candidate":0},
 "metrics":[{"unit":"made/op","baseline":0.5,"candidate":0.25}]}]}`

const labelledTable = "Time as a ratio to `counted` in the same run, with its interval; go1.26.8 linux/amd64, 2026-01-02, revision 0123456789ab.\n\n" +
	"| impl | release | reload GOMAXPROCS=1 | allocs/op |\n|---|---|---|---|\n" +
	"| a | 0.0027 [0.002, 0.0035] | 0.50 [0.40, 0.60] | 0 |\n" +
	"| b |  | not measured | 0 |\n" +
	"| c |  | 0.50 [0.40, 0.60] | 0 |\n" +
	"\nreload GOMAXPROCS=1, the benchmark's own figures:\n\n" +
	"| impl | p99-ns | made/op |\n|---|---|---|\n" +
	"| a | 191 -> 95.3: 0.50 [0.45, 0.55] | 1 -> 0 |\n" +
	"| c |  | 0.5 -> 0.25 |\n"

// Where the rule judges CPU time, users want to see what they wait for as well.
const clocks = `{"schema":2,"ended":"2026-01-02T03:04:05Z","plan":{"toolchain":"go1.26.8 linux/amd64","revision":"0123456789abcdef"},"results":[
{"benchmark":"one","arm":"a","baseline":"sync","verdict":"POSITIVE","estimator":"T wall","deciding":{"effect":-0.25,"lo":-0.3,"hi":-0.2,"launches":4},"m_wall":{"effect":-0.5,"lo":-0.6,"hi":-0.4,"launches":4},"allocs":{"baseline":0,"candidate":0}},
{"benchmark":"two","arm":"a","baseline":"sync","verdict":"NEGATIVE","estimator":"M cpu","deciding":{"effect":0.5,"lo":0.4,"hi":0.6,"launches":4},"m_wall":{"effect":-0.1,"lo":-0.2,"hi":0.1,"launches":4},"allocs":{"baseline":0,"candidate":0}},
{"benchmark":"one","arm":"b","baseline":"sync","verdict":"INCONCLUSIVE","estimator":"T wall","deciding":{"effect":0.32,"lo":0.32,"hi":0.32,"launches":1},"m_wall":{"effect":0.31,"lo":0.31,"hi":0.31,"launches":1},"allocs":{"baseline":0,"candidate":0}},
{"benchmark":"two","arm":"b","baseline":"sync","verdict":"not measured","estimator":"M cpu","deciding":{"effect":0,"lo":0,"hi":0,"launches":0},"m_wall":{"effect":0,"lo":0,"hi":0,"launches":0},"allocs":{"baseline":0,"candidate":0}}]}`

const clocksTable = "Time as a ratio to `sync` in the same run, with its interval; go1.26.8 linux/amd64, 2026-01-02, revision 0123456789ab." +
	" Cells with an asterisk are CPU time of all threads, which is what the rule judges of code that keeps several processors busy; wall time is the second table.\n\n" +
	"| pool | one | two | allocs/op |\n|---|---|---|---|\n" +
	"| a | 0.75 [0.70, 0.80] | 1.50 [1.40, 1.60]* | 0 |\n" +
	"| b | 1.3 in one launch inconclusive | not measured | 0 |\n" +
	"\nWall time, not judged:\n\n" +
	"| pool | one | two | allocs/op |\n|---|---|---|---|\n" +
	"| a | 0.50 [0.40, 0.60] | 0.90 [0.80, 1.10] | 0 |\n" +
	"| b | 1.3 in one launch | not measured | 0 |\n"

func TestWallTimeStandsBesideCPUTime(t *testing.T) {
	got, err := ratios([]byte(clocks))
	if err != nil || got != clocksTable {
		t.Errorf("%v, got\n%s\nwant\n%s", err, got, clocksTable)
	}
}

// A result whose wall time is not known where CPU time decided has no second table.
func TestWithoutWallTimeThereIsNoSecondTable(t *testing.T) {
	want, _, _ := strings.Cut(clocksTable, "\nWall time")
	want = strings.Replace(want, "; wall time is the second table.", ".", 1)
	without := strings.Replace(clocks, `"m_wall":{"effect":-0.1,"lo":-0.2,"hi":0.1,"launches":4},`, "", 1)
	if got, err := ratios([]byte(without)); err != nil || got != want {
		t.Errorf("%v, got\n%s\nwant\n%s", err, got, want)
	}
}

func TestFiguresOfTheBenchmarksOwnFollow(t *testing.T) {
	got, err := ratios([]byte(labelled))
	if err != nil || got != labelledTable {
		t.Errorf("%v, got\n%s\nwant\n%s", err, got, labelledTable)
	}
}

func TestASectionIsReplacedAndNothingElse(t *testing.T) {
	dir := t.TempDir()
	page, text, verdict := filepath.Join(dir, "page.md"), filepath.Join(dir, "text.md"), filepath.Join(dir, "verdict.json")
	for name, content := range map[string]string{
		page:    "above\n<!-- begin a -->\nold\n<!-- end a -->\nbetween\n<!-- begin b -->\n<!-- end b -->\nbelow\n",
		text:    "new\n",
		verdict: sample,
	} {
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := "above\n<!-- begin a -->\n\nnew\n\n<!-- end a -->\nbetween\n<!-- begin b -->\n\n" + strings.TrimSpace(table) + "\n\n<!-- end b -->\nbelow\n"
	for range 2 { // the second time nothing changes
		if err := run([]string{page, "a=" + text, "b=" + verdict}); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(page); string(got) != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
	for _, args := range [][]string{{}, {page, "a"}, {page, "c=" + text}, {page, "a=" + text + ".no"}, {page + ".no", "a=" + text}} {
		if err := run(args); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}

func TestASectionThatHasItsFileIsWrittenOnceThatExists(t *testing.T) {
	dir := t.TempDir()
	page, file := filepath.Join(dir, "page.md"), filepath.Join(dir, "one", "verdict.json")
	const before = "above\n<!-- begin a of one/verdict.json -->\nold\n<!-- end a -->\nbelow\n"
	if err := os.WriteFile(page, []byte(before), 0o644); err != nil {
		t.Fatal(err)
	}
	read := func() string {
		if err := run([]string{page}); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if got := read(); got != before {
		t.Errorf("without its file the section becomes\n%s", got)
	}
	if err := os.Mkdir(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(clocks), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := read(); !strings.HasPrefix(got, "above\n<!-- begin a of one/verdict.json -->\n\nTime as a ratio") || !strings.HasSuffix(got, "\n\n<!-- end a -->\nbelow\n") {
		t.Errorf("with its file the page becomes\n%s", got)
	}
	if err := os.WriteFile(file, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{page}); err == nil {
		t.Error("a file that is no result is accepted")
	}
}

// TestTheTablesAreThoseOfTheCommittedResults holds this repository's pages against
// the results beside the studies that their sections name.
func TestTheTablesAreThoseOfTheCommittedResults(t *testing.T) {
	for _, page := range []string{"docs/benchmarks.md", "systems/mdns/README.md", "systems/oas/README.md"} {
		name := filepath.Join("..", "..", "..", filepath.FromSlash(page))
		text, err := os.ReadFile(name)
		if err != nil {
			t.Skip("the documents are not here")
		}
		sections := kept.FindAllStringSubmatch(string(text), -1)
		if len(sections) == 0 {
			t.Errorf("no section of %s names its file", page)
		}
		for _, m := range sections {
			dir := filepath.Dir(filepath.Join(filepath.Dir(name), filepath.FromSlash(m[2])))
			if _, err := os.Stat(filepath.Join(dir, "study.toml")); err != nil {
				t.Errorf("the section %q of %s names a file of no study: %v", m[1], page, err)
			}
		}
		if got, err := current(name, string(text)); err != nil || got != string(text) {
			t.Errorf("%v: the tables of %s are not those of the committed results; run go run . %s in this folder", err, name, name)
		}
	}
}

func TestOtherSchemasAreRefused(t *testing.T) {
	for _, text := range []string{"", "{}", `{"schema":1,"results":[{}]}`, `{"schema":2,"results":[]}`} {
		if _, err := ratios([]byte(text)); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

// The schema is that of the files which the program writes today.
func TestAFileOfTheProgramIsRead(t *testing.T) {
	name := filepath.Join("..", "..", "..", "cmd", "poolproof", "internal", "report", "testdata", "cells.json")
	content, err := os.ReadFile(name)
	if err != nil {
		t.Skip("the command is a module of its own, and is not here")
	}
	got, err := ratios(content)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Time as a ratio to `grow`", "GOGC=25 GOMAXPROCS=1", "| pooled | ", "| sized | 0."} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}
