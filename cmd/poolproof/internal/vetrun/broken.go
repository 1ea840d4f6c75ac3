package vetrun

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
)

// compileErrors returns all that the compiler says of the packages of which go vet, which ends
// with the first error of each, said something; and the rest of what it said.
func compileErrors(ctx context.Context, g packages, tags string, sound []listed, said []string) (all []string, err error) {
	var broken []string
	rest := slices.DeleteFunc(slices.Clone(said), func(line string) bool {
		place, _, _ := strings.Cut(line, ": ")
		file, _, _, err := position(place)
		if err != nil {
			return false
		}
		if !filepath.IsAbs(file) {
			file = filepath.Join(g.Dir, file)
		}
		i := slices.IndexFunc(sound, func(p listed) bool { return p.Dir == filepath.Dir(file) })
		if i >= 0 && !slices.Contains(broken, sound[i].ImportPath) {
			broken = append(broken, sound[i].ImportPath)
		}
		return i >= 0
	})
	if len(broken) == 0 {
		return said, nil
	}
	args := []string{"list", "-e", "-export", "-test", "-gcflags=-e", "-json=Error"}
	if tags != "" {
		args = append(args, "-tags="+tags)
	}
	out, err := goCommand(ctx, g.Dir, g.env, append(append(args, "--"), broken...)...)
	if err != nil {
		return said, ctx.Err() // go vet's own words are something
	}
	for dec := json.NewDecoder(strings.NewReader(out.stdout)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fault.Errorf(fault.Tools, "go list -json: %w", err)
		}
		if p.Error == nil {
			continue
		}
		for _, line := range diagnostics(slices.Collect(strings.Lines(p.Error.Err))) {
			if !slices.Contains(all, line) { // a package without its tests, and with them
				all = append(all, line)
			}
		}
	}
	if len(all) == 0 {
		return said, nil
	}
	return append(all, rest...), nil
}
