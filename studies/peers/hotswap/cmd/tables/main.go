// Command tables measures what needs no clock, of all peers, and prints it as a
// table in Markdown. Its figures are the same in each run on one version of Go.
package main

import (
	"fmt"
	"runtime"

	"github.com/poolproof/poolproof/studies/hot-swap/practice"
	peers "github.com/poolproof/poolproof/studies/peers/hotswap"
)

const updates = 50

func main() {
	fmt.Printf("One processor, %s, %s/%s.\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	fmt.Printf("Made: values for a first one and %d updates, with so many garbage collections before each. Written: bytes that an update of 1 KiB allocates without collections. Held: values of 64 KiB that are alive after updates and three collections.\n\n", updates)
	fmt.Print("| peer |")
	for _, collections := range practice.Collections {
		fmt.Printf(" made, %d GCs |", collections)
	}
	fmt.Print(" written, B | held |\n|---|")
	for range practice.Collections {
		fmt.Print("---|")
	}
	fmt.Println("---|---|")
	peers.Exact(func() {
		for _, p := range peers.Peers {
			fmt.Printf("| %s |", p.Name)
			for _, collections := range practice.Collections {
				fmt.Printf(" %d |", peers.MadeForUpdates(p, updates, collections))
			}
			fmt.Printf(" %d | %d |\n", peers.Written(p), peers.Held(p))
		}
	})
}
