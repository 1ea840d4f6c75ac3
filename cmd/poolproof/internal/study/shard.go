package study

import (
	"fmt"
	"strconv"
	"strings"
)

// Shard says which of several machines a plan was recorded on. It is no part of the plan's
// digest: all shards of a question have the same plan.
type Shard struct {
	Index int    `json:"index"` // from 1
	Of    int    `json:"of"`    // number of shards
	Host  string `json:"host,omitempty"`
}

// ParseShard reads "3/16".
func ParseShard(text string) (Shard, error) {
	index, of, _ := strings.Cut(text, "/")
	i, err1 := strconv.Atoi(index)
	n, err2 := strconv.Atoi(of)
	if err1 != nil || err2 != nil || i < 1 || n < i || n > 10000 {
		return Shard{}, fmt.Errorf("shard %q; write the number of this machine and that of all, from 1, as 3/16", text)
	}
	return Shard{Index: i, Of: n}, nil
}

// String is the form of ParseShard.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Of) }
