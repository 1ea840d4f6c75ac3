// Command tables measures what needs no clock, of all peers, and prints it as
// tables in Markdown: bytes handed out, kept, held and newly made. Its
// figures are the same in each run on one version of Go.
package main

import (
	"fmt"
	"os"
	"runtime"

	peers "github.com/poolproof/poolproof/studies/peers/buffer"
)

func main() {
	sizes, err := peers.Sizes()
	if err != nil {
		fmt.Fprintln(os.Stderr, "tables:", err)
		os.Exit(2)
	}
	fmt.Printf("Sizes: those of the %d files of up to 1 MiB of %s's src, mixed. One processor, %s. A way that differs from another in time only has no row.\n", len(sizes), runtime.Version(), runtime.GOOS+"/"+runtime.GOARCH)
	peers.Exact(func() {
		bursts(sizes)
		flows(sizes)
		rare()
	})
}

const inBurst = 2000

func bursts(sizes []int) {
	fmt.Printf("\n### Bursts: %d buffers held at once\n\n", inBurst)
	fmt.Println("Sizes are known. Kept: memory of the first burst that is alive after so many garbage collections. Made: what a second burst, of other sizes and at once, allocates anew.")
	fmt.Println()
	fmt.Println("| pool | handed/asked, 1st burst | 2nd | kept after 0 GCs, MiB | 1 | 2 | made for the 2nd, MiB |")
	fmt.Println("|---|---|---|---|---|---|---|")
	for _, p := range peers.Peers {
		if p.Like != "" {
			continue
		}
		first, second := taken(p, sizes)
		b := peers.MeasureBurst(p, first[:inBurst], second[:inBurst])
		fmt.Printf("| %s%s | %.2f | %.2f | %.1f | %.1f | %.1f | %.1f |\n", p.Name, note(p), b.Handed[0], b.Handed[1],
			mib(b.Kept[0]), mib(b.Kept[1]), mib(b.Kept[2]), mib(b.Made))
	}
}

// taken returns two sets of sizes that do not overlap, of those that p takes.
func taken(p peers.Peer, sizes []int) (first, second []int) {
	var all []int
	for _, size := range sizes {
		if p.Takes(2 * size) {
			all = append(all, size)
		}
	}
	return all[:len(all)/2], all[len(all)/2:]
}

func note(p peers.Peer) string {
	if p.Max == 0 {
		return ""
	}
	return fmt.Sprintf(" (files up to %d KiB only)", p.Max>>11)
}

func flows(sizes []int) {
	fmt.Println("\n### Uses that follow each other")
	fmt.Println()
	fmt.Println("Each file once, after a first round that is not counted; a garbage collection after every 1,024. Held: memory of the buffers in flight for each byte in them. Made: bytes allocated for each use. Append: in chunks of 512 bytes; peers that have no buffer that grows are asked for one of twice the size, and copied to.")
	fmt.Println()
	fmt.Println("| pool | known, 1 in flight: held | made | known, 16: held | made | append, 1: held | made | append, 16: held | made |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|")
	for _, p := range peers.Peers {
		if p.Like != "" {
			continue
		}
		first, second := taken(p, sizes)
		all := append(first[:len(first):len(first)], second...)
		fmt.Printf("| %s%s |", p.Name, note(p))
		for _, known := range []bool{true, false} {
			for _, flight := range []int{1, 16} {
				f := peers.MeasureFlow(p, all, known, flight)
				fmt.Printf(" %.2f | %.0f |", f.Held, f.Made)
			}
		}
		fmt.Println()
	}
}

func rare() {
	fmt.Println("\n### Rare use")
	fmt.Println()
	fmt.Println("Bytes allocated for a use of 9,000 bytes that comes after three garbage collections.")
	fmt.Println()
	fmt.Println("| pool | B/use |")
	fmt.Println("|---|---|")
	for _, p := range peers.Peers {
		if p.Like != "" {
			continue
		}
		fmt.Printf("| %s | %d |\n", p.Name, peers.MeasureRare(p, 9000))
	}
}

func mib(bytes uint64) float64 { return float64(bytes) / (1 << 20) }
