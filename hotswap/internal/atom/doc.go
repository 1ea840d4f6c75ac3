// Package atom has the operations of the lock-free part of hotswap: the few
// operations whose order among goroutines matters.
//
// In every ordinary build its types are those of sync and sync/atomic, under
// other names and at no cost. With -tags poolproofexplore they are imitations
// that ask package explore, before each operation, which goroutine is to run
// next; so that the same source can be run through every schedule of a small
// scenario. Both files declare the same names.
//
// A package that uses them should import sync/atomic too: the compiler inlines
// the methods of an aliased type only where it has read the package that declares
// it (go1.26; each atomic operation is a call otherwise).
package atom
