// Package oaspeers compares systems/oas with the published way to keep the order
// of a document (the package of the study ordered-json) and with other people's
// libraries, in one binary:
//
//	poolproof try -vary arm -bench BenchmarkMarshal ./studies/peers/oas
//	poolproof try -vary arm -bench BenchmarkParse ./studies/peers/oas
//	poolproof try -vary arm -bench BenchmarkWalk ./studies/peers/oas
//
// With GOEXPERIMENT=jsonv2 encoding/json/v2 is an arm too. Built for times, one processor:
//
//	cd studies/peers/oas && GOWORK=off GOMAXPROCS=1 go test -run none -bench . -benchtime 40ms -count 3
//
// Not all of them do the same: what each keeps of a document is said beside its
// arm, and tests hold it to that.
package oaspeers
