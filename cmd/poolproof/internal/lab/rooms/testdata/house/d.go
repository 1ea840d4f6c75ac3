package house

import "bytes"

type Gate struct {
	*Door
	bytes.Buffer
}

func (g *Gate) Lift() { swing(g, 1) }

func swing(g *Gate, n int) { each(g); g.Shut() }

func each[T any](of T) {}
