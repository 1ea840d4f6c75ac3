// Package poolpeers puts other ways of keeping objects beside package pool, in
// one binary: sync.Pool as it is used by hand, a channel, and the two pools of
// objects that the module proxy has and that may stand in one binary with others.
// Those two are made for connections, which must be counted and closed; they
// are here because people use them for objects too.
//
// Not here: github.com/bytedance/gopkg/lang/syncx, whose pool takes the place of
// sync.Pool's own hook in the garbage collector, so that in one binary with it
// no sync.Pool gives memory back, its neighbours in a comparison included;
// github.com/colega/zeropool, which could not be fetched when this was measured.
//
//	poolproof try -vary pool -baseline sync -bench BenchmarkPair ./studies/peers/pool
package poolpeers
