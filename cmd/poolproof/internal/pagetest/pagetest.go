// Package pagetest lays a page out in a headless browser, for tests of what people see: what
// is cut off, hard to read, or covered.
package pagetest

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"
)

// Layout holds the sizes that a browser gave to the parts of a page.
type Layout struct {
	Width   float64  // of the viewport
	Scroll  float64  // of the content
	Cut     []string // what reaches beyond the viewport, or is wider than its box
	Dim     []string // text with a contrast below 4.5 to the page
	Rows    int      // of the class row that are shown
	Overlap []string // neighbours in a row that cover each other
	Dark    bool     // the page's background is dark
}

// probe opens all that is behind a click, and measures.
const probe = `<script>
addEventListener('load', () => {
	const d = document.getElementById('page').contentDocument, w = d.defaultView, r = {Cut: [], Dim: [], Overlap: []};
	d.querySelectorAll('details').forEach(e => e.open = true);
	const name = e => e.tagName + '.' + e.getAttribute('class') + ' ' + (e.textContent || '').trim().slice(0, 40);
	const light = c => { const v = c.match(/[\d.]+/g).slice(0, 3).map(x => x / 255).map(x => x <= .04045 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4); return .2126 * v[0] + .7152 * v[1] + .0722 * v[2]; };
	r.Width = w.innerWidth; r.Scroll = d.documentElement.scrollWidth;
	const page = light(w.getComputedStyle(d.body).backgroundColor); r.Dark = page < .2;
	d.querySelectorAll('body *').forEach(e => {
		const box = e.getBoundingClientRect();
		if (!e.closest('svg') && (box.right > r.Width + .5 || box.left < -.5 || e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0)) r.Cut.push(name(e));
		if (![...e.childNodes].some(n => n.nodeType == 3 && n.textContent.trim())) return;
		const style = w.getComputedStyle(e), ink = light(e.tagName == 'text' ? style.fill : style.color);
		if ((Math.max(ink, page) + .05) / (Math.min(ink, page) + .05) < 4.5) r.Dim.push(name(e));
	});
	d.querySelectorAll('summary.row').forEach(row => {
		r.Rows = (r.Rows || 0) + 1;
		const boxes = [...row.children].map(e => [e, e.getBoundingClientRect()]);
		boxes.forEach(([a, x], i) => boxes.slice(i + 1).forEach(([b, y]) => {
			if (x.right > y.left + .5 && y.right > x.left + .5 && x.bottom > y.top + .5 && y.bottom > x.top + .5) r.Overlap.push(name(a) + ' and ' + name(b));
		}));
	});
	const out = document.createElement('pre'); out.id = 'result'; out.textContent = JSON.stringify(r); document.body.append(out);
});
</script>`

var probed = regexp.MustCompile(`(?s)<pre id="result">(.*?)</pre>`)

// Chromium is the path of a browser.
type Chromium string

// Browser finds the browser. It skips the test where there is none.
func Browser(t *testing.T) Chromium {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return Chromium(path)
		}
	}
	t.Skip("NOT CHECKED: the layout of a page, which needs Chromium in PATH")
	return ""
}

// Open lays a page out in a window of that width, with all that is behind a click.
func (c Chromium) Open(t *testing.T, page string, width int, dark bool) Layout {
	t.Helper()
	dir := t.TempDir()
	outer := fmt.Sprintf(`<!DOCTYPE html><body><iframe id="page" style="border:0;width:%dpx;height:4000px" srcdoc="%s"></iframe>%s</body>`, width, html.EscapeString(page), probe)
	name := filepath.Join(dir, "probe.html")
	if err := os.WriteFile(name, []byte(outer), 0o666); err != nil {
		t.Fatal(err)
	}
	scheme := "1"
	if dark {
		scheme = "0"
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, string(c), "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir="+dir, "--virtual-time-budget=5000",
		"--blink-settings=preferredColorScheme="+scheme, "--window-size=1600,1200", "--dump-dom", "file://"+name)
	out, err := cmd.Output()
	m := probed.FindSubmatch(out)
	if m == nil {
		t.Skipf("%s does not lay the page out here: %v", c, err)
	}
	var l Layout
	if err := json.Unmarshal([]byte(html.UnescapeString(string(m[1]))), &l); err != nil {
		t.Fatal(err)
	}
	return l
}
