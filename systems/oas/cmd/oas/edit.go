package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/poolproof/poolproof/systems/oas"
)

// edit changes values of a document, in the order of the flags, and writes its source
// with these changes.
func edit(p *program) func(string, *oas.Doc) (int, error) {
	write := p.flags.Bool("w", false, "write the file instead of the standard output")
	var edits []func(*oas.Doc) error
	pointed := func(name, what, usage string, do func(d *oas.Doc, pointer, value string) error) {
		p.flags.Func(name, usage, func(argument string) error {
			pointer, value, ok := strings.Cut(argument, "=")
			if what != "" && !ok {
				return fmt.Errorf("it must be POINTER=%s, such as /info/version=\"2\"", what)
			}
			if what == "" {
				pointer = argument
			}
			edits = append(edits, func(d *oas.Doc) error { return do(d, pointer, value) })
			return nil
		})
	}
	pointed("set", "JSON", "`POINTER=JSON`: give a value to a member, which is added if it is not there, or to an element; - after the last slash adds an element", set)
	pointed("delete", "", "`POINTER`: remove a value", func(d *oas.Doc, pointer, _ string) error {
		n, err := d.At(pointer)
		if err != nil {
			return err
		}
		return n.Delete()
	})
	pointed("rename", "KEY", "`POINTER=KEY`: give a member another key", func(d *oas.Doc, pointer, key string) error {
		n, err := d.At(pointer)
		if err != nil {
			return err
		}
		return n.Rename(key)
	})
	return func(file string, d *oas.Doc) (int, error) {
		if len(edits) == 0 {
			return 2, errors.New("it needs -set, -delete or -rename")
		}
		for _, e := range edits {
			if err := e(d); err != nil {
				return 2, err
			}
		}
		return p.source(file, d, *write)
	}
}

// set gives a member or an element a value, which is JSON.
func set(d *oas.Doc, pointer, value string) error {
	if !json.Valid([]byte(value)) {
		return fmt.Errorf("%s: %s is not JSON; write a string as '%s=\"text\"'", pointer, value, pointer)
	}
	if n, err := d.At(pointer); err == nil {
		return n.Replace(json.RawMessage(value))
	}
	slash := max(strings.LastIndexByte(pointer, '/'), 0)
	in, err := d.At(pointer[:slash])
	if err != nil {
		return err
	}
	token := strings.TrimPrefix(pointer[slash:], "/")
	if in.Kind() == oas.Array && token == "-" {
		_, err = in.Append(json.RawMessage(value))
	} else {
		_, err = in.Set(strings.NewReplacer("~1", "/", "~0", "~").Replace(token), json.RawMessage(value))
	}
	return err
}

// source writes the document as its source with its edits.
func (p *program) source(file string, d *oas.Doc, write bool) (int, error) {
	text, err := d.AppendSource(nil)
	switch {
	case err != nil:
		return 2, err
	case !write:
		_, err := p.out.Write(text)
		return 0, err
	case file == "-":
		return 2, errors.New("-w cannot write the standard input")
	}
	return 0, replace(file, text)
}

// replace gives a file another text: all of it, or nothing if there is an error.
func replace(file string, text []byte) error {
	mode := os.FileMode(0o644)
	if info, err := os.Stat(file); err == nil {
		mode = info.Mode().Perm()
	}
	if target, err := filepath.EvalSymlinks(file); err == nil {
		file = target
	}
	part, err := os.CreateTemp(filepath.Dir(file), ".oas-*")
	if err != nil {
		return err
	}
	defer os.Remove(part.Name())
	_, err = part.Write(text)
	err = errors.Join(err, part.Chmod(mode), part.Close())
	if err != nil {
		return err
	}
	return os.Rename(part.Name(), file)
}

// bundle copies what other files hold into the document.
func bundle(p *program) func(string, *oas.Doc) (int, error) {
	write := p.flags.Bool("w", false, "write the file instead of the standard output")
	root := p.flags.String("root", "", "the `folder` out of which no reference may lead; that of FILE if it is empty")
	return func(file string, d *oas.Doc) (int, error) {
		if err := bundled(d, *root, file); err != nil {
			return 2, err
		}
		return p.source(file, d, *write)
	}
}

// bundled brings the other files of a document into it.
func bundled(d *oas.Doc, root, file string) error {
	name, from := "-", root // what errors call the folder
	if file == "-" && root == "" {
		root = "."
	} else if file != "-" {
		absolute, err := filepath.Abs(file)
		if err != nil {
			return err
		}
		if root == "" {
			root, from = filepath.Dir(absolute), filepath.Dir(file)
		}
		folder, err := filepath.Abs(root)
		if err != nil {
			return err
		}
		if name, err = filepath.Rel(folder, absolute); err != nil || !filepath.IsLocal(name) {
			return fmt.Errorf("%s is not in the folder %s", file, root)
		}
	}
	folder, err := os.OpenRoot(root)
	if err != nil {
		return err
	}
	defer folder.Close()
	err = d.Bundle(folder.FS(), filepath.ToSlash(name))
	all, _ := err.(interface{ Unwrap() []error })
	if all == nil || from == "" || from == "." {
		return err
	}
	var named []error
	for _, err := range all.Unwrap() {
		named = append(named, fmt.Errorf("%s%c%w", filepath.Clean(from), filepath.Separator, err))
	}
	return errors.Join(named...)
}
