// Proxymod publishes modules of a source tree in a folder that the go command
// takes as a module proxy (GOPROXY=file://...), as if their tags had been
// pushed. So what users do can be tried before anything is published: go
// install of a command, go get of a library.
//
//	proxymod -version v0.0.1 -out DIR [-root DIR] FOLDER...
//
// Each FOLDER is relative to the root and holds a go.mod.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	root := flag.String("root", ".", "`folder` of the repository")
	out := flag.String("out", "", "`folder` of the proxy")
	version := flag.String("version", "", "the `version` to publish, as v0.0.1")
	flag.Parse()
	if *out == "" || *version == "" || flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	for _, folder := range flag.Args() {
		m, err := publish(*root, folder, *version, *out)
		if err != nil {
			fmt.Fprintln(os.Stderr, "proxymod:", err)
			os.Exit(1)
		}
		fmt.Println(m)
	}
}
