package record

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// figure is a number that looks measured: a time, a share, a multiple, a rate, a
// count an operation, lines of code, a number with a fraction that is a table's
// cell or begins it. Sizes in bytes are left out: most are parameters.
var figure = regexp.MustCompile(`(?:^|[\s(\[+~≈-])(\d[\d.,]*(?: (?:ns|µs|us|ms|s|%|(?:[KMG]i?|k)?B/s|logs/s|ops/s|B/op|allocs/op|kLoC|times)|x|ns|µs|ms|%))(?:$|[\s)\],;:.|/])` +
	`|(?:\| *[+~≈-]?)(\d[\d,]*\.\d+)(?:[ |])`)

var (
	// aCommand is a command that prints figures.
	aCommand = regexp.MustCompile(`\b(?:go test|go run|poolproof (?:try|test|vet|find)|lab [a-z]+|benchstat)\b|\.ci/(?:run|long)`)
	aLink    = regexp.MustCompile(`\]\(([^)#\s]+)[^)]*\)`)
	aSpan    = regexp.MustCompile("`([^`\n]+)`")
)

// block is a run of lines between blank lines, or a fenced block with its fences.
type block struct {
	line    int // of its first line, from 1
	text    string
	heading int // its level if it is a heading, else 0
}

// blocksOf splits a Markdown file.
func blocksOf(text string) []block {
	var out []block
	var now []string
	start, fenced := 0, false
	end := func() {
		if len(now) > 0 {
			out = append(out, block{line: start, text: strings.Join(now, "\n")})
		}
		now = nil
	}
	for i, l := range strings.Split(text, "\n") {
		switch {
		case strings.HasPrefix(strings.TrimSpace(l), "```"):
			if !fenced {
				end()
				start = i + 1
			}
			now = append(now, l)
			if fenced {
				end()
			}
			fenced = !fenced
		case fenced:
			now = append(now, l)
		case strings.HasPrefix(l, "#"):
			end()
			level := len(l) - len(strings.TrimLeft(l, "#"))
			out = append(out, block{i + 1, l, level})
		case strings.TrimSpace(l) == "":
			end()
		default:
			if len(now) == 0 {
				start = i + 1
			}
			now = append(now, l)
		}
	}
	end()
	return out
}

// unsourced lists the figures of a page that look measured, and have neither a
// command nor a file in their paragraph, table or section. The section is all
// below the nearest heading; what stands directly below the headings around it
// speaks of it too, that of the page's title left aside. root is the repository, name the page in it.
func unsourced(root, name, text string) []Problem {
	blocks := blocksOf(text)
	var out []Problem
	for i, b := range blocks {
		found := figure.FindAllStringSubmatch(b.text, -1)
		if len(found) == 0 || b.heading > 0 || slices.ContainsFunc(sectionOf(blocks, i), func(b block) bool { return names(root, name, b.text) }) {
			continue
		}
		for l, line := range strings.Split(b.text, "\n") {
			if m := figure.FindStringSubmatch(line); m != nil { // the first stands for the line
				out = append(out, Problem{name, b.line + l, "the figure " + m[1] + m[2] + " names no command and no file in its paragraph, table or section", strings.TrimSpace(line)})
			}
		}
	}
	return out
}

// linesWithFigures counts the lines of a page that have such a figure.
func linesWithFigures(text string) int {
	n := 0
	for line := range strings.Lines(text) {
		if figure.MatchString(line) {
			n++
		}
	}
	return n
}

// sectionOf are the blocks below the heading of block i, and those directly below
// the headings around it.
func sectionOf(blocks []block, i int) []block {
	var out []block
	level := 7 // below every heading
	for j := i; j >= 0; j-- {
		switch h := blocks[j].heading; {
		case h == 0 && level == 7:
			out = append(out, blocks[j])
		case h > 0 && h < level:
			if level < 7 && h > 1 { // a heading around the section: its own text
				for k := j + 1; k < len(blocks) && blocks[k].heading == 0; k++ {
					out = append(out, blocks[k])
				}
			}
			level = h
		}
	}
	for j := i + 1; j < len(blocks) && blocks[j].heading == 0; j++ {
		out = append(out, blocks[j])
	}
	return out
}

// names reports whether a text of the page names a command, or a file that exists.
func names(root, page, text string) bool {
	if aCommand.MatchString(text) {
		return true
	}
	here := filepath.Dir(page)
	for _, m := range aLink.FindAllStringSubmatch(text, -1) {
		if !strings.Contains(m[1], "://") && isFile(filepath.Join(root, here, m[1])) {
			return true
		}
	}
	for _, m := range aSpan.FindAllStringSubmatch(text, -1) {
		if strings.Contains(m[1], "/") && (isFile(filepath.Join(root, here, m[1])) || isFile(filepath.Join(root, m[1]))) {
			return true
		}
	}
	return false
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}
