package arrowallocators_test

import (
	"testing"

	arrowallocators "github.com/poolproof/poolproof/studies/arrow-allocators"
	"github.com/poolproof/poolproof/studies/arrow-allocators/harness"
	"github.com/poolproof/poolproof/studies/arrow-allocators/own"
)

// arms are those of this build. The study of the module arrow1841 compares the
// arm go of this module with its own and so needs another name for it.
func arms() []arrowallocators.Arm {
	arms := arrowallocators.Arms()
	arms = append(arms, arms[0].As("arrow188"))
	return append(arms, own.Arms()...)
}

func BenchmarkPath(b *testing.B)     { harness.Path(b, arms()) }
func BenchmarkPath100(b *testing.B)  { harness.Batch(b, arms(), 100) }
func BenchmarkPath9000(b *testing.B) { harness.Batch(b, arms(), 9000) }
func BenchmarkParquet(b *testing.B)  { harness.Parquet(b, arms()) }
func BenchmarkRecord(b *testing.B)   { harness.Record(b, arms()) }
func BenchmarkIPC(b *testing.B)      { harness.IPC(b, arms()) }

func TestArmsAgree(t *testing.T) { harness.Agree(t, arms()) }
