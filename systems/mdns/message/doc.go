// Package message reads and writes DNS messages for Multicast DNS (RFC 6762)
// and DNS-Based Service Discovery (RFC 6763) without allocating.
//
// [Reader] walks the questions and records of a message where it lies:
//
//	var r message.Reader
//	r.Open(packet)
//	for r.Next() {
//		use(r.Section(), r.Name(), r.Type(), r.Data())
//	}
//	if f := r.Fault(); f.Reason != message.OK {
//		return f.Err()
//	}
//
// The work is bounded by a constant times the length of the message, whatever
// its counts and compression pointers say: a question takes five bytes at
// least, a record eleven, and a pointer must aim strictly below the one before.
//
// [Builder] writes a message into memory that it keeps for the next one.
//
// # Names
//
// A [Name] is a domain name in wire form: labels after their lengths, and a
// zero byte. A label may hold any byte, dots included, as the instance names of
// RFC 6763, section 4.3, do. [ParseName] and [Name.String] convert from and to
// text. Names are up to 256 bytes long, as RFC 6762, appendix C, asks for.
package message
