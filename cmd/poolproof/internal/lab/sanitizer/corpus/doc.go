// Package corpus is a seeded corpus for the sync.Pool sanitizer: misuses and
// legal uses of pools as small tests, each with what the sanitizer must say of it.
//
// The tests are in testdata/module, a module of its own. Their comments hold
// the index, one directive a line:
//
//	//want:exact KIND...       what exact mode must find in this test, and nothing else
//	//want:fast KIND...        what fast mode must find at least; it may find what exact mode finds
//	//want:silence             a legal use: nothing, in any mode
//	//want:in TEST...          the tests that must fail, if it is not this one; "*": any
//	//want:leaked TYPE L/N     of N objects of that type that were got, L were never put; "*" for any N
//
// A KIND with a question mark may be missing. Besides the sanitizer's kinds there are
// "poison" (no finding, but the test fails by itself because put memory is
// overwritten), "own-worker" and "retained" (warnings) and "unseen" (a misuse that the sanitizer
// cannot see, as is documented; if it learns to, the index has to say so).
//
// Each test of the corpus has to have a directive.
package corpus
