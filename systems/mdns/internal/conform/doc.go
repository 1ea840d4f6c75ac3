// Package conform checks responders and queriers of Multicast DNS from outside,
// by packets alone: check by check what RFC 6762 and RFC 6763 say. The program
// under test runs in a network namespace of its own, the tester in another one,
// with a cable between them.
//
// Messages are built and read with github.com/miekg/dns, so that a fault in our
// own package message does not hide itself.
//
// A check that wants silence has a control: the same question without the reason
// for silence must be answered.
package conform
