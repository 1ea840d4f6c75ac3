// Package misuse holds uses of borrowed memory that the documentation of oas
// forbids, and uses that it allows. Its tests have the build tag misuse, and pass
// under go test as a rule, because the memory has no new user yet. poolproof test
// has to fail the test that keeps a Cursor, and the checked build (the build tag
// poolproofdebug) those that read a buffer after its Release.
package misuse
