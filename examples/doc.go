// Package examples holds programs that use the library as a user would. Each is a
// folder with a main package that can be run, and tests that run it:
//
//	hotconfig  a configuration file that is reloaded while HTTP handlers serve it
//	hotcache   an in-memory cache that is rebuilt in the background
//
// To begin one of your own, copy the folder.
package examples
