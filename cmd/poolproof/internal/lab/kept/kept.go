// Package kept reads and writes what a program printed, with where that comes from:
// the file that a table of a page stands on. Its header names the command, the day,
// the revision and the machine, and has the digest of the text below it.
package kept

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/plan"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/git"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// Unknown stands for a revision that was not noted when a table was measured.
const Unknown = "not noted"

// File is one kept text.
type File struct {
	Command  string // as typed, in the folder that it begins with, if any
	Date     string // the day of the measurement, as 2006-01-02
	Revision string // of the repository; Unknown
	Machine  string
	Body     string // without blank lines around it
}

// Names of the header's lines, in their order.
const (
	command  = "command"
	date     = "date"
	revision = "revision"
	machine  = "machine"
	digest   = "sha256"
)

// Parse reads a kept file. A line of the header that is missing or empty, a day that
// is none, and a digest that is not that of the text are errors.
func Parse(text string) (File, error) {
	head, body, _ := strings.Cut(text, "\n\n")
	f := File{Body: strings.TrimSpace(body)}
	to := map[string]*string{command: &f.Command, date: &f.Date, revision: &f.Revision, machine: &f.Machine, digest: new(string)}
	var wrong []error
	for line := range strings.Lines(head) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if at := to[name]; ok && at != nil && *at == "" {
			*at = value
		} else {
			wrong = append(wrong, fmt.Errorf("the header has the line %q", strings.TrimSpace(line)))
		}
	}
	for _, name := range []string{command, date, revision, machine, digest} {
		if *to[name] == "" {
			wrong = append(wrong, fmt.Errorf("the header has no %s", name))
		}
	}
	if _, err := time.Parse(time.DateOnly, f.Date); f.Date != "" && err != nil {
		wrong = append(wrong, fmt.Errorf("the date %q is no day", f.Date))
	}
	if got := *to[digest]; got != "" && got != sum(f) {
		wrong = append(wrong, errors.New("the digest is not that of header and text: it was changed by hand"))
	}
	return f, errors.Join(wrong...)
}

// String is the file's text.
func (f File) String() string {
	return f.head() + digest + ": " + sum(f) + "\n\n" + strings.TrimSpace(f.Body) + "\n"
}

func (f File) head() string {
	var b strings.Builder
	for _, line := range [][2]string{{command, f.Command}, {date, f.Date}, {revision, f.Revision}, {machine, f.Machine}} {
		fmt.Fprintf(&b, "%s: %s\n", line[0], line[1])
	}
	return b.String()
}

// Section returns the section of a page: the table, or a listing with its command,
// and below it when and where it was measured.
func (f File) Section() string {
	body := f.Body
	if !strings.Contains("\n"+body, "\n|") {
		body = "```text\n$ " + f.Command + "\n" + body + "\n```"
	}
	where := fmt.Sprintf("Measured %s, %s", f.Date, f.Machine)
	if f.Revision != Unknown {
		where += ", revision " + f.Revision[:min(12, len(f.Revision))]
	}
	return body + "\n\n" + where + "."
}

// sum is the digest of header and text.
func sum(f File) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(f.head()+"\n"+strings.TrimSpace(f.Body))))[:32]
}

// Main is the tool: it runs a command and keeps what it prints. With -command it
// keeps its standard input, of a measurement that was made elsewhere or before.
func Main(ctx context.Context, args []string) (code int) {
	flags := flag.NewFlagSet("keep", flag.ContinueOnError)
	var f File
	root := flags.String("root", filepath.Join("..", ".."), "the repository's `folder`")
	name := flags.String("o", "", "the `file` to write, seen from the repository")
	dir := flags.String("dir", ".", "run the command in this `folder`, seen from the repository")
	flags.StringVar(&f.Command, "command", "", "keep standard input, which this command printed")
	flags.StringVar(&f.Date, "date", "", "the day of the measurement; default today")
	flags.StringVar(&f.Revision, "revision", "", "the revision that was measured; default that of the repository, which must be clean")
	flags.StringVar(&f.Machine, "machine", "", "the machine; default this one")
	var part part
	flags.StringVar(&part.from, "from", "", "keep the output from the first line that has this `text`")
	flags.StringVar(&part.to, "to", "", "and up to the line before the next one that is this `text`")
	pages := flags.Bool("pages", false, "write the sections of the pages in the arguments from their kept files, and run nothing")
	if flags.Parse(args) != nil {
		return 2
	}
	var err error
	if *pages {
		err = writePages(*root, flags.Args())
	} else {
		err = keep(ctx, *root, *name, *dir, f, part, flags.Args(), os.Stdin)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "keep:", err)
		return 2
	}
	return 0
}

func keep(ctx context.Context, root, name, dir string, f File, part part, args []string, in io.Reader) error {
	if name == "" || (f.Command == "") == (len(args) == 0) {
		return errors.New("want -o FILE, and either a command or -command with its output on standard input")
	}
	if f.Date == "" {
		f.Date = time.Now().UTC().Format(time.DateOnly)
	}
	if f.Machine == "" {
		f.Machine = words.Machine(plan.Machine())
	}
	if f.Revision == "" {
		var err error
		if f.Revision, err = git.Commit(ctx, root, "HEAD"); err != nil {
			return err
		}
		if changed, err := git.Text(ctx, root, "status", "--porcelain"); err != nil || changed != "" {
			return errors.Join(errors.New("the repository has local changes: commit them, or name the -revision that was measured"), err)
		}
	}
	var body []byte
	var err error
	if len(args) == 0 {
		body, err = io.ReadAll(in)
	} else {
		body, err = output(ctx, filepath.Join(root, dir), args)
		if f.Command = strings.Join(args, " "); dir != "." {
			f.Command = "cd " + filepath.ToSlash(dir) + " && " + f.Command
		}
	}
	if f.Body = part.of(string(body)); err == nil && f.Body == "" {
		err = errors.New("the command printed nothing")
	}
	if err != nil {
		return err
	}
	return study.WriteFile(filepath.Join(root, filepath.FromSlash(name)), func(w io.Writer) error { _, err := io.WriteString(w, f.String()); return err })
}

// part is the range of an output that is kept.
type part struct{ from, to string }

func (p part) of(out string) string {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if p.from != "" {
		i := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, p.from) })
		if i < 0 {
			return ""
		}
		lines = lines[i:]
		if j := slices.Index(lines[1:], p.to); j >= 0 {
			lines = lines[:j+1]
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// output runs a command in a folder; a single argument is a line of the shell. What
// it says to standard error is shown.
func output(ctx context.Context, dir string, args []string) ([]byte, error) {
	if len(args) == 1 {
		args = []string{"sh", "-c", args[0]}
	}
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, os.Stderr
	err := cmd.Run()
	return out.Bytes(), err
}
