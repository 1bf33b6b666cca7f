package gateway

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

func TestFaultsAreMasked(t *testing.T) {
	w := httptest.NewRecorder()
	handleError(t.Context(), nil, nil, w, httptest.NewRequest(http.MethodGet, "/", nil), errors.New("secret"))
	if w.Code != 500 || strings.Contains(w.Body.String(), "secret") || !strings.Contains(w.Body.String(), `"INTERNAL"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestAnswersAreNoLongerThanQuestions(t *testing.T) {
	if p := wrongField(strings.Repeat("あ", 1000), wrong{what: "no_field"}).in("ja"); p.Message == "" || len(p.json()) > 1000 {
		t.Errorf("%d bytes", len(p.json()))
	}
}

// What a reason comes with stands beside it if it has a name of its own.
func TestProblemIsFlat(t *testing.T) {
	s, err := status.New(codes.FailedPrecondition, "in English").WithDetails(
		&errdetails.ErrorInfo{Reason: "BAD_TARGET", Domain: "hantei/coc", Metadata: map[string]string{
			"rule": "COC-ATK-01", "field": "action.coc.attack.target", "value": "tug", "nearest": "thug", "cursor": "c9",
		}},
		&errdetails.LocalizedMessage{Locale: "ja", Message: "選べません"})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"code":9,"status":"FAILED_PRECONDITION","reason":"BAD_TARGET","domain":"hantei/coc","rule":"COC-ATK-01",` +
		`"field":"action.coc.attack.target","value":"tug","nearest":"thug","message":"選べません","metadata":{"cursor":"c9"}}`
	if got := string(problemOf(s).json()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
