package practice

import "testing"

func BenchmarkReload(b *testing.B)  { Reload(b, Arms) }
func BenchmarkServe(b *testing.B)   { Serve(b, Arms) }
func BenchmarkLatency(b *testing.B) { Latency(b, Arms) }
func BenchmarkRelease(b *testing.B) { Release(b, Arms) }
func BenchmarkChange(b *testing.B)  { Change(b, Ways) }
