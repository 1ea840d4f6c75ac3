// Package ssax answers what can be said of one type or one value of the SSA form alone,
// without knowing the function around it.
package ssax
