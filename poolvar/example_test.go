package poolvar_test

import (
	"expvar"
	"fmt"
	"runtime"
	"strings"

	"github.com/poolproof/poolproof/buffer"
	"github.com/poolproof/poolproof/poolvar"
)

func Example() {
	packets := buffer.New(buffer.Options{Name: "packets"})
	packets.Get(1500).Release()

	poolvar.Publish("memory") // once, in an init function of the program
	fmt.Println(strings.Contains(expvar.Get("memory").String(), `"Name":"packets"`))
	runtime.KeepAlive(packets)
	// Output: true
}
