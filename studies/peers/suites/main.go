// Command suites runs the tests that others wrote for their pools against
// packages pool and buffer. It fetches each suite at its version from the
// module proxy into a scratch folder, replaces what the suite tests by the
// adapter of testdata, and prints a table in Markdown. Nothing of the peers is kept.
//
//	cd studies/peers/suites && go run . [-v] [NAME]
//
// NAME is a part of a suite's name; without one all run. It exits with 1 if a
// test fails, and with 3 if a suite cannot be fetched or built.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
)

func main() {
	verbose := flag.Bool("v", false, "print what each suite prints")
	flag.Parse()
	scratch, err := os.MkdirTemp("", "suites")
	if err != nil {
		fmt.Fprintln(os.Stderr, "suites:", err)
		os.Exit(3)
	}
	code := all(scratch, flag.Arg(0), *verbose)
	os.RemoveAll(scratch)
	os.Exit(code)
}

func all(scratch, part string, verbose bool) (code int) {
	fmt.Println("| suite | version | tests passed | with subtests | failed | do not apply | |")
	fmt.Println("|---|---|---|---|---|---|---|")
	var reasons []string
	for i, s := range suites {
		if !strings.Contains(s.name, part) {
			continue
		}
		r, err := s.run(fmt.Sprintf("%s/%d", scratch, i))
		if verbose {
			fmt.Fprintf(os.Stderr, "=== %s\n%s", s.name, r.output)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "suites: %s: %v\n%s", s.name, err, r.output)
			code = 3
			continue
		}
		if r.failed > 0 {
			if !verbose {
				fmt.Fprintf(os.Stderr, "=== %s\n%s", s.name, r.output)
			}
			code = max(code, 1)
		}
		version := s.version
		if s.module == "" {
			version = r.goVersion
		}
		fmt.Printf("| %s | %s | %d | %d | %d | %d | %s |\n", s.name, version, r.passed, r.cases, r.failed, r.dropped, s.note)
		for _, why := range r.reasons {
			reasons = append(reasons, fmt.Sprintf("- %s, %s.", s.name, why))
		}
	}
	if part == "" {
		for _, name := range unavailable {
			reasons = append(reasons, fmt.Sprintf("- %s: it could not be fetched when this was measured.", name))
		}
	}
	fmt.Println("\nWhat does not apply, and why:")
	fmt.Println()
	fmt.Println(strings.Join(reasons, "\n"))
	return code
}
