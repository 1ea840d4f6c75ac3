// Package suite runs the suite's methods, as grpctest does.
package suite
