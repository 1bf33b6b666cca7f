package api

import (
	"context"
	"strconv"

	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/language"
	"github.com/hantei/hantei/server/picture"
	"google.golang.org/genproto/googleapis/api/httpbody"
)

// mimeSVG is what a picture is.
const mimeSVG = "image/svg+xml"

// GetDungeonPicture implements hanteiv1.PlayServiceServer. It draws what GetView
// would send and nothing else.
func (s *playService) GetDungeonPicture(ctx context.Context, r *hanteiv1.GetDungeonPictureRequest) (*httpbody.HttpBody, error) {
	by, refusal := player(ctx, r.GetTableId())
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	v, err := s.host.View(ctx, by, r.GetAsSeat())
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	floor := r.GetFloor()
	if known := picture.Floors(v.Dungeon); floor == 0 && len(known) > 0 {
		floor = known[0]
	}
	plan := picture.Draw(v.Dungeon, v.Characters, floor, s.icons(v.Ruleset))
	if plan == nil {
		return nil, s.fail(ctx, rule.Core(tablev1.Reason_REASON_NOT_FOUND, "floor"))
	}
	return &httpbody.HttpBody{ContentType: mimeSVG, Data: []byte(plan.SVG(pictureWords(by.Lang)))}, nil
}

// icons are the words of the icons of a ruleset's marks.
func (s *playService) icons(ruleset string) func(kind string) string {
	icons := make(map[string]string)
	for _, game := range s.host.Games() {
		if game.Rules.Name != ruleset {
			continue
		}
		for _, m := range game.Rules.Marks {
			icons[m.Kind] = m.Icon
		}
	}
	return func(kind string) string { return icons[kind] }
}

// pictureWords are what a picture says by itself.
func pictureWords(lang string) picture.Words {
	texts := language.Texts()
	return picture.Words{
		Floor: func(n int32) string {
			return texts.Text("picture.floor", lang, func(string) (string, bool) { return strconv.Itoa(int(n)), true })
		},
		Untold: texts.Text("picture.untold", lang, nil),
	}
}
