// Right: RCU and Delta
package r06

import (
	"context"
	"github.com/poolproof/poolproof/hotswap"
	"maps"
)

type Set struct{ m map[string]int }

func Add(ctx context.Context, c *hotswap.Container[Set], k string) error {
	return c.RCU(ctx, func(next, cur *Set) error {
		clear(next.m)
		if cur != nil {
			maps.Copy(next.m, cur.m)
		}
		next.m[k]++
		return nil
	})
}

func NewDelta(c *hotswap.Container[Set]) *hotswap.Delta[Set, string] {
	return hotswap.NewDelta(c,
		func(x *Set, k string) { x.m[k]++ },
		func(dst, src *Set) {
			clear(dst.m)
			maps.Copy(dst.m, src.m)
		})
}
