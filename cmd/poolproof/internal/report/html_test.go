package report

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestTheHTMLReportLooksAsItDid(t *testing.T) {
	golden(t, "rich.html", func(w io.Writer) error { return HTML(w, rich(), richRecords()) })
}

func TestTheHTMLReportIsOneWellFormedFile(t *testing.T) {
	hostile := rich()
	hostile.Plan.Study.Title = `<script>alert("x")</script>`
	hostile.Results[0].Arm = `"><img src=x>`
	hostile.Results[0].Deciding.Hi = math.MaxFloat64
	for name, v := range map[string]study.VerdictFile{"rich": rich(), "cells": load(t, "cells"), "flatmap": load(t, "flatmap"), "aa": load(t, "aa"), "hostile": hostile, "empty": {}} {
		var b strings.Builder
		if err := HTML(&b, v, nil); err != nil {
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

func TestAllIntervalsAreDrawnOnOneScale(t *testing.T) {
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 0.11 {
			t.Errorf("%s is drawn at %v %%, want %v", what, got, want)
		}
	}
	with := func(effect, lo, hi float64) row {
		r := rows(rich())[1]
		r.Deciding = study.Estimate{Effect: effect, Lo: lo, Hi: hi, Launches: 4}
		return r
	}
	small, large := with(-0.01, -0.02, 0.01), with(1, 0.9, 1.1)
	p := newPlot([]row{small, large})
	at := func(effect float64) float64 { return 50 + 50*math.Log1p(effect)/(1.05*math.Log(2.1)) }
	for _, r := range []row{small, large} {
		l := p.line(r, nil)
		near("mean", l.X, at(r.Deciding.Effect))
		near("from", l.From, at(r.Deciding.Lo))
		near("to", l.From+l.Width, at(r.Deciding.Hi))
		if l.Left || l.Right || l.MeanOff {
			t.Errorf("%+v is marked as off the scale", l)
		}
	}
	huge := with(300, 200, math.MaxFloat64)
	p = newPlot([]row{small, huge})
	if l := p.line(huge, nil); !l.Right || l.Left || !l.MeanOff || l.From+l.Width > 100.5 {
		t.Errorf("an interval beyond the scale: %+v", l)
	}
	if l := p.line(small, nil); l.X > 50 || l.X < 49 {
		t.Errorf("the mean of the small one: %+v", l)
	}
	for _, tick := range p.ticks() {
		if tick.Text == "2x" {
			near("the line of 2x", tick.X, 50+50*math.Log(2)/math.Log(16))
		}
	}
}
