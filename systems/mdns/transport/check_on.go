//go:build poolproofdebug

package transport

// checked says that memory without a user is overwritten, so that a late reader
// of a packet notices.
const checked = true

const poison = 0xDB
