package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"
)

func TestWrongCommandLines(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		code int
		says string
	}{
		"nothing":                {nil, exitUsage, "usage:"},
		"help":                   {[]string{"help"}, exitOK, "browse"},
		"an unknown command":     {[]string{"list"}, exitUsage, `there is no command "list"`},
		"no type":                {[]string{"browse"}, exitUsage, "0 arguments; want TYPE"},
		"two types":              {[]string{"browse", "_a._tcp", "_b._tcp"}, exitUsage, "2 arguments; want TYPE"},
		"an unknown flag":        {[]string{"browse", "-x", "_a._tcp"}, exitUsage, "-x"},
		"help of a command":      {[]string{"browse", "-h"}, exitOK, "usage: mdns browse [flags] TYPE"},
		"no port":                {[]string{"register", "Page", "_http._tcp"}, exitUsage, "2 arguments"},
		"arguments of types":     {[]string{"types", "x"}, exitUsage, "1 arguments"},
		"an unknown interface":   {[]string{"browse", "-i", "none0", "_http._tcp"}, exitFailed, "-i none0"},
		"no number":              {[]string{"register", "-weight", "x", "Page", "_http._tcp", "80"}, exitUsage, "weight"},
		"subtypes in the help":   {[]string{"register", "-h"}, exitOK, "TYPE[,SUBTYPE...]"},
		"no host":                {[]string{"host"}, exitUsage, "0 arguments; want NAME"},
		"a flag after arguments": {[]string{"browse", "_http._tcp", "-i", "none0"}, exitFailed, "-i none0"},
	} {
		var stdout, stderr bytes.Buffer
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		code := run(ctx, c.args, &stdout, &stderr)
		cancel()
		if out := stdout.String() + stderr.String(); code != c.code || !strings.Contains(out, c.says) {
			t.Errorf("%s: exit code %d, want %d and %q:\n%s", name, code, c.code, c.says, out)
		}
	}
}

func TestLinesForPeopleAndPrograms(t *testing.T) {
	l := line{Event: "added", Instance: `Dr. "X"`, Type: "_http._tcp", Host: "a.local", Port: 80, Text: []string{"path=/x"}}
	for json, want := range map[bool]string{
		false: "added    \"Dr. \\\"X\\\"\"  _http._tcp  a.local:80  \"path=/x\"\n",
		true:  `{"event":"added","instance":"Dr. \"X\"","type":"_http._tcp","host":"a.local","port":80,"text":["path=/x"]}` + "\n",
	} {
		var out bytes.Buffer
		if err := (&printer{&out, json}).print(l); err != nil || out.String() != want {
			t.Errorf("%q, want %q", out.String(), want)
		}
	}
}
