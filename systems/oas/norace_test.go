//go:build !race && !poolproofdebug

package oas_test

const poolsDrop = false
