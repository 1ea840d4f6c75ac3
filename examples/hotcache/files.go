package main

import (
	"context"
	"errors"
	"io/fs"
	"time"
)

// file is the cache entry of a file.
type file struct {
	Size     int64     `json:"size"`
	Modified time.Time `json:"modified"`
}

// filesOf returns the function that puts all regular files of a tree, by their
// paths.
func filesOf(tree fs.FS) func(context.Context, func(string, file)) error {
	return func(ctx context.Context, put func(string, file)) error {
		return fs.WalkDir(tree, ".", func(path string, d fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil && path != "." && errors.Is(err, fs.ErrPermission):
				return nil // a folder that is not ours to read has no files for us
			case err != nil:
				return err
			case !d.Type().IsRegular():
				return nil
			}
			info, err := d.Info()
			if errors.Is(err, fs.ErrNotExist) {
				return nil // removed since its folder was read
			}
			if err == nil {
				put(path, file{info.Size(), info.ModTime()})
			}
			return err
		})
	}
}
