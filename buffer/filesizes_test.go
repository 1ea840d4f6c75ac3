package buffer

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// fileSizes are the sizes of all files of the Go distribution's src, in the order
// of a walk: a real set of sizes that every reader has.
var fileSizes = sync.OnceValue(func() (sizes []int) {
	root := os.Getenv("GOROOT")
	if root == "" {
		out, err := exec.Command("go", "env", "GOROOT").Output()
		if err != nil {
			return nil
		}
		root = strings.TrimSpace(string(out))
	}
	filepath.WalkDir(filepath.Join(root, "src"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil
		}
		if info, err := d.Info(); err == nil && info.Size() > 0 {
			sizes = append(sizes, int(info.Size()))
		}
		return nil
	})
	return sizes
})

// realSizes returns fileSizes in an order that is mixed and always the same, or
// skips the test.
func realSizes(t testing.TB) []int {
	t.Helper()
	sizes := fileSizes()
	if len(sizes) < 1000 {
		t.Skip("no sources of Go's standard library here")
	}
	// Files of a directory are alike: take them in steps that have no common
	// divisor with their number.
	mixed := make([]int, len(sizes))
	step := len(sizes)*5/8 | 1
	for gcd(step, len(sizes)) != 1 {
		step += 2
	}
	for i := range mixed {
		mixed[i] = sizes[i*step%len(sizes)]
	}
	return mixed
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
