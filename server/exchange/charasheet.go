package exchange

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/hantei/hantei/engine/foreign"
)

func isCharasheet(o object) bool {
	_, named := o["pc_name"]
	_, valued := o["NP1"]
	return named && valued
}

var (
	callBegins = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$.]*\s*\(\s*`)
	callEnds   = regexp.MustCompile(`\s*\)\s*;?$`)
)

// uncalled is what a script hands to the one function that it calls; the file
// itself if it is no such script.
func uncalled(file []byte) []byte {
	begin, end := callBegins.FindIndex(file), callEnds.FindIndex(file)
	if begin == nil || end == nil || begin[1] >= end[0] {
		return file
	}
	return file[begin[1]:end[0]]
}

// charasheetValues are the labels of the totals NP1, NP2 and so on.
var charasheetValues = []string{"STR", "CON", "POW", "DEX", "APP", "SIZ", "INT", "EDU", "HP", "MP", "", "アイデア", "幸運", "知識"}

// charasheetSkills are the site's tables of skills: the totals stand in the order of
// the names, after which come those that the player has named.
var charasheetSkills = []struct {
	table string
	names []string
	// fields have the specialities of those that have one.
	fields map[string]string
}{
	{"TBA", []string{"回避", "キック", "組み付き", "こぶし", "頭突き", "投擲", "マーシャルアーツ", "拳銃", "サブマシンガン", "ショットガン", "マシンガン", "ライフル"}, nil},
	{"TFA", []string{"応急手当", "鍵開け", "隠す", "隠れる", "聞き耳", "忍び歩き", "写真術", "精神分析", "追跡", "登攀", "図書館", "目星"}, nil},
	{"TAA", []string{"運転", "機械修理", "重機械操作", "乗馬", "水泳", "製作", "操縦", "跳躍", "電気修理", "ナビゲート", "変装"},
		map[string]string{"運転": "unten_bunya", "製作": "seisaku_bunya", "操縦": "main_souju_norimono"}},
	{"TCA", []string{"言いくるめ", "信用", "説得", "値切り", "母国語"}, map[string]string{"母国語": "mylang_name"}},
	{"TKA", []string{"医学", "オカルト", "化学", "クトゥルフ神話", "芸術", "経理", "考古学", "コンピューター", "心理学", "人類学", "生物学", "地質学", "電子工学",
		"天文学", "博物学", "物理学", "法律", "薬学", "歴史"}, map[string]string{"芸術": "geijutu_bunya"}},
}

// charasheetTexts are the fields with words that people have filled in, and what the
// site calls them. All others are parts of the totals, or how the site shows the
// sheet.
var charasheetTexts = []struct {
	field, label string
	notes        bool
}{
	{"shuzoku", "職業", false}, {"age", "年齢", false}, {"sex", "性別", false}, {"pc_kigen", "出身", false},
	{"pc_height", "身長", false}, {"pc_weight", "体重", false}, {"color_hair", "髪の色", false}, {"color_eye", "瞳の色", false},
	{"color_skin", "肌の色", false}, {"money", "所持金", false}, {"debt", "借金", false}, {"pc_tags", "タグ", false},
	{"pc_making_memo", "メモ", true},
}

// readCharasheet reads the JSON of the site for the one game of which it is known.
func readCharasheet(o object) (*foreign.Sheet, error) {
	if game := text(o["game"]); game != "" && game != "coc" {
		return nil, &Error{Wrong: OtherGame, Name: game}
	}
	s := &foreign.Sheet{Name: strings.TrimSpace(text(o["pc_name"]))}
	for i, label := range charasheetValues {
		name := strconv.Itoa(i + 1)
		now := number(o["NP"+name])
		switch label {
		case "":
			continue // the sanity that it began with
		case "HP", "MP":
			if now.Written == "" {
				now = number(o["NA"+name])
			}
			// The site keeps no present value beside the maximum.
			s.Rows = append(s.Rows, foreign.Row{Label: label, Now: now, Max: now})
			continue
		case "アイデア", "幸運", "知識":
			if now.Written == "" {
				continue // the rules derive it
			}
		}
		s.Rows = append(s.Rows, foreign.Row{Label: label, Now: now})
	}
	s.Rows = append(s.Rows, foreign.Row{Label: "SAN", Now: number(o["SAN_Left"]), Max: number(o["SAN_Max"])})
	if db := text(o["dmg_bonus"]); db != "" {
		s.Rows = append(s.Rows, foreign.Row{Label: "DB", Now: foreign.Parse(db)})
	}
	for _, t := range charasheetSkills {
		totals, own := all(o[t.table+"P"]), all(o[t.table+"Name"])
		for i := range totals {
			label := ""
			if i < len(t.names) {
				label = t.names[i]
				if speciality := text(o[t.fields[label]]); speciality != "" {
					label += "(" + speciality + ")"
				}
			} else if label = own.at(i - len(t.names)); label == "" && totals.at(i) == "" {
				continue // a line that was added and not used
			}
			s.Rows = append(s.Rows, foreign.Row{Label: label, Now: foreign.Parse(totals.at(i))})
		}
	}
	damage := all(o["arms_damage"])
	for i, v := range all(o["arms_name"]) {
		if name := text(v); name != "" {
			s.Weapons = append(s.Weapons, foreign.Weapon{Name: name, Damage: damage.at(i)})
		}
	}
	memo, count := all(o["item_memo"]), all(o["item_num"])
	for i, v := range all(o["item_name"]) {
		name := text(v)
		if name == "" {
			continue
		}
		if n := foreign.Parse(count.at(i)); n.Known && n.Value > 1 {
			name += " ×" + n.Written
		}
		if about := memo.at(i); about != "" {
			name += "（" + about + "）"
		}
		s.Texts = append(s.Texts, foreign.Text{Label: "所持品", Text: name})
	}
	for _, t := range charasheetTexts {
		if v := text(o[t.field]); v != "" {
			s.Texts = append(s.Texts, foreign.Text{Label: t.label, Text: v, Notes: t.notes})
		}
	}
	return s, nil
}
