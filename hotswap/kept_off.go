//go:build !poolproofmark && !poolproofdebug

package hotswap

type hidden[T any] struct{}

func (p *Pool[T]) resetFree() {}

func renewKept[T any](*T) {}
