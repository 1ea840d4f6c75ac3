package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// settle is how long a folder must be quiet before a change in it is looked at.
// A file is saved in several steps: it is cut to nothing and written in pieces, or
// written beside and renamed.
const settle = 50 * time.Millisecond

// watcher tells when the contents of a file have changed.
//
// It watches the folder and not the file. An editor that saves by writing a
// new file and renaming it leaves behind a watch on a file that has no name any
// more. And where the file is a symbolic link into a folder that is replaced as a
// whole, as Kubernetes mounts a ConfigMap, the events do not even have the
// file's name. So any event in the folder is a reason to look, and what is found
// is compared with what was there.
type watcher struct {
	file   string
	text   []byte // the contents as they were last seen
	events *fsnotify.Watcher
}

// newWatcher returns a watcher of a file that exists, with its contents.
func newWatcher(file string) (*watcher, error) {
	events, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watching %s: %w", file, err)
	}
	w := &watcher{file: file, events: events}
	dir := filepath.Dir(file)
	if err := events.Add(dir); err != nil {
		return nil, errors.Join(fmt.Errorf("watching the folder %s: %w", dir, err), events.Close())
	}
	// Read after that, so that no change is between the contents and the watch.
	if w.text, err = os.ReadFile(file); err != nil {
		return nil, errors.Join(err, events.Close())
	}
	return w, nil
}

// Close ends the watch.
func (w *watcher) Close() error { return w.events.Close() }

// run calls changed with the contents whenever they are others than before, and
// failed when the system reports a failure or the file cannot be read. It returns
// nil when ctx ends.
//
// What is compared and what is handed on are of one read: a file that changes
// while it is looked at is looked at again.
func (w *watcher) run(ctx context.Context, changed func(text []byte), failed func(error)) error {
	quiet := time.NewTimer(settle)
	quiet.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case _, ok := <-w.events.Events:
			if !ok {
				return fmt.Errorf("watching %s: the watcher was closed", w.file)
			}
			quiet.Reset(settle)
		case err, ok := <-w.events.Errors:
			if !ok {
				return fmt.Errorf("watching %s: the watcher was closed", w.file)
			}
			failed(fmt.Errorf("changes may have been missed: %w", err))
			quiet.Reset(settle)
		case <-quiet.C:
			text, err := os.ReadFile(w.file)
			switch {
			case errors.Is(err, fs.ErrNotExist):
				// It is about to be replaced; or it was removed, and then there is
				// nothing to serve in its place.
			case err != nil:
				failed(err)
			case !bytes.Equal(text, w.text):
				w.text = text
				changed(text)
			}
		}
	}
}
