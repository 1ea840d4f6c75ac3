// Package oasgen holds the code that systems/oas/gen writes against that of oapi-codegen
// and ogen: for real documents, each client calls each service over HTTP, and what the
// service gets and the client is answered is compared with what was sent.
//
//	cd studies/peers/oasgen && GOWORK=off go test -v -timeout 30m .
//
// The values are made from the schemas of the document, so all sides take them. Security
// is left out of the documents: it is no parameter, no body and no answer. Bodies are JSON,
// forms, parts with files, and bytes.
package oasgen
