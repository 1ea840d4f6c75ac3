package poolvar_test

import (
	"encoding/json"
	"expvar"
	"runtime"
	"slices"
	"testing"

	"github.com/poolproof/poolproof/buffer"
	"github.com/poolproof/poolproof/pool"
	"github.com/poolproof/poolproof/poolvar"
)

func init() { poolvar.Publish("pools") } // once, however often the test runs

func TestTheVariableHoldsTheStatisticsOfNamedPools(t *testing.T) {
	objects := pool.New(pool.Options[int]{Name: "objects"})
	nameless := pool.New(pool.Options[int]{})
	buffers := buffer.New(buffer.Options{Name: "buffers"})
	objects.Get()
	nameless.Get()
	buffers.Get(100)
	buffers.Free(make([]byte, 99))

	var got poolvar.Stats
	if err := json.Unmarshal([]byte(expvar.Get("pools").String()), &got); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(got.Pools, func(s pool.Stats) bool { return s.Name == "objects" })
	if i < 0 || got.Pools[i].Misses != 1 {
		t.Errorf("the variable does not have the pool with its miss: %+v", got.Pools)
	}
	if slices.ContainsFunc(got.Pools, func(s pool.Stats) bool { return s.Name == "" }) {
		t.Errorf("the variable has a pool without a name: %+v", got.Pools)
	}
	i = slices.IndexFunc(got.Buffers, func(s buffer.Stats) bool { return s.Name == "buffers" })
	if i < 0 || got.Buffers[i].Misses != 1 || got.Buffers[i].Foreign != 1 {
		t.Errorf("the variable does not have the buffers with their miss and refusal: %+v", got.Buffers)
	}
	runtime.KeepAlive(objects)
	runtime.KeepAlive(nameless)
	runtime.KeepAlive(buffers)
}

func TestWithoutPoolsTheListsAreEmptyAndNotNull(t *testing.T) {
	text, err := json.Marshal(poolvar.Read())
	if err != nil {
		t.Fatal(err)
	}
	var lists map[string][]any
	if err := json.Unmarshal(text, &lists); err != nil || lists["Pools"] == nil || lists["Buffers"] == nil {
		t.Errorf("got %s, want two lists (%v)", text, err)
	}
}
