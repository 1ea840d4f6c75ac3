package vetrun

import (
	"context"
	"os"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/bymodule"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
)

// packages are patterns that one run of the go command understands.
type packages struct {
	bymodule.Run
	env []string // added to its environment
}

// group sorts package arguments by the module that they lie in.
func group(ctx context.Context, dir string, args []string) ([]packages, error) {
	if len(args) == 0 {
		args = []string{"."}
	}
	runs, err := bymodule.Command{Bare: true, Below: true}.Runs(dir, args)
	groups := make([]packages, len(runs))
	for i, r := range runs {
		groups[i] = packages{r, leaveWorkspace(ctx, r.Dir)}
	}
	return groups, err
}

// leaveWorkspace returns the addition to the environment where a go.work does not
// use the module of the folder: the go command would find no package there.
func leaveWorkspace(ctx context.Context, dir string) []string {
	own := overlay.NearestModule(dir)
	if own == "" {
		return nil
	}
	// In a workspace these are all its modules.
	out, err := goCommand(ctx, dir, nil, "list", "-m", "-f", "{{.Dir}}")
	if err != nil {
		return nil // it will say why
	}
	for used := range strings.Lines(out.stdout) {
		if sameFolder(strings.TrimSpace(used), own) {
			return nil
		}
	}
	return []string{"GOWORK=off"}
}

func sameFolder(a, b string) bool {
	if a == b {
		return true
	}
	ia, erra := os.Stat(a)
	ib, errb := os.Stat(b)
	return erra == nil && errb == nil && os.SameFile(ia, ib)
}
