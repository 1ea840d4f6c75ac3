package arrow1841

import (
	"testing"

	arrowallocators "github.com/poolproof/poolproof/studies/arrow-allocators"
	"github.com/poolproof/poolproof/studies/arrow-allocators/harness"
)

func BenchmarkPath(b *testing.B)     { harness.Path(b, arrowallocators.Arms()) }
func BenchmarkPath100(b *testing.B)  { harness.Batch(b, arrowallocators.Arms(), 100) }
func BenchmarkPath9000(b *testing.B) { harness.Batch(b, arrowallocators.Arms(), 9000) }
func BenchmarkParquet(b *testing.B)  { harness.Parquet(b, arrowallocators.Arms()) }
func BenchmarkRecord(b *testing.B)   { harness.Record(b, arrowallocators.Arms()) }
func BenchmarkIPC(b *testing.B)      { harness.IPC(b, arrowallocators.Arms()) }

func TestArmsAgree(t *testing.T) { harness.Agree(t, arrowallocators.Arms()) }
