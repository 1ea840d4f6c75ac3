// Wrong: RCU: the current value is written
package w13

import (
	"context"
	"github.com/poolproof/poolproof/hotswap"
	"maps"
)

type Set struct{ m map[string]int }

func Add(ctx context.Context, c *hotswap.Container[Set], k string) error {
	return c.RCU(ctx, func(next, cur *Set) error {
		if cur != nil {
			delete(cur.m, k) // want "PV022" others read cur
			maps.Copy(next.m, cur.m)
		}
		next.m[k] = 1
		return nil
	})
}
