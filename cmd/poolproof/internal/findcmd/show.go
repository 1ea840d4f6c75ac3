package findcmd

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// show prints the sites, and writes the files that were asked for.
func (f *findFlags) show(r *found) error {
	var err error
	if f.json {
		err = r.writeJSON(os.Stdout)
	} else {
		_, err = io.WriteString(os.Stdout, r.text(f.why))
	}
	if err != nil {
		return err
	}
	if f.pprof != "" {
		if err := r.writePprof(f.pprof); err != nil {
			return fault.Option("pprof", f.pprof, "%w", reason(err))
		}
	}
	if f.out == "" {
		return nil
	}
	if err := r.writeAll(f.out); err != nil {
		return fault.Option("out", f.out, "%w", reason(err))
	}
	return nil
}

// reason leaves out the name of the file, which the option has.
func reason(err error) error {
	if path := new(os.PathError); errors.As(err, &path) {
		return path.Err
	}
	return err
}

func (r *found) writeAll(dir string) error {
	if err := study.WriteFile(filepath.Join(dir, "find.json"), r.writeJSON); err != nil {
		return err
	}
	return r.writePprof(filepath.Join(dir, "sites.pb.gz"))
}

func (r *found) writePprof(name string) error { return study.WriteFile(name, r.profile.Write) }
