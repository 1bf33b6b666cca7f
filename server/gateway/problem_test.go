package gateway

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestFaultsAreMasked(t *testing.T) {
	w := httptest.NewRecorder()
	handleError(t.Context(), nil, nil, w, httptest.NewRequest(http.MethodGet, "/", nil), errors.New("secret"))
	if w.Code != 500 || strings.Contains(w.Body.String(), "secret") || !strings.Contains(w.Body.String(), `"INTERNAL"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestAnswersAreNoLongerThanQuestions(t *testing.T) {
	if p := wrongField(strings.Repeat("あ", 1000), "", "x"); len(p.json()) > 1000 {
		t.Errorf("%d bytes", len(p.json()))
	}
}
