// Package site finds the places in one function where objects are got and put, and the
// pools that they come from and go to.
package site
