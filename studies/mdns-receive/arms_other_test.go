//go:build !linux

package mdnsreceive

// The arm recvmmsg is Linux's.
var systemArms []arm
