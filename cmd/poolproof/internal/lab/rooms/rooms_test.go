package rooms

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// load reads the small module.
func load(t *testing.T) Module {
	t.Helper()
	t.Setenv("GOWORK", "off")
	m, err := Load(t.Context(), "testdata/house", "./...")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestArrowsMethodsAndDepthOfASmallModule(t *testing.T) {
	list := load(t).Count()
	if len(list) != 2 {
		t.Fatalf("%d packages, want 2", len(list))
	}
	house, low := list[0], list[1]
	var arrows []string
	for _, a := range house.Arrows {
		arrows = append(arrows, fmt.Sprintf("%s %s %s %t", a.From, a.To, a.Name, a.Back))
	}
	// An interface's method is declared nowhere, a test is no part of the package,
	// a method that is taken as a value is an arrow as a call is.
	slices.Sort(arrows)
	// A type and a field's type are mentioned as functions are.
	want := []string{"a.go b.go Door.turn", "a.go c.go Key", "b.go a.go Door", "c.go b.go Lock", "d.go a.go Door"}
	for i, w := range want {
		if i >= len(arrows) || !strings.HasPrefix(arrows[i], w) {
			t.Fatalf("arrows are %q, want %q", arrows, want)
		}
	}
	if len(arrows) != len(want) || house.Back != 1 || house.Share() != 0.2 {
		t.Errorf("%d arrows, %d back, share %v; want 5, 1, 0.2", len(arrows), house.Back, house.Share())
	}
	// Three of its embedded Door, one of its own, one function that takes it; what
	// bytes.Buffer lends belongs to another module.
	if name, n := house.Largest(); name != "Gate" || n != 5 || house.Methods["Door"] != 3 {
		t.Errorf("most methods: %d of %s, and %d of Door, want 5 of Gate and 3", n, name, house.Methods["Door"])
	}
	if house.Depth != 1 || low.Depth != 0 {
		t.Errorf("depths are %d and %d, want 1 and 0", house.Depth, low.Depth)
	}
}

func TestAWalkCountsStaysFilesAndReturns(t *testing.T) {
	// Lift, swing, each: d.go; Shut: a.go; Floor: low.go; then Open: a.go, again;
	// turn: b.go, which mentions Shut, where the reader was; Key: c.go.
	m := load(t)
	w, err := m.Follow(".Gate.Lift", ".Door.Open")
	if want := (Walk{Functions: 8, Stays: 6, Files: 5, Returns: 1}); err != nil || w != want {
		t.Errorf("%+v, %v, want %+v", w, err, want)
	}
	if _, err := m.Follow("low.Ceiling"); err == nil || !strings.Contains(err.Error(), "no function low.Ceiling") {
		t.Error(err)
	}
}

func TestTheLimitsBindAtTheirEdge(t *testing.T) {
	for _, tt := range []struct {
		back, arrows int
		want         bool
	}{{1, 2, false}, {2, 20, false}, {2, 19, true}, {0, 0, false}} {
		if got := (Package{Back: tt.back, Arrows: make([]Arrow, tt.arrows)}).Winding(); got != tt.want {
			t.Errorf("%d of %d arrows back: winding is %t, want %t", tt.back, tt.arrows, got, tt.want)
		}
	}
}

// back counts the edges that lead up in an order.
func back(successors [][]int, order []int) int {
	n := 0
	for v, next := range successors {
		for _, w := range next {
			if slices.Index(order, w) < slices.Index(order, v) {
				n++
			}
		}
	}
	return n
}

// least is the fewest edges back of all orders of few nodes.
func least(successors [][]int, order []int, from int) int {
	if from == len(order) {
		return back(successors, order)
	}
	best := 1 << 30
	for i := from; i < len(order); i++ {
		order[from], order[i] = order[i], order[from]
		best = min(best, least(successors, order, from+1))
		order[from], order[i] = order[i], order[from]
	}
	return best
}

// graphOf draws a graph.
func graphOf(r *rand.Rand, nodes, edges int) [][]int {
	g := make([][]int, nodes)
	for range edges {
		v, w := r.IntN(nodes), r.IntN(nodes)
		if v != w && !slices.Contains(g[v], w) {
			g[v] = append(g[v], w)
		}
	}
	return g
}

func TestNoOrderHasFewerEdgesBack(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		nodes := 1 + r.IntN(6)
		g := graphOf(r, nodes, r.IntN(3*nodes))
		order := Order(g)
		if all := slices.Sorted(slices.Values(order)); len(all) != nodes || len(slices.Compact(all)) != nodes {
			t.Fatalf("seed %d: %v is no order of %d nodes", seed, order, nodes)
		}
		any := make([]int, nodes)
		for i := range any {
			any[i] = i
		}
		if got, want := back(g, order), least(g, any, 0); got != want {
			t.Errorf("seed %d: %v has %d edges back in %v, the least is %d", seed, order, got, g, want)
		}
	}
}

func TestLargeCyclesAreNearTheLeast(t *testing.T) {
	// The rough order is asked for graphs that the exact one can check.
	worse, sum := 0, 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 2))
		g := graphOf(r, 12, 40)
		part := make([]int, len(g))
		for i := range part {
			part[i] = i
		}
		rough, best := back(g, settled(g, part)), back(g, exact(g, part))
		if rough < best {
			t.Fatalf("seed %d: %d edges back, and the least is said to be %d", seed, rough, best)
		}
		worse += rough - best
		sum += best
	}
	if 10*worse > sum {
		t.Errorf("%d edges back more than the least of %d", worse, sum)
	}
}

func TestThePrintedTableNamesWhatIsBeyondALimit(t *testing.T) {
	var b strings.Builder
	Print(&b, []Package{
		{Path: "example.com/m/straight", Files: []string{"a.go", "b.go"}, Arrows: []Arrow{{From: "a.go", To: "b.go", Name: "f"}}},
		{
			Path: "example.com/m/winding", Files: []string{"a.go", "b.go", "c.go"}, Back: 2, Depth: 3, Methods: map[string]int{"T": MostMethods + 1, "U": 2},
			Arrows: []Arrow{{From: "a.go", To: "b.go", Name: "f"}, {From: "b.go", To: "a.go", Name: "T.g", Back: true}, {From: "c.go", To: "a.go", Name: "h", Back: true}},
		},
	}, true)
	lines := strings.Split(b.String(), "\n")
	for i, want := range []string{
		"package",
		"winding                                  3      3    2    67%     3  41 of T ! !",
		"\ta.go b.go c.go",
		"\tback: b.go -> a.go (T.g)",
		"\tback: c.go -> a.go (h)",
		"straight                                 2      1    0     0%     0  ",
	} {
		if !strings.HasPrefix(lines[i], want) {
			t.Errorf("line %d is %q, want %q", i, lines[i], want)
		}
	}
}
