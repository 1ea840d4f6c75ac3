// Command lab measures poolproof's own tools: how much they find, how often they
// are wrong, and their cost. It is for poolproof's developers. What it printed is in
// the folder records, and docs/proof.md is made of that.
//
//	cd cmd/poolproof && go run ./internal/lab TOOL [flags] [arguments]
//	cd cmd/poolproof && go run ./internal/lab TOOL -h
//
// Each tool is a folder beside this file. Three folders have only tests, or files
// that tests read: sanitizer/corpus, vet/corpus and mutants.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/campaign"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/kept"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/pays"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/proof"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/record"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/rooms"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/cost"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/found"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/modules"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/mutants"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/poison"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sites"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/agree"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/noise"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/score"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize"
)

// tool is one measurement.
type tool struct {
	name  string
	about string // "" hides the tool: only other tools start it
	main  func(ctx context.Context, args []string) (code int)
}

var tools = []tool{
	{"campaign", "try: hundreds of comparisons whose answer is known", campaign.Main},
	{"score", "vet: recall and false reports on the corpus, its variants, and beside other checkers", score.Main},
	{"noise", "vet: reports on published modules, and recall of defects that are seeded there", noise.Main},
	{"vet-agree", "vet: asks vet, the sanitizer and an interpreter about drawn programs", agree.Main},
	{"mutants", "test: misuses of pools that are put into published modules", mutants.Main},
	{"modules", "test: the whole test suites of published modules", modules.Main},
	{"poison", "test: the same suites with poison and without it, which must not differ", poison.Main},
	{"found", "test: the defects of docs/found.md, each shown again in its published module", found.Main},
	{"cost", "test: processor time and memory beside the race detector", cost.Main},
	{"rooms", "the source: arrows between files that point back up, methods of types, depth of imports", rooms.Main},
	{"record", "the record: claims, origins of results, figures in documents, notes against results", record.Main},
	{"keep", "what a command prints, kept with its day, revision and machine: the file that a table of a page stands on", kept.Main},
	{"proof", "the page docs/proof.md, from the records", proof.Main},
	{"sites", "find: the hot sites of drawn modules, and what of them can be tried", sites.Main},
	{"pays", "try -unpool: the pools of well-known modules, and the page docs/do-pools-pay.md", pays.Main},
	{cost.CaptureTool, "", cost.Capture},
	{campaign.NeighbourTool, "", campaign.Neighbour},
}

func main() {
	if sanitize.Launched(os.Args[1:]) {
		os.Exit(sanitize.Launch(os.Args[1:]))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := dispatch(ctx, os.Args[1:], os.Stderr)
	stop()
	os.Exit(code)
}

// dispatch runs the tool that the first argument names. Its code is 2 if there is
// no such tool.
func dispatch(ctx context.Context, args []string, errors io.Writer) int {
	if len(args) > 0 {
		for _, t := range tools {
			if t.name == args[0] {
				return t.main(ctx, args[1:])
			}
		}
		fmt.Fprintf(errors, "lab: there is no tool %q\n", args[0])
	}
	fmt.Fprintf(errors, "usage: go run ./internal/lab TOOL [flags] [arguments]; the tools are\n\n")
	for _, t := range tools {
		if t.about != "" {
			fmt.Fprintf(errors, "\t%-10s %s\n", t.name, t.about)
		}
	}
	return 2
}
