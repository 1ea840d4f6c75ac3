package words_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/page"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/pagetest"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestTheHTMLReportFitsItsWindow(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	browser := pagetest.Browser(t)
	long := rich()
	long.Results[1].Benchmark = "BenchmarkWithALongNameThatHasNoPlaceToBreak/size=1048576/parallel=true/codec=protobuf"
	long.Results[1].Arm = "an-arm-with-a-name-that-is-much-longer-than-its-column-and-has-no-blank"
	long.Results[1].Deciding.Hi = 1e6
	pages := map[string]study.VerdictFile{"flatmap": load(t, "flatmap"), "cells": load(t, "cells"), "rich": rich(), "long names": long}
	for name, v := range pages {
		var b strings.Builder
		if err := page.Write(&b, v, richRecords()); err != nil {
			t.Fatal(err)
		}
		for _, width := range []int{1280, 390} {
			dark := width == 390
			for range 2 {
				l := browser.Open(t, b.String(), width, dark)
				at := fmt.Sprintf("%s at %d, dark %v", name, width, dark)
				if l.Width != float64(width) || l.Scroll > l.Width || len(l.Cut) > 0 {
					t.Errorf("%s: %v px of content in %v; cut off: %q", at, l.Scroll, l.Width, l.Cut)
				}
				if l.Rows == 0 || len(l.Overlap) > 0 {
					t.Errorf("%s: %d rows; %q", at, l.Rows, l.Overlap)
				}
				if l.Dark != dark || len(l.Dim) > 0 {
					t.Errorf("%s: the page is dark: %v; hard to read: %q", at, l.Dark, l.Dim)
				}
				dark = !dark
				if name != "flatmap" {
					break // both schemes once
				}
			}
		}
	}
}
