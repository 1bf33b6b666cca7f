package exchange_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hantei/hantei/engine/foreign"
	"github.com/hantei/hantei/server/exchange"
)

// fuzz reads whatever comes in a format: it is refused with a reason, or it is a
// sheet of texts, whose known numbers stand in the file, and which can be written
// and read again.
func fuzz(f *testing.F, format exchange.Format, more ...string) {
	for name, of := range files {
		if of == format {
			f.Add(load(f, name))
		}
	}
	for _, file := range more {
		f.Add([]byte(file))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		s, found, err := exchange.Read(file, format)
		if err != nil {
			if e := (*exchange.Error)(nil); !errors.As(err, &e) || e.Wrong == "" || s != nil {
				t.Fatalf("%v, %v", s, err)
			}
			return
		}
		if found != format {
			t.Fatalf("format %d", found)
		}
		for _, r := range s.Rows {
			for _, n := range []foreign.Number{r.Now, r.Max} {
				if read := foreign.Parse(n.Written); n.Known && n.Value != read.Value || !n.Known && n.Value != 0 {
					t.Fatalf("%+v", r)
				}
			}
			if !utf8.ValidString(r.Label) {
				t.Fatalf("%q", r.Label)
			}
		}
		for _, to := range []exchange.Format{exchange.Ccfolia, exchange.Udonarium} {
			written := exchange.Write(s, to).Content
			if len(written) > exchange.MaxBytes {
				continue // signs that are written longer
			}
			if _, _, err := exchange.Read([]byte(written), to); err != nil {
				t.Fatalf("%v of %s", err, written)
			}
		}
	})
}

func FuzzCcfolia(f *testing.F) {
	fuzz(f, exchange.Ccfolia,
		`{"kind":"character","data":{"status":[null,{"label":1,"value":true,"max":{}}],"params":"x","commands":"<=\n//=\n//a=b=c\n1D\n【<=1"}}`,
		`{"kind":"character","data":{"name":"\ud800","commands":"ＣＣＢ＜＝１　【あ】"}}`)
}

func FuzzCharasheet(f *testing.F) {
	fuzz(f, exchange.Charasheet,
		`x({"pc_name":1,"NP1":[],"TBAP":[1,null,{}],"TBAName":"","arms_name":["a"],"TKAP":null});`,
		`{"pc_name":"","NP1":"","TAAP":["1"],"unten_bunya":["x"]}`)
}

func FuzzCharasheetText(f *testing.F) {
	fuzz(f, exchange.CharasheetText,
		"■能力値■\n=合計= 1\nSTR\n=合計=\nHP：\n■戦闘■\n名称\n　\n/\na\tb\tc\n■技能■\n《》％《《a》1%",
		"：\n■能力値■\n■■\n■戦闘■\n：")
}

func FuzzUdonarium(f *testing.F) {
	fuzz(f, exchange.Udonarium,
		`<character><data name="character"><data name="detail"><data name="x"><data type="numberResource">1</data></data><data type="note"/></data></data></character>`,
		`<?xml version="1.0"?><!-- --><a:character xmlns:a="b"><data name="character"><![CDATA[<]]></data></a:character>`,
		string(zipped(f, "data.xml", character(`<data name="s"><data name="HP">1</data></data>`))),
		"PK\x03\x04"+strings.Repeat("\x00", 40))
}
