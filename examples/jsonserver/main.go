// Jsonserver answers each request with a list of orders as JSON, from pooled memory. It
// is the example of comparing a whole program: with its pools, and without.
//
//	go build -o load ./jsonserver/load
//	(take the pools out of orders.go)
//	poolproof try -base HEAD -cmd 'jsonserver -addr $ADDR' -load './load -addr $ADDR -n 20000' ./jsonserver
package main

import (
	"flag"
	"log"
	"net/http"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "address to listen on")
	flag.Parse()
	http.HandleFunc("GET /orders", orders)
	log.Fatal(http.ListenAndServe(*addr, nil))
}
