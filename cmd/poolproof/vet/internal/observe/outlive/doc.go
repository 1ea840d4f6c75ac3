// Package outlive finds memory of an object that goes where it outlives the put: into fields,
// maps and channels, and to goroutines.
package outlive
