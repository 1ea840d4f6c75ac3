// Wrong: RCU: next is kept
package w14

import (
	"context"
	"github.com/poolproof/poolproof/hotswap"
	"maps"
)

type Set struct{ m map[string]int }

var last *Set

func Add(ctx context.Context, c *hotswap.Container[Set], k string) error {
	return c.RCU(ctx, func(next, cur *Set) error {
		if cur != nil {
			maps.Copy(next.m, cur.m)
		}
		next.m[k] = 1
		last = next // want "PV014" next must not be kept
		return nil
	})
}
