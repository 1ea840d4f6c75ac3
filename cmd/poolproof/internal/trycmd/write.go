package trycmd

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/scratch"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// writeOut takes the pools that do not pay out of the user's tree, if the user wants that.
// One that only isolated benchmarks are about stays, and so does one without a form that one
// would write.
func writeOut(ctx context.Context, f *tryFlags, o experiment.Options, files ...study.VerdictFile) error {
	if !f.write || o.Kind != study.KindSite && o.Kind != study.KindUnpool {
		return nil
	}
	dir, remove, err := scratch.Make()
	if err != nil {
		return err
	}
	defer remove()
	if o.Kind == study.KindSite {
		return writeVariant(ctx, o, files[0], dir)
	}
	var pools []study.ListedPool
	seen := map[string]bool{}
	for _, a := range stat.Pools(files...) {
		switch {
		case a.Verdict != study.Negative && a.Verdict != study.NoChange || seen[a.ID]:
			continue
		case a.Isolated:
			fmt.Fprintf(os.Stderr, "%s (%s) stays: only isolated benchmarks reach it\n", a.Name, a.ID)
		case a.PlainOnly != "":
			fmt.Fprintf(os.Stderr, "%s (%s) stays: it is to be taken out by hand: %s\n", a.Name, a.ID, a.PlainOnly)
		case len(a.Builds) > 0:
			fmt.Fprintf(os.Stderr, "%s (%s) stays: -write goes with one build, not with those of a matrix\n", a.Name, a.ID)
		default:
			pools = append(pools, a.ListedPool)
		}
		seen[a.ID] = true
	}
	if len(pools) == 0 {
		fmt.Fprintln(os.Stderr, "no pool is taken out")
		return nil
	}
	names, err := build.TakeOut(ctx, o, pools, dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		fmt.Fprintln(os.Stderr, "wrote", name)
	}
	fmt.Fprintln(os.Stderr, "now check what is left: poolproof vet ./... && poolproof test ./...")
	return nil
}

// writeVariant writes the best variant that pays into the user's tree, unless something speaks against it.
func writeVariant(ctx context.Context, o experiment.Options, v study.VerdictFile, scratch string) error {
	for _, a := range stat.Variants(v) {
		if a.Verdict != study.Positive && a.Verdict != study.TradeOff {
			continue
		}
		if why := stays(a, o.Path); why != "" {
			fmt.Fprintf(os.Stderr, "%s is not written: %s\n", a.ID, why)
			continue
		}
		names, err := build.PutIn(ctx, o, a.ID, scratch)
		for _, name := range names {
			fmt.Fprintln(os.Stderr, "wrote", name)
		}
		return err
	}
	fmt.Fprintln(os.Stderr, "nothing is written: no variant is known to pay")
	return nil
}

// stays says why a variant that pays in some benchmark is not written; "" if nothing speaks against it.
func stays(a study.VariantAnswer, path string) string {
	switch {
	case a.Isolated:
		return "only isolated benchmarks say that it pays"
	case len(a.Left) > 0:
		return fmt.Sprintf("there was no time for %s; to have that checked: poolproof try -write -site %s %s", strings.Join(a.Left, ", "), a.Site, path)
	case a.Verdict == study.TradeOff:
		return "what it saves has a price, which is for you to weigh; to write it: " + a.Apply
	case a.Evidence == "observed":
		return "that it is safe was seen, and not proved; to write it: " + a.Apply
	}
	return ""
}
