// Package channels learns which channels have receivers that put whatever they receive: a
// send to such a channel gives the object up.
package channels
