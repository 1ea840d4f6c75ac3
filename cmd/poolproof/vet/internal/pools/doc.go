// Package pools lists the sync.Pools of a package with the calls of their Get and Put.
package pools
