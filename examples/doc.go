// Package examples holds programs that use the library as a user would. Each is a
// folder with a main package that can be run, and tests that run it:
//
//	hotconfig  a configuration file that is reloaded while HTTP handlers serve it
//	hotcache   an in-memory cache that is rebuilt in the background
//	jsonserver a service that answers from pooled memory, with a load generator: a whole
//	           program for poolproof try -cmd
//
// To begin one of your own, copy the folder.
//
// The folder encode is the benchmark that README.md judges with poolproof try: one
// function, written with a pool and without.
package examples
