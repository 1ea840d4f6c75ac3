package words_test

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/page"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestTheHTMLReportLooksAsItDid(t *testing.T) {
	looks(t, "rich.html", func(w io.Writer) error { return page.Write(w, rich(), richRecords()) })
}

func TestTheHTMLReportIsOneWellFormedFile(t *testing.T) {
	hostile := rich()
	hostile.Plan.Study.Title = `<script>alert("x")</script>`
	hostile.Results[0].Arm = `"><img src=x>`
	hostile.Results[0].Deciding.Hi = math.MaxFloat64
	for name, v := range map[string]study.VerdictFile{"rich": rich(), "cells": load(t, "cells"), "flatmap": load(t, "flatmap"), "aa": load(t, "aa"), "hostile": hostile, "empty": {}} {
		var b strings.Builder
		if err := page.Write(&b, v, nil); err != nil {
			t.Fatal(err)
		}
		d := xml.NewDecoder(strings.NewReader(b.String()))
		d.Strict = false
		d.AutoClose, d.Entity = []string{"meta"}, xml.HTMLEntity
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if e, ok := token.(xml.StartElement); ok && (e.Name.Local == "script" || e.Name.Local == "img" || e.Name.Local == "link") {
				t.Errorf("%s holds <%s>", name, e.Name.Local)
			}
		}
		if m := regexp.MustCompile(`(src|href)=|url\(|NaN|Inf`).FindString(strings.ReplaceAll(b.String(), "img src=x", "")); m != "" {
			t.Errorf("%s holds %q", name, m)
		}
	}
}
