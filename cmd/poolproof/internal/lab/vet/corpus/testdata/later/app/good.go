// Package app is right.
package app

import (
	"fmt"
	"sync"
)

type Ctx struct {
	Params []string
	keys   map[string]any
	err    error
}

func (c *Ctx) reset() {
	c.Params = c.Params[:0]
	clear(c.keys)
	c.err = nil
}

type Handler func(*Ctx) error

type App struct {
	pool   sync.Pool
	routes map[string]Handler
}

func New() *App {
	a := &App{routes: map[string]Handler{}}
	a.pool.New = func() any { return &Ctx{keys: map[string]any{}} }
	return a
}

func (a *App) Serve(path string, params ...string) (err error) {
	c := a.pool.Get().(*Ctx)
	c.reset()
	c.Params = append(c.Params, params...)
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
		a.pool.Put(c)
	}()
	h, ok := a.routes[path]
	if !ok {
		return fmt.Errorf("no route %s", path)
	}
	return h(c)
}
