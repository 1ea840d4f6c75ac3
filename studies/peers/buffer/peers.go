package bufferpeers

import stdslices "slices"

// Peers are all ways of keeping buffers that are compared. The first, a
// sync.Pool of *[]byte, is what the others are measured by.
var Peers = stdslices.Concat(plain, sized, growing, ours)
