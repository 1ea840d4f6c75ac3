// Package guide holds the code of docs/pools.md: its tests run each block of the
// page and compare each output that the page shows.
package guide
