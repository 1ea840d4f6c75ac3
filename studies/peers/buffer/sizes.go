package bufferpeers

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// Sizes returns the sizes of the files of the Go distribution's src that are
// not empty and not above 1 MiB, which most peers do not keep, in an order that is mixed and the same for every run of one Go
// version: a real set of sizes that every reader has.
var Sizes = sync.OnceValues(func() ([]int, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT, to find real file sizes: %w", err)
	}
	root := filepath.Join(strings.TrimSpace(string(out)), "src")
	var sizes []int
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if 0 < info.Size() && info.Size() <= largest {
			sizes = append(sizes, int(info.Size()))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(sizes) < 4000 {
		return nil, fmt.Errorf("%s has %d files, too few to stand for anything", root, len(sizes))
	}
	// Files of one directory are alike, so the order must not be that of a walk.
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(sizes), func(i, j int) { sizes[i], sizes[j] = sizes[j], sizes[i] })
	return sizes, nil
})
