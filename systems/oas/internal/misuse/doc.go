// Package misuse holds uses of borrowed memory that the documentation of oas
// forbids, and uses that it allows. Its tests have the build tag misuse. They pass
// under go test; poolproof test has to fail those of the first kind.
package misuse
