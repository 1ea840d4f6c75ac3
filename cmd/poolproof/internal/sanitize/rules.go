package sanitize

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/fields"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/finding"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
)

// rules writes what the binaries must know beforehand: the fields that own their
// arrays, and what is ignored or known.
func (p *plan) rules() error {
	sum := sha256.Sum256([]byte(p.dir))
	cache := fields.Open(filepath.Join(p.cache, "fields", hex.EncodeToString(sum[:12])+".json"))
	p.build = fields.Scan(p.packages.scan, p.actual, cache)
	if err := cache.Save(); err != nil {
		p.note("the scan of the packages could not be saved, so the next run repeats it: %v", err)
	}
	index := map[string][2]string{} // the ignore file and the file of fields of each folder
	p.given = map[string][]finding.Rule{}
	for dir, path := range p.packages.tested {
		if slices.Contains(p.left, path) {
			continue
		}
		fieldsFile := filepath.Join(p.scratch, fmt.Sprintf("fields%d", len(index)))
		if err := writeLines(fieldsFile, p.build.Link(path).Lines()); err != nil {
			return err
		}
		p.given[dir] = append(finding.Rules(p.directives, dir, p.inBinaries), p.known...)
		var lines []string
		for _, r := range p.given[dir] {
			lines = append(lines, r.Text)
		}
		ignores := filepath.Join(p.scratch, fmt.Sprintf("ignore%d", len(index)))
		if err := writeLines(ignores, lines); err != nil {
			return err
		}
		index[dir] = [2]string{ignores, fieldsFile}
	}
	p.rulesFile = filepath.Join(p.scratch, "rules")
	text, err := json.Marshal(index)
	if err != nil {
		return err
	}
	return os.WriteFile(p.rulesFile, text, 0o666)
}

// inBinaries returns the names that a file of the main module has in binaries:
// -trimpath names it by import path.
func (p *plan) inBinaries(file string) []string {
	if !p.asked.on("trimpath") {
		return []string{file}
	}
	var names []string
	for path, dir := range p.packages.sites.Dirs {
		if dir == filepath.Dir(file) {
			names = append(names, path+"/"+filepath.Base(file))
		}
	}
	return names
}

// used notes which rules the processes of a run have used.
func (p *plan) used(l *record.Log) {
	dirs := l.Dirs()
	for _, process := range l.Processes {
		for dir, rules := range p.given {
			if of := dirs[process]; of != "" && of != dir {
				continue
			}
			for _, r := range rules {
				if slices.Contains(process.Used, r.Text) {
					r.Use()
				}
			}
		}
	}
}

// actual is where the text of a file is.
func (p *plan) actual(file string) string {
	if to, ok := p.user[file]; ok && to != "" {
		return to
	}
	return file
}

func writeLines(name string, lines []string) error {
	text := strings.Join(lines, "\n")
	if text != "" {
		text += "\n"
	}
	return os.WriteFile(name, []byte(text), 0o666)
}
