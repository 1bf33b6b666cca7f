package picture

import (
	"encoding/xml"
	"fmt"
	"strings"
)

// side is the length of a square's side in the drawing.
const side = 48

// style has the colours of both themes. The picture stands alone: it loads nothing.
const style = `
svg{--paper:#f7f4ec;--ink:#20242b;--wall:#5b6470;--pass:#fffdf7;--line:#c9c2b2;--pale:.55;--pc:#1f6feb;--foe:#c0392b;--other:#7a5a00}
@media (prefers-color-scheme:dark){svg{--paper:#15181d;--ink:#e8e6e0;--wall:#79828f;--pass:#262b33;--line:#3b424d;--pc:#6cb0ff;--foe:#ff8a7a;--other:#e2b84b}}
text{font:14px system-ui,"Noto Sans JP",sans-serif;fill:var(--ink)}
.paper{fill:var(--paper)}.wall{fill:var(--wall)}.pass{fill:var(--pass);stroke:var(--line)}.pale{opacity:var(--pale)}
.icon{fill:none;stroke:var(--ink);stroke-width:2;stroke-linejoin:round;stroke-linecap:round}
.token{stroke:var(--paper);stroke-width:2}.pc{fill:var(--pc)}.enemy{fill:var(--foe)}.other{fill:var(--other)}
.name{font-size:12px;font-weight:700;fill:var(--paper);text-anchor:middle}.axis{font-size:11px;text-anchor:middle;opacity:.7}.letter{font-size:11px;font-weight:700}
.title{font-size:16px;font-weight:700}`

// icons are drawn within a square of 24 by 24 around 0,0.
var icons = map[string]string{
	"stairs": "M-10 9H-4V3H2V-3H8V-9H11",
	"portal": "M0-10A7 10 0 1 1 0 10A7 10 0 1 1 0-10M0-5A3 5 0 1 1 0 5A3 5 0 1 1 0-5",
	"chest":  "M-10-2A10 7 0 0 1 10-2V8H-10ZM-10-2H10M-2-2V3H2V-2",
	"enemy":  "M-10 8C-10-12 10-12 10 8L5 4L0 8L-5 4ZM-4-3V-1M4-3V-1",
	"trap":   "M-10 8L-7-6L-4 8L0-6L4 8L7-6L10 8ZM-11 10H11",
	"event":  "M0-10L3-3L10-3L4 2L6 9L0 5L-6 9L-4 2L-10-3L-3-3Z",
	"hunter": "M-8 10L4-10M-2-8C4-14 12-8 11-1C9-5 5-7 1-5",
}

