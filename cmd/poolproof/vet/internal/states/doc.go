// Package states learns what functions do with pooled objects that fields hold: whether they
// put, use or set them, and which results are such objects, or structs with one in them.
// It comes after package infer, which learns what functions do with what they are given.
package states
