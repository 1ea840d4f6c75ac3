package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
	"golang.org/x/mod/zip"
)

// publish writes the files of one module and version into the proxy. It
// refuses what could not be installed once it is tagged.
func publish(root, folder, version, out string) (module.Version, error) {
	dir := filepath.Join(root, folder)
	goMod, f, err := readMod(dir)
	if err != nil {
		return module.Version{}, err
	}
	m := module.Version{Path: f.Module.Mod.Path, Version: version}
	if err := installable(root, folder, f, version); err != nil {
		return m, fmt.Errorf("%s: %w", filepath.Join(folder, "go.mod"), err)
	}

	escaped, err := module.EscapePath(m.Path)
	if err != nil {
		return m, err
	}
	at := filepath.Join(out, filepath.FromSlash(escaped), "@v")
	if err := os.MkdirAll(at, 0o777); err != nil {
		return m, err
	}
	if err := writeZip(filepath.Join(at, version+".zip"), m, dir); err != nil {
		return m, err
	}
	info, err := json.Marshal(struct {
		Version string
		Time    time.Time
	}{version, time.Now().UTC().Truncate(time.Second)})
	if err != nil {
		return m, err
	}
	for name, text := range map[string][]byte{version + ".mod": goMod, version + ".info": info, "list": []byte(version + "\n")} {
		if err := os.WriteFile(filepath.Join(at, name), text, 0o666); err != nil {
			return m, err
		}
	}
	return m, nil
}

func readMod(dir string) ([]byte, *modfile.File, error) {
	name := filepath.Join(dir, "go.mod")
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, nil, err
	}
	f, err := modfile.Parse(name, text, nil)
	if err != nil {
		return nil, nil, err
	}
	if f.Module == nil {
		return nil, nil, fmt.Errorf("%s has no module line", name)
	}
	return text, f, nil
}

// installable checks what the go command asks of a module that it fetches: a
// version, a path that says where in the repository the module lies (its tag
// is folder/version), and no replace, which go install refuses.
func installable(root, folder string, f *modfile.File, version string) error {
	if semver.Canonical(version) != version { // "" for what is no version
		return fmt.Errorf("%q is no version, as v0.0.1", version)
	}
	_, top, err := readMod(root)
	if err != nil {
		return err
	}
	if want := path.Join(top.Module.Mod.Path, filepath.ToSlash(filepath.Clean(folder))); f.Module.Mod.Path != want {
		return fmt.Errorf("the module is %s, a tag of this folder would be for %s", f.Module.Mod.Path, want)
	}
	if len(f.Replace) > 0 {
		return fmt.Errorf("it replaces %s: go install would refuse it", f.Replace[0].Old.Path)
	}
	return nil
}

func writeZip(name string, m module.Version, dir string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already: a version is published once", m)
	}
	if err != nil {
		return err
	}
	// Modules in folders below are left out, as the go command does.
	if err := zip.CreateFromDir(f, m, dir); err != nil {
		f.Close()
		os.Remove(name)
		return err
	}
	return f.Close()
}
