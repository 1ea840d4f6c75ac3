package poolpeers

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
)

func TestItemsAreUsedAgainAndEmptyWherePromised(t *testing.T) {
	for _, peer := range Peers {
		t.Run(peer.Name, func(t *testing.T) {
			w := peer.New()
			uses, again, known := 0, 0, map[*Item]bool{}
			w.Pairs(100, func(x *Item) {
				uses++
				if known[x] {
					again++
				}
				known[x] = true
				if len(x.List) != 0 {
					t.Errorf("a list of %d bytes is left from the last use", len(x.List))
				}
				if peer.Resets && x.Words[0] != 0 {
					t.Error("a word is left from the last use")
				}
			})
			if uses != 100 {
				t.Errorf("%d uses, want 100", uses)
			}
			if again == 0 {
				t.Error("no Item was used twice")
			}
		})
	}
}

func TestAnItemHasOneOwnerAtATime(t *testing.T) {
	for _, peer := range Peers {
		if peer.Single {
			continue
		}
		t.Run(peer.Name, func(t *testing.T) {
			w := peer.New()
			var mu sync.Mutex
			var all sync.WaitGroup
			owned := map[*Item]bool{}
			for range 4 {
				all.Go(func() {
					w.Pairs(500, func(x *Item) {
						mu.Lock()
						if owned[x] {
							t.Error("an Item was given out that is in use")
						}
						owned[x] = true
						mu.Unlock()
						runtime.Gosched() // to whom else has it
						mu.Lock()
						delete(owned, x)
						mu.Unlock()
					})
				})
			}
			all.Wait()
		})
	}
}

func TestAWarmPairAllocatesNothing(t *testing.T) {
	if raceDetector {
		t.Skip("under the race detector sync.Pool drops one in four")
	}
	want := map[string]float64{"commons": 1}
	for _, peer := range Peers {
		w := peer.New()
		w.Pairs(10, nil)
		if got := testing.AllocsPerRun(100, func() { w.Pairs(1, nil) }); got != want[peer.Name] {
			t.Errorf("%s: a pair allocates %.0f times, want %.0f", peer.Name, got, want[peer.Name])
		}
	}
}

var workers = map[string][]Worker{}

// BenchmarkPair is Get, a small use and Put; the pairs are shared evenly by the
// goroutines. The peers are the last part of the name, for poolproof try -vary pool.
func BenchmarkPair(b *testing.B) {
	for _, goroutines := range []int{1, 2, 64} {
		for _, peer := range Peers {
			b.Run(fmt.Sprintf("goroutines=%d/pool=%s", goroutines, peer.Name), func(b *testing.B) {
				team := workers[b.Name()]
				if team == nil {
					for i := range goroutines {
						if i == 0 || peer.Single {
							team = append(team, peer.New())
						} else {
							team = append(team, team[0])
						}
					}
					workers[b.Name()] = team
				}
				b.ReportAllocs()
				b.ResetTimer()
				if goroutines == 1 {
					team[0].Pairs(b.N, nil)
					return
				}
				var all sync.WaitGroup
				for i, w := range team {
					all.Go(func() { w.Pairs(b.N*(i+1)/goroutines-b.N*i/goroutines, nil) })
				}
				all.Wait()
			})
		}
	}
}
