// Package infer learns what each function of a package does with what it is given, and
// keeps that as its summary.
//
// fixpoint.go goes from callees to callers until nothing changes. For each function,
// learn.go notes what every instruction does with its parameters and with the pooled
// objects that it gets: call.go, stored.go, starts.go. What was noted then
// becomes the summary, a file for each part: result.go, release.go with told.go and
// box.go, detach.go, linger.go. param.go says which parameters a value comes from, got.go
// which pooled objects.
package infer
