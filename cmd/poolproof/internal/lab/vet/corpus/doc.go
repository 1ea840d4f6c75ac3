// Package corpus judges an analyzer of pool use by code whose defects are known.
//
// The code is in testdata/corpus: packages of their own module. A file whose
// name begins with bad has functions with defects, each marked on its line:
//
//	buffers.Put(b)
//	return b.String() // want "PV001"
//
// Every other file is right, and tempting: the marks there say what a check could
// wrongly take offence at.
//
//	s := b.String()
//	buffers.Put(b)
//	return s // fine "PV001" String copies
//
// A want is hit by a report with its code, in its function, at most Reach lines
// away. Every report in right code is false. The corpus was written without
// sight of the rules.
package corpus