// SVG draws a plan. It is as wide as its squares and the list of what lies there.
func (p *Plan) SVG(words Words) string {
	var b strings.Builder
	const margin, top, line = 28, 56, 20
	list := len(p.notes) + len(p.tokens)
	width := int(p.Width)*side + 2*margin
	height := top + max(int(p.Height)*side+margin, 0) + line*list + margin/2
	width = max(width, p.widest(words))
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img">`, width, height, width, height)
	fmt.Fprintf(&b, `<title>%s</title><style>%s</style><rect class="paper" width="100%%" height="100%%"/>`, escaped(words.Floor(p.Floor)), style)
	fmt.Fprintf(&b, `<text class="title" x="%d" y="26">%s</text>`, margin, escaped(words.Floor(p.Floor)))
	fmt.Fprintf(&b, `<g transform="translate(%d %d)">`, margin, top)
	p.axes(&b)
	for y := range p.Height {
		for x := range p.Width {
			p.square(&b, x, y)
		}
	}
	for i, n := range p.notes {
		p.icon(&b, n, p.place(i))
	}
	p.drawTokens(&b)
	b.WriteString(`</g>`)
	y := top + int(p.Height)*side + margin
	for _, n := range p.notes {
		text := fmt.Sprintf("%s  (%d,%d)  %s", n.letter, n.x, n.y, n.text)
		if !n.told {
			text += "  [" + words.Untold + "]"
		}
		fmt.Fprintf(&b, `<text x="%d" y="%d">%s</text>`, margin, y, escaped(text))
		y += line
	}
	for i, t := range p.tokens {
		fmt.Fprintf(&b, `<text x="%d" y="%d">%s</text>`, margin, y, escaped(fmt.Sprintf("%s  (%d,%d)  %s", digit(i), t.x, t.y, t.name)))
		y += line
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// widest is how wide the list is, at about 8 for a narrow sign and 15 for a wide one.
func (p *Plan) widest(words Words) int {
	most := 0
	for _, n := range p.notes {
		text := n.text
		if !n.told {
			text += words.Untold
		}
		most = max(most, drawnWidth(text)+120)
	}
	for _, t := range p.tokens {
		most = max(most, drawnWidth(t.name)+120)
	}
	return most
}

func drawnWidth(s string) int {
	n := 0
	for _, r := range s {
		if r < 0x1100 {
			n += 8
		} else {
			n += 15
		}
	}
	return n
}

func (p *Plan) axes(b *strings.Builder) {
	for x := range p.Width {
		fmt.Fprintf(b, `<text class="axis" x="%d" y="-6">%d</text>`, int(x)*side+side/2, p.Left+x)
	}
	for y := range p.Height {
		fmt.Fprintf(b, `<text class="axis" x="-12" y="%d">%d</text>`, int(y)*side+side/2+4, p.Top+y)
	}
}

func (p *Plan) square(b *strings.Builder, x, y int32) {
	c := p.cells[y*p.Width+x]
	if c.ground == unknown {
		return
	}
	class := "pass"
	if c.ground == wall {
		class = "wall"
	}
	if !c.told {
		class += " pale"
	}
	fmt.Fprintf(b, `<rect class="%s" x="%d" y="%d" width="%d" height="%d"/>`, class, int(x)*side, int(y)*side, side, side)
}

// place is which of those on its square a note is, so that they lie side by side.
func (p *Plan) place(i int) int {
	n := 0
	for _, o := range p.notes[:i] {
		if o.x == p.notes[i].x && o.y == p.notes[i].y {
			n++
		}
	}
	return n
}

func (p *Plan) icon(b *strings.Builder, n note, place int) {
	x, y := int(n.x-p.Left)*side, int(n.y-p.Top)*side
	scale, dx, dy := 1.0, side/2, side/2
	if len(p.at(n.x, n.y)) > 1 {
		scale, dx, dy = 0.6, 12+place%2*24, 12+place/2*24
	}
	class := "icon"
	if !n.told {
		class += " pale"
	}
	path, ok := icons[n.icon]
	if !ok {
		path = "M0-7A7 7 0 1 1 0 7A7 7 0 1 1 0-7"
	}
	dash := ""
	if n.hidden {
		dash = ` stroke-dasharray="3 3"`
	}
	fmt.Fprintf(b, `<path class="%s" transform="translate(%d %d) scale(%.1f)" d="%s"%s/>`, class, x+dx, y+dy, scale, path, dash)
	fmt.Fprintf(b, `<text class="letter" x="%d" y="%d">%s</text>`, x+2+place%2*24, y+side-3-(place/2)*24, n.letter)
}

func (p *Plan) drawTokens(b *strings.Builder) {
	for i, t := range p.tokens {
		together := p.standing(t.x, t.y)
		place := 0
		for _, o := range p.tokens[:i] {
			if o.x == t.x && o.y == t.y {
				place++
			}
		}
		x, y := int(t.x-p.Left)*side+side/2, int(t.y-p.Top)*side+side/2
		r := 15
		if len(together) > 1 {
			r = 10
			x += (place%2)*22 - 11
			y += (place/2%2)*22 - 11
		}
		class := "other"
		if t.side == "pc" || t.side == "enemy" {
			class = t.side
		}
		fmt.Fprintf(b, `<g><title>%s</title><circle class="token %s" cx="%d" cy="%d" r="%d"/><text class="name" x="%d" y="%d">%s</text></g>`,
			escaped(t.name), class, x, y, r, x, y+4, digit(i))
	}
}

func escaped(s string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(s)); err != nil {
		return "" // a Builder takes everything
	}
	return b.String()
}
