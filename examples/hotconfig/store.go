package main

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"sync"

	"github.com/poolproof/poolproof/hotswap"
)

// store holds the current configuration, which is that of a file.
type store struct {
	file    string
	log     *slog.Logger
	configs *hotswap.Pool[Config]
	current *hotswap.Container[Config]

	mu     sync.Mutex
	failed error // of the last load; nil: the file is served as it is
}

func newStore(file string, log *slog.Logger) *store {
	s := &store{file: file, log: log}
	s.configs = hotswap.NewPool(hotswap.Options[Config]{New: newConfig, Reset: (*Config).reset})
	s.current = hotswap.New(s.configs)
	return s
}

// load makes current what is in the text of the file. If that is wrong, what is
// current stays so.
func (s *store) load(text []byte) error {
	err := s.publish(text)
	if err != nil {
		err = fmt.Errorf("%s: %w", s.file, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failed = err
	return err
}

func (s *store) publish(text []byte) error {
	draft := s.configs.Get() // the configuration before last, emptied
	defer draft.Discard()    // nothing, once it is published
	if err := draft.Value().read(bytes.NewReader(text)); err != nil {
		return err
	}
	return s.current.Update(&draft)
}

// lastError returns why the last load failed, nil if it did not.
func (s *store) lastError() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed
}

// follow loads the file whenever it changes, until ctx ends.
func (s *store) follow(ctx context.Context, w *watcher) error {
	return w.run(ctx, func(text []byte) {
		if err := s.load(text); err != nil {
			s.log.Error("the old configuration stays", "error", err)
			return
		}
		s.current.Do(func(c *Config) { s.log.Info("loaded", "file", s.file, "redirects", len(c.Redirects)) })
	}, func(err error) {
		s.log.Error("the old configuration stays", "error", err)
	})
}

// close waits until no reader holds a configuration.
func (s *store) close(ctx context.Context) error {
	if err := s.current.Close(ctx); err != nil {
		return err
	}
	return s.configs.Close(ctx)
}
