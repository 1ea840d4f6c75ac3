package trycmd

import (
	"errors"
	"fmt"
	"os"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/cli"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/gobench"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/term"
)

// tryFiles judges two Go benchmark files.
func tryFiles(f *tryFlags) (int, error) {
	var files [2]study.PrintedFile
	for i, name := range []string{f.judge, f.args[0]} {
		var err error
		if files[i], err = readBenchmarks(name); err != nil {
			return exitcode.Usage, fault.Option("judge", "", "%w", err)
		}
		for _, n := range files[i].Notices {
			cli.Complain(errors.New(n))
		}
	}
	v, err := stat.JudgePrinted(files[0], files[1], f.Question)
	if err != nil {
		return exitcode.Usage, fault.Option("judge", "", "%w", err)
	}
	if f.json {
		return codeOf(v, f.strict), study.Encode(os.Stdout, v)
	}
	fmt.Printf("%s\n\n", v.Plan.Title)
	if err := term.Table(os.Stdout, v, columns()); err != nil {
		return exitcode.Usage, err
	}
	fmt.Println("\nCounts do not depend on when they were made, time does: these files cannot show small differences of time.\n" +
		"poolproof try -base REV PACKAGE measures both sides in turn.")
	return codeOf(v, f.strict), nil
}

func readBenchmarks(name string) (study.PrintedFile, error) {
	f, err := os.Open(name)
	if err != nil {
		return study.PrintedFile{}, err
	}
	defer f.Close()
	return gobench.Read(f, name)
}

// isFile reports whether a name is that of a file that is no folder.
func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.IsDir()
}
