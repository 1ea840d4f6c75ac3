//go:build !poolproofdebug

package transport_test

// checkedBuild says that pools use nothing again.
const checkedBuild = false
