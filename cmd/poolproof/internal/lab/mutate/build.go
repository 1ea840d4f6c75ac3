package mutate

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// build compiles the tests of a package with other texts for some files, which
// may be new. It reports the output of the compiler as an error.
func build(ctx context.Context, dir, tests string, texts map[string]string) (binary, error) {
	list, err := overlay(dir, texts)
	if err != nil {
		return binary{}, err
	}
	b := binary{file: filepath.Join(dir, "mutant.test"), folder: filepath.FromSlash(tests)}
	out, err := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-o", b.file, "-overlay="+list, tests).CombinedOutput()
	if err != nil {
		return binary{}, fmt.Errorf("%w\n%s", err, out)
	}
	if _, err := os.Stat(b.file); err != nil {
		return binary{}, fmt.Errorf("%s has no tests: %s", tests, strings.TrimSpace(string(out)))
	}
	return b, nil
}

// overlay writes the texts and the go command's list of them into dir, and
// returns the list's name.
func overlay(dir string, texts map[string]string) (string, error) {
	replace := make(map[string]string)
	for name, text := range texts {
		original, err := filepath.Abs(filepath.FromSlash(name))
		if err != nil {
			return "", err
		}
		file := filepath.Join(dir, fmt.Sprintf("%d_%s", len(replace), filepath.Base(original)))
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			return "", err
		}
		replace[original] = file
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		return "", err
	}
	list := filepath.Join(dir, "overlay.json")
	return list, os.WriteFile(list, text, 0o666)
}
