package house

import "example.com/house/low"

type Door struct{}

func (d Door) Open() { d.turn(); Key[int]() }

func (d *Door) Shut() { low.Floor() }
